"""The scheduler: what is known while a graph is turned into statements of loop nests, library calls, branches and loops."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from transpile.runtime.errors import DeviceError
from transpile.runtime.graph.bounds import Bounds, dim_of
from transpile.runtime.graph.dim import Dim, DimLike, values_of
from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import INT, ArrayType, ScalarType, dims_of
from transpile.runtime.ops.scalars import outgrown
from transpile.runtime.ops.table import TABLE
from transpile.runtime.views.view import View

from .counters import Counters
from .exits import Exits
from .expression import (
    Apply,
    Buffer,
    Constant,
    Element,
    Expression,
    IndexFunction,
    Indices,
    Variable,
    elements,
)
from .low_bits import LowBits
from .memory import is_array
from .plan_memory import plan_memory
from .statement import (
    Allocate,
    Body,
    CheckedLet,
    Let,
    Nest,
    Program,
)
from .uses import all_values, count_uses, values_in_dims

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


# What schedules an op, by the op's name; ops on elements need none.
LOWERINGS: dict[str, Callable[[Scheduler, Op], None]] = {}

Lowering = TypeVar("Lowering", bound="Callable[[Scheduler, Op], None]")


def lowers(*names: str) -> Callable[[Lowering], Lowering]:
    """Declare what schedules the ops of these names."""

    def declare(lowering: Lowering) -> Lowering:
        LOWERINGS.update(dict.fromkeys(names, lowering))
        return lowering

    return declare


class Scheduler:
    """Schedules one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.memory = plan_memory(graph)
        self.counters = Counters(graph)
        self.low_bits = LowBits(graph)
        self.bounds = Bounds(
            graph.assumptions,
            (a for a, i in zip(graph.block.arguments, graph.inputs, strict=True) if i.source == "dim"),
        )
        self.arrays: dict[Value, Array] = {}
        self.scalars: dict[Value, Expression] = {}
        self.outputs: list[Buffer] = []
        self.copies: list[Any] = []
        self.body: Body = []
        self.exits = Exits(self)
        self._uses = count_uses(graph.block)
        self._in_dims = values_in_dims(graph)
        self._names = {value.name for value in all_values(graph.block)}
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
        buffer = Buffer(name or value.name, type_.dtype, type_.dims, type_.order, value=value)
        if value not in self._homes or value.block is not self.graph.block or value.op is None:
            self.body.append(Allocate(buffer))
        elif all(map(self._of_arguments, type_.dims)):
            buffer.source = "output"
            self.outputs.append(buffer)
        else:
            buffer.source = "result"
            self.body.append(Allocate(buffer))
        return buffer

    def is_only_returned(self, value: Value) -> bool:
        """Whether the one use of a value is as a result of a block."""
        return self._uses.get(value) == 2 and value in (self.graph.block.results or ())

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
        exits = self.exits
        heeds, saved, reporter = exits.end()
        return Program(
            graph.name,
            graph,
            inputs,
            self.outputs,
            self.body,
            results,
            exits.sites,
            self.copies,
            set(graph.written),
            saved,
            noted=exits.noted,
            heeds=heeds,
            reporter=reporter,
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

    def copy(self, value: Value) -> Stored:
        """Compute an array into a buffer for one use; the array itself stays where it is, and is written there."""
        array = self.arrays[value]
        copy = self.store(value, array)
        self.arrays[value] = array
        return copy

    def nest(
        self, target: Stored, at: Callable[[Indices], Expression], dims: Sequence[DimLike], location: Any = ()
    ) -> None:
        """Add loops that store an element for every index."""
        loops = self.indices(dims)
        places = tuple(Dim.of_value(index) if dim != 1 else 0 for index, dim in loops)
        element = target.at(places)
        assert isinstance(element, Element)
        axes = memory_order(target, len(dims))
        self.body.append(
            Nest([loops[axis] for axis in axes if loops[axis][1] != 1], element, at(places), location)
        )

    # -- ops ---------------------------------------------------------------------------------------------------

    def ops(self, block: Block) -> None:
        """Schedule the ops of a block, in program order."""
        for op in block.ops:
            handler = LOWERINGS.get(op.name)
            if handler is not None:
                handler(self, op)
            elif TABLE[op.name].family in ("elementwise", "scalar"):
                self.elementwise(op)
            else:
                raise DeviceError("D100-op", f"{op.name} is not scheduled", location=op.location)
            self.exits.note_effects(op)

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
            if type_ == INT and self.low_bits.wraps(op):
                self.let(result, replace(expression, attributes=(("wraps", True),)))
            elif type_ == INT and op.name in _CHECKED and not self.fits(op, result):
                site = self.exits.way_out(op, "an integer leaves 64 bits", exception=outgrown(op.location))
                self.body.append(CheckedLet(result, expression, site))
                self.scalars[result] = Variable(result)
            elif type_ == INT and op.name == "remainder" and self.bounds.is_near(op):
                self.let(result, replace(expression, attributes=(("near", True),)))
            else:
                self.let(result, expression)

    def fits(self, op: Op, result: Value) -> bool:
        """Whether a Python integer is proved to stay within 64 bits."""
        dim = dim_of(result)
        if op.name == "floor_divide" and self.bounds.extreme(op.operands[1], upper=False) >= 0:
            return True
        if op.name == "left_shift":
            number, places = op.operands
            ends = [abs(self.bounds.extreme(number, upper)) for upper in (False, True)]
            least, most = (self.bounds.extreme(places, upper) for upper in (False, True))
            return least >= 0 and most < 63 and max(ends) << most <= _LARGEST
        if op.name in ("floor_divide", "absolute", "negative"):
            # Only the most negative number has no counterpart.
            return self.bounds.nonnegative(dim_of(op.operands[0]) + (_LARGEST - 1))
        proved = self.bounds.nonnegative(_LARGEST - dim) and self.bounds.nonnegative(dim + _LARGEST)
        return proved or self.counters.counts(result)

    def result_target(self, op: Op) -> Buffer | Value:
        """Return where a reduction puts its result."""
        result = op.result
        if not is_array(result):
            self.scalars[result] = Variable(result)
            return result
        stored = whole(self.allocate(result))
        self.arrays[result] = stored
        return stored.buffer

    @contextmanager
    def nested(self) -> Iterator[Body]:
        """Collect what is scheduled meanwhile into a body of its own, outside of which what it stores is not there."""
        outer, self.body = self.body, []
        arrays, scalars = dict(self.arrays), dict(self.scalars)
        yield self.body
        self.arrays |= arrays
        self.scalars |= scalars
        self.body = outer

    def alias(self, value: Value) -> Buffer:
        type_ = value.type
        assert isinstance(type_, ArrayType)
        return Buffer(value.name, type_.dtype, type_.dims, type_.order, source="alias", value=value)


def _attributes(op: Op, output: int) -> tuple[tuple[str, Any], ...]:
    attributes = tuple(sorted(op.attributes.items(), key=lambda item: item[0]))
    return (*attributes, ("output", output)) if len(op.results) > 1 else attributes


def _input_buffer(argument: Value, input_: Any) -> Buffer:
    type_ = argument.type
    assert isinstance(type_, ArrayType)
    buffer = Buffer(argument.name, type_.dtype, type_.dims, type_.order, source="input", value=argument)
    if not input_.contiguous:
        buffer.layout = "A"
    return buffer


def memory_order(target: Stored, rank: int) -> list[int]:
    """Return the axes of a target from slowest to fastest in its memory."""
    order = target.buffer.order or tuple(range(len(target.buffer.dims)))
    # A diagonal moves along several axes at once.
    axes = dict.fromkeys(axis for base in order for axis, _ in target.view.axes[base][1])
    return [*(axis for axis in range(rank) if axis not in axes), *axes]
