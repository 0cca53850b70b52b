"""The scheduler: turns a graph into statements of loop nests, library calls, branches and loops."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from transpile.runtime.graph.bounds import Bounds, dim_of
from transpile.runtime.graph.dim import Dim, DimLike, values_of
from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import INT, PYBOOL, ArrayType, ScalarType, TokenType, dims_of
from transpile.runtime.ops.table import TABLE
from transpile.runtime.views.view import View

from .expression import (
    Apply,
    Buffer,
    Constant,
    Element,
    Expression,
    Gather,
    IndexFunction,
    Indices,
    Position,
    Variable,
    elements,
)
from .memory import Memory, carried_of, is_array, is_update
from .numpy_call import call_numpy, viewed
from .reduction import Reducer
from .statement import (
    Allocate,
    ArgReduction,
    Assign,
    Body,
    CheckedLet,
    Collect,
    For,
    If,
    LeaveIf,
    Let,
    LibraryCall,
    Nest,
    Operand,
    Program,
    Reshape,
    Site,
    Upcall,
    While,
)

# Integer ops on Python numbers that may leave 64 bits.
_CHECKED = frozenset(
    ("add", "subtract", "multiply", "negative", "absolute", "power", "left_shift", "floor_divide")
)
_LARGEST = 2**63 - 1


class Stored:
    """An array in memory: a view of a buffer."""

    def __init__(self, buffer: Buffer, view: View) -> None:
        self.buffer = buffer
        self.view = view

    def at(self, indices: Indices) -> Expression:
        """Return the element at an index."""
        return Element(self.buffer, self.view.index(indices), ScalarType(self.buffer.dtype))

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole buffer as it is."""
        return self.view.is_identity


Array = Stored | IndexFunction


def whole(buffer: Buffer) -> Stored:
    """Return the array that a buffer is."""
    return Stored(buffer, View.identity(buffer.dims))


class Scheduler:
    """Schedules one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.memory = Memory(graph)
        self.bounds = Bounds(
            graph.assumptions,
            (a for a, i in zip(graph.block.arguments, graph.inputs, strict=True) if i.source == "dim"),
        )
        self.arrays: dict[Value, Array] = {}
        self.scalars: dict[Value, Expression] = {}
        self.sites: list[Site] = []
        self.outputs: list[Buffer] = []
        self.copies: list[Any] = []
        self.body: Body = []
        # What the caller would see of the call if the kernel were left here: writes to arrays, by input, and other effects.
        self.writes: frozenset[int] = frozenset()
        self.effects = False
        # The inputs that have to be as they were when the original takes over.
        self.saved: set[int] = set()
        self._uses = _count_uses(graph.block)
        self._in_dims = _values_in_dims(graph)
        self._names = {value.name for value in _all_values(graph.block)}
        # The arrays whose memory is handed out: the caller makes it where it can tell the size, or when the size is known.
        self._homes = {self.memory.home(value) for value in graph.block.results or () if is_array(value)}

    # -- names, buffers ----------------------------------------------------------------------------------------

    def name(self, hint: str) -> str:
        """Return a new name."""
        hint = hint or "t"
        name = hint
        for number in itertools.count(1):
            if name not in self._names:
                break
            name = f"{hint}_{number}"
        self._names.add(name)
        return name

    def indices(self, dims: Sequence[DimLike]) -> list[tuple[Value, DimLike]]:
        """Return loop variables for dims."""
        letters = "ijklmnpq"
        return [
            (Value(INT, letters[place] if place < len(letters) else f"i{place}"), dim)
            for place, dim in enumerate(dims)
        ]

    def allocate(self, value: Value, name: str = "") -> Buffer:
        """Make a buffer for the contents of a value."""
        type_ = value.type
        assert isinstance(type_, ArrayType)
        buffer = Buffer(name or value.name, type_.dtype, type_.dims, type_.order)
        if value not in self._homes or value.block is not self.graph.block:
            self.body.append(Allocate(buffer))
        elif all(map(self._of_arguments, type_.dims)):
            buffer.source = "output"
            self.outputs.append(buffer)
        else:
            buffer.source = "result"
            self.body.append(Allocate(buffer))
        return buffer

    def _of_arguments(self, dim: DimLike) -> bool:
        return all(value.owner is self.graph.block for value in values_of(dim))

    # -- the whole ---------------------------------------------------------------------------------------------

    def run(self) -> Program:
        """Return the scheduled program."""
        graph = self.graph
        inputs: list[Value | Buffer] = []
        for argument, input_ in zip(graph.block.arguments, graph.inputs, strict=True):
            if input_.source == "array":
                buffer = _input_buffer(argument, input_)
                self.arrays[argument] = whole(buffer)
                inputs.append(buffer)
            else:
                self.scalars[argument] = Variable(argument)
                inputs.append(argument)
        self.ops(graph.block)
        results: list[Value | Buffer] = []
        assert graph.block.results is not None
        returned = len(graph.block.results) - len(graph.written)
        for value in graph.block.results[:returned]:
            results.append(self.stored(value).buffer if is_array(value) else self.variable(value))
        for place, result in graph.written.items():
            self._hand_back(graph.block.arguments[place], graph.block.results[result])
        return Program(
            graph.name,
            graph,
            inputs,
            self.outputs,
            self.body,
            results,
            self.sites,
            self.copies,
            set(graph.written),
            sorted(self.saved),
        )

    def _hand_back(self, argument: Value, value: Value) -> None:
        """Have the caller's array hold its contents at the end, which it does unless they were computed elsewhere."""
        if self.memory.origin(value) is argument or self.stored(value).buffer is self.stored(argument).buffer:
            return
        target = self.arrays[argument]
        assert isinstance(target, Stored)
        self.copies.append(())
        self.nest(target, self.stored(value).at, dims_of(argument.type))

    # -- scalars -----------------------------------------------------------------------------------------------

    def scalar(self, value: Value) -> Expression:
        """Return the expression for a scalar."""
        return self.scalars[value]

    def variable(self, value: Value) -> Value:
        """Return a scalar as a variable, which is made where there is none."""
        expression = self.scalars[value]
        if isinstance(expression, Variable):
            return expression.value
        self.body.append(Let(value, expression))
        self.scalars[value] = Variable(value)
        return value

    def let(self, value: Value, expression: Expression) -> None:
        """Give a scalar its expression: in its single user's, where that is as good, else in a variable."""
        single = self._uses.get(value, 0) <= 1 and value not in self._in_dims and not elements(expression)
        if isinstance(expression, (Constant, Variable)) or single:
            self.scalars[value] = expression
        else:
            self.body.append(Let(value, expression))
            self.scalars[value] = Variable(value)

    def site(self, op: Op, operands: Sequence[Value], exception: Any = None, reason: str = "") -> Site:
        """Make a site to leave the kernel at: for the original to run the call, as long as nothing visible was written."""
        if not self.writes and not self.effects:
            exception = None
        given = (
            [self.stored(v).buffer if is_array(v) else self.scalar(v) for v in operands] if exception else []
        )
        site = Site(len(self.sites) + 1, exception, given, op.location, reason)
        self.sites.append(site)
        return site

    # -- arrays ------------------------------------------------------------------------------------------------

    def element(self, value: Value, indices: Indices, rank: int) -> Expression:
        """Return the expression for the element of an operand at an index of a result of `rank` axes that it broadcasts to."""
        if not is_array(value):
            return self.scalar(value)
        dims = dims_of(value.type)
        own = indices[rank - len(dims) :]
        return self.arrays[value].at(
            tuple(0 if dim == 1 else index for dim, index in zip(dims, own, strict=True))
        )

    def stored(self, value: Value) -> Stored:
        """Return an array in memory as a whole buffer: it is computed now where it was not."""
        array = self.arrays[value]
        if isinstance(array, Stored) and array.is_whole:
            return array
        return self.store(value, array)

    def addressed(self, value: Value) -> Stored:
        """Return an array in memory, as a view of a buffer."""
        array = self.arrays[value]
        return array if isinstance(array, Stored) else self.store(value, array)

    def store(self, value: Value, array: Array) -> Stored:
        """Compute an array into a buffer of its own."""
        target = whole(self.allocate(value, self.name(value.name)))
        self.nest(target, array.at, dims_of(value.type))
        self.arrays[value] = target
        return target

    def nest(
        self, target: Stored, at: Callable[[Indices], Expression], dims: Sequence[DimLike], location: Any = ()
    ) -> None:
        """Add loops that store an element for every index."""
        loops = self.indices(dims)
        places = tuple(Dim.of_value(index) if dim != 1 else 0 for index, dim in loops)
        element = target.at(places)
        assert isinstance(element, Element)
        axes = _memory_order(target, len(dims))
        self.body.append(
            Nest([loops[axis] for axis in axes if loops[axis][1] != 1], element, at(places), location)
        )

    # -- ops ---------------------------------------------------------------------------------------------------

    def ops(self, block: Block) -> None:
        """Schedule the ops of a block, in program order."""
        for op in block.ops:
            handler = _HANDLERS.get(op.name)
            if handler is not None:
                handler(self, op)
            elif TABLE[op.name].family in ("elementwise", "scalar"):
                self.elementwise(op)
            else:
                raise NotImplementedError(op.name)
            self.note_effects(op)

    def note_effects(self, op: Op) -> None:
        """Note what an op, or a region of it, does that the caller can see."""
        for inner in (op, *(inner for region in op.regions for inner in region.walk())):
            if inner.name == "host_call":
                self.effects = True
            elif is_update(inner) and inner.attributes["input"] is not None:
                self.writes |= {inner.attributes["input"]}

    def elementwise(self, op: Op) -> None:
        """Schedule an op on elements."""
        if not op.result_is_array():
            self.scalar_op(op)
            return
        for output, result in enumerate(op.results):
            type_ = result.type
            assert isinstance(type_, ArrayType)
            attributes = _attributes(op, output)

            def at(
                indices: Indices,
                dtype: Any = type_.dtype,
                attributes: Any = attributes,
                rank: int = len(type_.dims),
            ) -> Expression:
                operands = tuple(self.element(operand, indices, rank) for operand in op.operands)
                return Apply(op.name, operands, ScalarType(dtype), attributes)

            self.define(op, result, IndexFunction(type_.dims, at))

    def define(self, op: Op, result: Value, array: Array) -> None:
        """Give a result its array: computed where it is used, if it is lazy, else now."""
        if result in self.memory.lazy:
            self.arrays[result] = array
            return
        target = whole(self.allocate(result))
        self.nest(target, array.at, dims_of(result.type), op.location)
        self.arrays[result] = target

    def scalar_op(self, op: Op) -> None:
        """Schedule an op on scalars."""
        for output, result in enumerate(op.results):
            type_ = result.type
            assert isinstance(type_, ScalarType)
            dim = dim_of(result) if type_ == INT else None
            if isinstance(dim, int):
                self.scalars[result] = Constant(dim, type_)
                continue
            expression = Apply(op.name, tuple(map(self.scalar, op.operands)), type_, _attributes(op, output))
            if type_ == INT and op.name in _CHECKED and not self.fits(op, result):
                site = self.site(op, op.operands, _overflow, "an integer leaves 64 bits")
                self.body.append(CheckedLet(result, expression, site))
                self.scalars[result] = Variable(result)
            else:
                self.let(result, expression)

    def fits(self, op: Op, result: Value) -> bool:
        """Whether a Python integer is proved to stay within 64 bits."""
        dim = dim_of(result)
        if op.name in ("floor_divide", "absolute", "negative"):
            # Only the most negative number has no counterpart.
            return self.bounds.nonnegative(dim_of(op.operands[0]) + (_LARGEST - 1))
        return self.bounds.nonnegative(_LARGEST - dim) and self.bounds.nonnegative(dim + _LARGEST)

    # -- handlers ----------------------------------------------------------------------------------------------

    def constant(self, op: Op) -> None:
        """Schedule a number."""
        type_ = op.result.type
        assert isinstance(type_, ScalarType)
        self.scalars[op.result] = Constant(op.attributes["value"], type_)

    def view(self, op: Op) -> None:
        """Schedule a view: another index, or a copy where its base is written before it is used."""
        base = self.arrays[op.operands[0]]
        view: View = op.attributes["view"]
        array: Array
        if isinstance(base, Stored):
            array = Stored(base.buffer, base.view.then(view))
        else:
            array = IndexFunction(view.dims, lambda indices: base.at(view.index(indices)))
        self.define(op, op.result, array)

    def load(self, op: Op) -> None:
        """Schedule the reading of an element."""
        base = self.arrays[op.operands[0]]
        expression = base.at(op.attributes["view"].index(()))
        self.body.append(Let(op.result, expression))
        self.scalars[op.result] = Variable(op.result)

    def update(self, op: Op) -> None:
        """Schedule a write: in place, unless the old contents are still wanted."""
        value = op.operands[1]
        stored = self.overwritten(op)
        target = Stored(stored.buffer, op.attributes["view"])
        if is_array(value) and self.overlaps(target, value):
            self.arrays[value] = self.store(value, self.arrays[value])
        dims = target.view.dims
        self.nest(target, lambda indices: self.element(value, indices, len(dims)), dims, op.location)
        self.arrays[op.result] = stored

    def overwritten(self, op: Op) -> Stored:
        """Return the memory that an update writes into: its base, or a copy where the old contents are still wanted."""
        base = op.operands[0]
        stored = self.stored(base)
        if op in self.memory.copied:
            self.copies.append(op.location)
            self.arrays[base] = IndexFunction(dims_of(base.type), stored.at)
            stored = self.store(op.result, self.arrays[base])
            self.arrays[base] = self.arrays[op.result]
        return stored

    def nonzero(self, op: Op) -> None:
        """Schedule the places of true elements."""
        (mask,) = op.operands
        loops = self.indices(dims_of(mask.type))
        test = self.arrays[mask].at(tuple(Dim.of_value(index) for index, _ in loops))
        targets = [whole(self.allocate(result)) for result in op.results]
        self.body.append(Collect(loops, test, [target.buffer for target in targets], op.location))
        self.arrays |= zip(op.results, targets, strict=True)

    def gather(self, op: Op) -> None:
        """Schedule the reading of places that run time gives."""
        base, *indices = op.operands
        stored = self.addressed(base)
        rank = len(dims_of(indices[0].type))

        def at(places: Indices) -> Expression:
            found = self.places(indices, places[:rank])
            return Gather(found, stored.at((*(Dim.of_value(v) for v, _ in found), *places[rank:])))

        self.define(op, op.result, IndexFunction(dims_of(op.result.type), at))

    def places(self, indices: Sequence[Value], places: Indices) -> tuple[tuple[Value, Expression], ...]:
        """Return the elements of index arrays, each with a variable for it."""
        return tuple((Value(INT, self.name("at")), self.element(i, places, len(places))) for i in indices)

    def scatter(self, op: Op) -> None:
        """Schedule the writing of places that run time gives, in the order of the indices."""
        _, value, *indices = op.operands
        stored = self.overwritten(op)
        target = Stored(stored.buffer, op.attributes["view"])
        for operand in (value, *indices):
            if is_array(operand) and self.reads(operand, stored.buffer):
                self.arrays[operand] = self.store(operand, self.arrays[operand])
        lead = dims_of(indices[0].type)
        loops = self.indices((*lead, *target.view.dims[len(indices) :]))
        places = tuple(Dim.of_value(index) if dim != 1 else 0 for index, dim in loops)
        found = self.places(indices, places[: len(lead)])
        element = target.at((*(Dim.of_value(v) for v, _ in found), *places[len(lead) :]))
        assert isinstance(element, Element)
        stored_value = Gather(found, self.element(value, places, len(places)))
        self.body.append(Nest([loop for loop in loops if loop[1] != 1], element, stored_value, op.location))
        self.arrays[op.result] = stored

    def reads(self, value: Value, buffer: Buffer) -> bool:
        """Whether the elements of an array are read from a buffer."""
        places = tuple(Dim.of_value(index) for index, _ in self.indices(dims_of(value.type)))
        return any(other.buffer is buffer for other in elements(self.arrays[value].at(places)))

    def overlaps(self, target: Stored, value: Value) -> bool:
        """Whether computing a value's elements while they are stored would read what is overwritten."""
        loops = self.indices(target.view.dims)
        places = tuple(Dim.of_value(index) for index, _ in loops)
        element = target.at(places)
        assert isinstance(element, Element)
        read = self.element(value, places, len(loops))
        return any(
            other.buffer is target.buffer
            and other.indices != element.indices
            and not _reads_ahead(
                element, other, [loops[axis][0] for axis in _memory_order(target, len(loops))]
            )
            and not self.disjoint(target, other, loops)
            for other in elements(read)
        )

    def disjoint(self, target: Stored, other: Element, loops: list[tuple[Value, DimLike]]) -> bool:
        """Whether an element that is read is proved to be none of those written: on some axis it lies outside."""
        variables = {index for index, _ in loops}
        bounds = Bounds(self.bounds.assumptions, self.bounds.sizes)
        bounds.ranges = dict(self.bounds.ranges)
        for index, dim in loops:
            bounds.enter_loop(index, 0, dim, 1)
        for (offset, terms), place in zip(target.view.axes, other.indices, strict=True):
            low = high = offset
            for axis, step in terms:
                reach = (target.view.dims[axis] - 1) * step
                low, high = (low, high + reach) if step > 0 else (low + reach, high)
            if not terms and any(v in variables for v in values_of(place)):
                continue
            if bounds.nonnegative(low - place - 1) or bounds.nonnegative(place - high - 1):
                return True
        return False

    def reshape(self, op: Op) -> None:
        """Schedule other dims for the same elements."""
        base = self.stored(op.operands[0])
        if base.buffer.layout != "C":
            base = self.store_in_order(op.operands[0])
        buffer = Buffer(self.name(op.result.name), base.buffer.dtype, op.attributes["dims"], source="alias")
        self.body.append(Reshape(buffer, base.buffer))
        self.arrays[op.result] = whole(buffer)

    def store_in_order(self, value: Value) -> Stored:
        """Compute an array into a buffer in C order."""
        type_ = value.type
        assert isinstance(type_, ArrayType)
        buffer = Buffer(self.name(value.name), type_.dtype, type_.dims)
        self.body.append(Allocate(buffer))
        target = whole(buffer)
        self.nest(target, self.arrays[value].at, type_.dims)
        return target

    def copy(self, op: Op) -> None:
        """Schedule a copy that the program asks for."""
        self.define_stored(op, self.arrays[op.operands[0]].at)

    def define_stored(self, op: Op, at: Callable[[Indices], Expression]) -> None:
        """Compute a result into a buffer."""
        target = whole(self.allocate(op.result))
        self.nest(target, at, dims_of(op.result.type), op.location)
        self.arrays[op.result] = target

    def reserve(self, op: Op) -> None:
        """Schedule a larger buffer in the place of a full one."""
        (old,) = op.operands
        before = self.stored(old).buffer
        alias = self._alias(op.result)
        self.body.append(Assign([(alias, before)]))
        room, known = op.attributes["dims"][0], dims_of(old.type)
        with self.nested() as body:
            wider = whole(Buffer(self.name(op.result.name), alias.dtype, op.attributes["dims"]))
            body.append(Allocate(wider.buffer))
            self.nest(wider, whole(before).at, known, op.location)
            body.append(Assign([(alias, wider.buffer)]))
        test = Apply("greater", (Position(room, INT), Position(known[0], INT)), PYBOOL)
        self.body.append(If(test, body, [], op.location))
        self.arrays[op.result] = whole(alias)

    def concatenate(self, op: Op) -> None:
        """Schedule joined arrays: each is stored into its part of the result."""
        axis = op.attributes["axis"]
        target = whole(self.allocate(op.result))
        start: DimLike = 0
        for operand in op.operands:
            dims = dims_of(operand.type)
            part = Stored(target.buffer, target.view.slice(axis, start, dims[axis], 1))
            self.nest(part, self.arrays[operand].at, dims, op.location)
            start = start + dims[axis]
        self.arrays[op.result] = target

    def table(self, op: Op) -> None:
        """Schedule an array that is known."""
        known: np.ndarray[Any, Any] = op.attributes["array"]
        target = whole(self.allocate(op.result))
        type_ = ScalarType(known.dtype)
        for index in np.ndindex(known.shape):
            element = target.at(index)
            assert isinstance(element, Element)
            self.body.append(Nest([], element, Constant(known[index], type_), op.location))
        self.arrays[op.result] = target

    def empty(self, op: Op) -> None:
        """Schedule an array whose contents are not set."""
        self.arrays[op.result] = whole(self.allocate(op.result))

    def fill(self, op: Op) -> None:
        """Schedule an array of one value."""
        self.define(
            op, op.result, IndexFunction(op.attributes["dims"], lambda indices: self.scalar(op.operands[0]))
        )

    def iota(self, op: Op) -> None:
        """Schedule the positions along a dim."""
        type_ = ScalarType(np.dtype(np.int64))
        self.define(
            op, op.result, IndexFunction(op.attributes["dims"], lambda indices: Position(indices[0], type_))
        )

    def reduce(self, op: Op) -> None:
        """Schedule a reduction, with what feeds it."""
        Reducer(self, op).run()

    def result_target(self, op: Op) -> Buffer | Value:
        """Return where a reduction puts its result."""
        result = op.result
        if not is_array(result):
            self.scalars[result] = Variable(result)
            return result
        stored = whole(self.allocate(result))
        self.arrays[result] = stored
        return stored.buffer

    def _target(self, op: Op, places: Indices) -> Element | Value:
        """Return the place of a result at an index."""
        target = self.result_target(op)
        return target if isinstance(target, Value) else Element(target, places, ScalarType(target.dtype))

    def argreduce(self, op: Op) -> None:
        """Schedule the search for an extreme."""
        (operand,) = op.operands
        if operand.type.dtype.kind == "c":  # type: ignore[union-attr]
            call_numpy(self, op, self.result_target(op))
            return
        loops = self.indices(dims_of(operand.type))
        axis = op.attributes["axis"]
        places = tuple(Dim.of_value(index) for index, _ in loops)
        expression = self.arrays[operand].at(places)
        kept = [loop for place, loop in enumerate(loops) if place != axis]
        target = self._target(op, tuple(p for place, p in enumerate(places) if place != axis))
        self.body.append(
            ArgReduction(op.attributes["function"], kept, loops[axis], target, expression, op.location)
        )

    def matmul(self, op: Op) -> None:
        """Schedule a matrix product: by NumPy where it is one of many, or may copy what has gaps first."""
        target = self.result_target(op)
        operands = []
        for operand in op.operands:
            base, view = viewed(self, operand)
            operands.append(Operand(self.stored(base).buffer, view))
        most = max(len(operand.view.dims) for operand in operands)
        if most > 2 or (most == 2 and op.name == "dot" and any(map(_is_copied_by_dot, operands))):
            call_numpy(self, op, target)
            return
        a, b = (dims_of(operand.type) for operand in op.operands)
        dims = {"m": a[-2] if len(a) > 1 else 1, "n": a[-1], "p": b[-1] if len(b) > 1 else 1}
        self.body.append(LibraryCall(op.name, operands, target, dims, op.location))

    # -- leaving -----------------------------------------------------------------------------------------------

    def index(self, op: Op) -> None:
        """Schedule an index that may be out of range or count from the end."""
        position, size = map(dim_of, op.operands)
        inside = self.bounds.nonnegative(size - position - 1)
        if inside and self.bounds.nonnegative(position):
            self.let(op.result, Position(position, INT))
            return
        axis = op.attributes["axis"]

        def error(position: int, size: int) -> IndexError:
            return IndexError(f"index {position} is out of bounds for axis {axis} with size {size}")

        site = self.site(op, op.operands, error, "an index is out of range")
        self.body.append(
            CheckedLet(op.result, Apply("index", tuple(map(self.scalar, op.operands)), INT), site)
        )
        self.scalars[op.result] = Variable(op.result)

    def deoptimise_if(self, op: Op) -> None:
        """Schedule a place from which the original takes over."""
        if self.effects:
            raise CannotDeoptimise(op)
        self.saved |= self.writes
        self.body.append(
            LeaveIf(self.scalar(op.operands[0]), self.site(op, (), None, op.attributes["reason"]))
        )

    def raise_if(self, op: Op) -> None:
        """Schedule an exception on a condition."""
        test = self.scalar(op.operands[0])
        self.body.append(LeaveIf(test, self.site(op, op.operands[1:], op.attributes["exception"])))

    def raise_(self, op: Op) -> None:
        """Schedule an exception."""
        self.body.append(LeaveIf(None, self.site(op, op.operands, op.attributes["exception"])))

    def host_call(self, op: Op) -> None:
        """Schedule a call of Python."""
        operands: list[Expression | Buffer] = []
        for operand in op.operands[1:]:
            operands.append(self.stored(operand).buffer if is_array(operand) else self.scalar(operand))
        self.body.append(Upcall(self.call_site(op, operands), op.attributes["function"]))

    def call_site(self, op: Op, operands: list[Expression | Buffer]) -> Site:
        """Make a site for a call of Python."""
        site = Site(len(self.sites) + 1, _stored_exception, operands, op.location)
        self.sites.append(site)
        return site

    def host_value(self, op: Op) -> None:
        """Schedule a number that Python computes."""
        site = self.call_site(op, list(map(self.scalar, op.operands)))
        self.body.append(Upcall(site, op.attributes["function"], op.result))
        self.scalars[op.result] = Variable(op.result)

    def token(self, op: Op) -> None:
        """Schedule nothing: statements stand in program order."""

    # -- regions -----------------------------------------------------------------------------------------------

    @contextmanager
    def nested(self) -> Iterator[Body]:
        """Collect what is scheduled meanwhile into a body of its own, outside of which what it stores is not there."""
        outer, self.body = self.body, []
        arrays, scalars = dict(self.arrays), dict(self.scalars)
        yield self.body
        self.arrays |= arrays
        self.scalars |= scalars
        self.body = outer

    def cond(self, op: Op) -> None:
        """Schedule a branch."""
        test = self.scalar(op.operands[0])
        targets: dict[Value, Value | Buffer] = {}
        before = self.writes, self.effects
        bodies: list[Body] = []
        for region in op.regions:
            self.writes, self.effects = before
            with self.nested() as body:
                self.ops(region)
                if region.results is not None:
                    self.assign(self._cond_targets(op, targets), region.results)
            bodies.append(body)
        self.note_effects(op)
        for result in op.results:
            self._define_result(result, targets)
        for target in targets.values():
            if isinstance(target, Buffer):
                self._choose_layout(target, bodies)
        self.body.append(If(test, bodies[0], bodies[1], op.location))

    def _cond_targets(
        self, op: Op, targets: dict[Value, Value | Buffer]
    ) -> list[tuple[Value, Value | Buffer | None]]:
        pairs: list[tuple[Value, Value | Buffer | None]] = []
        for place, result in enumerate(op.results):
            if isinstance(result.type, TokenType):
                pairs.append((result, None))
            elif not is_array(result):
                pairs.append((result, targets.setdefault(result, result)))
            else:
                ways = [region.results[place] for region in op.regions if region.results is not None]
                origins = {self.memory.origin(way) for way in ways}
                known = next(iter(origins))
                if len(origins) == 1 and known in self.arrays and not _inside(known, op):
                    self.arrays[result] = self.arrays[known]
                    pairs.append((result, None))
                else:
                    pairs.append((result, targets.setdefault(result, self._alias(result))))
        return pairs

    def _alias(self, value: Value) -> Buffer:
        type_ = value.type
        assert isinstance(type_, ArrayType)
        return Buffer(value.name, type_.dtype, type_.dims, type_.order, source="alias")

    def _define_result(self, result: Value, targets: dict[Value, Value | Buffer]) -> None:
        target = targets.get(result)
        if isinstance(target, Buffer):
            self.arrays[result] = whole(target)
        elif target is not None:
            self.scalars[result] = Variable(target)

    def assign(self, targets: Sequence[tuple[Value, Value | Buffer | None]], values: Sequence[Value]) -> None:
        """Add the assignment of values to variables, all at once; those that are there already are left out."""
        pairs: list[tuple[Value | Buffer, Expression | Buffer]] = []
        for (_, target), value in zip(targets, values, strict=True):
            if target is None:
                continue
            if isinstance(target, Buffer):
                buffer = self.stored(value).buffer
                if buffer is not target:
                    pairs.append((target, buffer))
            else:
                expression = self.scalar(value)
                if expression != Variable(target):
                    pairs.append((target, expression))
        if pairs:
            self.body.append(Assign(pairs))

    def _choose_layout(self, target: Buffer, bodies: Sequence[Body]) -> None:
        """Give a variable that stands for several buffers the layout that they share."""
        sources = [
            s for body in bodies for st in body if isinstance(st, Assign) for t, s in st.pairs if t is target
        ]
        layouts = {source.layout for source in sources if isinstance(source, Buffer)}
        target.layout = layouts.pop() if len(layouts) == 1 else "A"

    def loop_targets(self, op: Op) -> list[tuple[Value, Value | Buffer | None]]:
        """Give what a loop carries its variables, with their initial values; return them."""
        carried, arguments = carried_of(op)
        targets: list[tuple[Value, Value | Buffer | None]] = []
        after = op.regions[-1].results or arguments
        for place, (initial, argument, next_) in enumerate(zip(carried, arguments, after, strict=True)):
            if isinstance(argument.type, TokenType):
                targets.append((argument, None))
            elif not is_array(argument):
                self.scalars[argument] = Variable(argument)
                targets.append((argument, argument))
            else:
                stored = self.stored(initial)
                if (op, place) in self.memory.copied_initial:
                    self.copies.append(op.location)
                    stored = self.store(argument, stored)
                if self.memory.threaded(next_, argument):
                    self.arrays[argument] = stored
                    targets.append((argument, None))
                else:
                    buffer = self._alias(argument)
                    buffer.layout = _meet(stored.buffer.layout, buffer.layout)
                    self.body.append(Assign([(buffer, stored.buffer)]))
                    self.arrays[argument] = whole(buffer)
                    targets.append((argument, buffer))
        self.assign([(a, t if isinstance(t, Value) else None) for a, t in targets], carried)
        return targets

    def _finish_loop(self, op: Op, targets: Sequence[tuple[Value, Value | Buffer | None]]) -> None:
        for result, (argument, _) in zip(op.results, targets, strict=True):
            if is_array(result):
                self.arrays[result] = self.arrays[argument]
            elif not isinstance(result.type, TokenType):
                self.scalars[result] = Variable(argument)
                if result in self._in_dims:
                    # Dims are printed with the values that they are over.
                    self.body.append(Let(result, Variable(argument)))
                    self.scalars[result] = Variable(result)

    def _until(self, op: Op, targets: Sequence[tuple[Value, Value | Buffer | None]]) -> Value | None:
        until = op.attributes["until"]
        return None if until is None else targets[until][0]

    def for_loop(self, op: Op) -> None:
        """Schedule a loop over a range."""
        (block,) = op.regions
        targets = self.loop_targets(op)
        index = block.arguments[0]
        self.scalars[index] = Variable(index)
        self.bounds.enter_block(op, block)
        self.note_effects(op)
        with self.nested() as body:
            self.ops(block)
            if block.results is not None:
                self.assign(targets, block.results)
        start, stop, step = map(self.scalar, op.operands[:3])
        self.body.append(For(index, start, stop, step, body, self._until(op, targets), op.location))
        self._finish_loop(op, targets)

    def while_loop(self, op: Op) -> None:
        """Schedule a loop on a test."""
        test, block = op.regions
        targets = self.loop_targets(op)
        self.note_effects(op)
        with self.nested() as head:
            self.ops(test)
            assert test.results is not None
            condition = self.scalar(test.results[0])
            # The body sees what the test computed.
            with self.nested() as ends:
                self.assign(targets, test.results[1:])
            with self.nested() as body:
                self.ops(block)
                if block.results is not None:
                    self.assign(targets, block.results)
        end = ends[0] if ends else Assign([])
        assert isinstance(end, Assign)
        self.body.append(While(head, condition, end, body, self._until(op, targets), op.location))
        self._finish_loop(op, targets)


class CannotDeoptimise(Exception):
    """The original would have to take over after an effect that cannot be undone."""

    def __init__(self, op: Op) -> None:
        super().__init__(op.attributes["reason"])
        self.op = op


def _is_copied_by_dot(operand: Operand) -> bool:
    """Whether NumPy's dot may copy an operand before it multiplies, where matmul would not."""
    view = operand.view
    backward = any(step < 0 for _, terms in view.axes for _, step in terms)
    return operand.buffer.layout == "A" or backward or (len(view.dims) > 1 and not view.is_identity)


def _overflow(*numbers: int) -> OverflowError:
    return OverflowError("a Python integer leaves the 64 bits that compiled code holds it in")


def _stored_exception(*values: Any) -> BaseException:
    raise AssertionError("the exception of a call of Python is kept by the call")


def _inside(value: Value, op: Op) -> bool:
    """Whether a value is made in a region of an op."""
    return any(
        value.block is region or any(value.block is r for inner in region.walk() for r in inner.regions)
        for region in op.regions
    )


def _meet(first: str, second: str) -> str:
    return first if first == second else "A"


def _attributes(op: Op, output: int) -> tuple[tuple[str, Any], ...]:
    attributes = tuple(sorted(op.attributes.items(), key=lambda item: item[0]))
    return (*attributes, ("output", output)) if len(op.results) > 1 else attributes


def _input_buffer(argument: Value, input_: Any) -> Buffer:
    type_ = argument.type
    assert isinstance(type_, ArrayType)
    buffer = Buffer(argument.name, type_.dtype, type_.dims, type_.order, source="input")
    if not input_.contiguous:
        buffer.layout = "A"
    return buffer


def _memory_order(target: Stored, rank: int) -> list[int]:
    """Return the axes of a target from slowest to fastest in its memory."""
    order = target.buffer.order or tuple(range(len(target.buffer.dims)))
    axes = [axis for base in order for axis, _ in target.view.axes[base][1]]
    return [*(axis for axis in range(rank) if axis not in axes), *axes]


def _reads_ahead(written: Element, read: Element, loops: Sequence[Value]) -> bool:
    """Whether an element is read before its turn to be written comes, in loops from the outermost in: then nothing of it is lost."""
    ahead: dict[Value, int] = {}
    for place, other in zip(written.indices, read.indices, strict=True):
        difference = other - place
        inside = [loop for loop in loops if isinstance(place, Dim) and loop in place.values()]
        if difference == 0:
            continue
        if not isinstance(difference, int) or len(inside) != 1:
            return False
        step = place.coefficient(inside[0])  # type: ignore[union-attr]
        if not isinstance(step, int) or inside[0] in ahead:
            return False
        ahead[inside[0]] = difference * step
    first = next((ahead[loop] for loop in loops if ahead.get(loop)), 0)
    return first > 0


def _count_uses(block: Block) -> dict[Value, int]:
    uses: dict[Value, int] = {}

    def count(inner: Block) -> None:
        for op in inner.ops:
            for operand in op.operands:
                # An operand of an array op is used once for each element.
                uses[operand] = uses.get(operand, 0) + (2 if op.result_is_array() or op.regions else 1)
            for region in op.regions:
                count(region)
        for value in inner.results or ():
            uses[value] = uses.get(value, 0) + 2

    count(block)
    for op in block.walk():
        for region in op.regions:
            for inner in region.walk():
                for operand in inner.operands:
                    if operand.block is not inner.block:
                        uses[operand] = uses.get(operand, 0) + 1
    return uses


def _values_in_dims(graph: Graph) -> set[Value]:
    found: set[Value] = set()
    for op in graph.block.walk():
        for dim in op.attribute_dims():
            found.update(values_of(dim))
        for result in op.results:
            for dim in dims_of(result.type):
                found.update(values_of(dim))
    return found


def _all_values(block: Block) -> Iterator[Value]:
    yield from block.arguments
    for op in block.ops:
        yield from op.results
        for region in op.regions:
            yield from _all_values(region)


_HANDLERS: dict[str, Callable[[Scheduler, Op], None]] = {
    "constant": Scheduler.constant,
    "view": Scheduler.view,
    "load": Scheduler.load,
    "update": Scheduler.update,
    "nonzero": Scheduler.nonzero,
    "gather": Scheduler.gather,
    "scatter": Scheduler.scatter,
    "reshape": Scheduler.reshape,
    "copy": Scheduler.copy,
    "reserve": Scheduler.reserve,
    "concatenate": Scheduler.concatenate,
    "table": Scheduler.table,
    "empty": Scheduler.empty,
    "fill": Scheduler.fill,
    "iota": Scheduler.iota,
    "reduce": Scheduler.reduce,
    "argreduce": Scheduler.argreduce,
    "matmul": Scheduler.matmul,
    "dot": Scheduler.matmul,
    "index": Scheduler.index,
    "deoptimise_if": Scheduler.deoptimise_if,
    "raise_if": Scheduler.raise_if,
    "raise": Scheduler.raise_,
    "host_call": Scheduler.host_call,
    "host_value": Scheduler.host_value,
    "token": Scheduler.token,
    "cond": Scheduler.cond,
    "while_loop": Scheduler.while_loop,
    "for_loop": Scheduler.for_loop,
}


def schedule(graph: Graph) -> Program:
    """Schedule a graph.

    Raises CannotDeoptimise where the original would have to take over after an effect that cannot be undone.
    """
    return Scheduler(graph).run()
