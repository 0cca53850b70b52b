"""What stands for the values of a graph in its schedule: arrays in memory, or computed where they are used; expressions and variables."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from transpile.runtime.graph.dim import Dim, DimLike, values_of
from transpile.runtime.graph.ir import Graph, Value
from transpile.runtime.graph.types import INT, ArrayType, ScalarType, dims_of
from transpile.runtime.views.view import View

from .buffer import Buffer, Variable
from .expression import Constant, Element, Expression, IndexFunction, Indices, elements
from .memory import is_array
from .plan_memory import plan_memory
from .statement import Allocate, Body, Let, Nest
from .uses import DEEPEST, all_values, count_uses, values_in_dims


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


class Values:
    """What stands for each value of a graph, and the statements that have computed it so far."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.memory = plan_memory(graph)
        self.arrays: dict[Value, Array] = {}
        self.scalars: dict[Value, Expression] = {}
        self.outputs: list[Buffer] = []
        self.body: Body = []
        self._uses = count_uses(graph.block)
        # How deep the expressions of scalars are that are no variables.
        self._depths: dict[Value, int] = {}
        self._in_dims = values_in_dims(graph)
        self._names = {value.name for value in all_values(graph.block)}
        # From which number on a name may be new.
        self._numbers: dict[str, int] = {}
        # The arrays whose memory is handed out: the caller makes it where it can tell the size, or when the size is known.
        self._homes = {self.memory.home(value) for value in graph.block.results or () if is_array(value)}

    # -- names, buffers ----------------------------------------------------------------------------------------

    def name(self, hint: str) -> str:
        """Return a new name."""
        hint = hint or "t"
        name = hint
        for number in itertools.count(self._numbers.get(hint, 1)):
            if name not in self._names:
                break
            name = f"{hint}_{number}"
            self._numbers[hint] = number
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
        if not self.is_handed_out(value):
            self.body.append(Allocate(buffer))
        elif all(map(self._of_arguments, type_.dims)):
            buffer.source = "output"
            self.outputs.append(buffer)
        else:
            buffer.source = "result"
            self.body.append(Allocate(buffer))
        return buffer

    def is_handed_out(self, value: Value) -> bool:
        """Whether an array lies in memory that the caller makes."""
        return value in self._homes and value.block is self.graph.block and value.op is not None

    def is_only_returned(self, value: Value) -> bool:
        """Whether the one use of a value is as a result of a block."""
        return self._uses.get(value) == 2 and value in (self.graph.block.results or ())

    def _of_arguments(self, dim: DimLike) -> bool:
        return all(value.owner is self.graph.block for value in values_of(dim))

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
        operands = value.op.operands if value.op is not None else ()
        depth = 1 + max((self._depths.get(operand, 0) for operand in operands), default=0)
        single = self._uses.get(value, 0) <= 1 and value not in self._in_dims and depth <= DEEPEST
        if isinstance(expression, (Constant, Variable)) or (single and not elements(expression)):
            self.scalars[value] = expression
            self._depths[value] = depth
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

    def is_aligned(self, value: Value) -> bool:
        """Whether an array is computed, or lies at addresses that fit its dtype."""
        array = self.arrays[value]
        return not isinstance(array, Stored) or array.buffer.aligned

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

    def alias(self, value: Value) -> Buffer:
        """Return a variable for arrays that lie elsewhere."""
        type_ = value.type
        assert isinstance(type_, ArrayType)
        return Buffer(value.name, type_.dtype, type_.dims, type_.order, source="alias", value=value)

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

    # -- bodies ------------------------------------------------------------------------------------------------

    @contextmanager
    def nested(self) -> Iterator[Body]:
        """Collect what is scheduled meanwhile into a body of its own, outside of which what it stores is not there."""
        outer, self.body = self.body, []
        arrays, scalars = dict(self.arrays), dict(self.scalars)
        yield self.body
        self.arrays |= arrays
        self.scalars |= scalars
        self.body = outer


def memory_order(target: Stored, rank: int) -> list[int]:
    """Return the axes of a target from slowest to fastest in its memory."""
    order = target.buffer.order or tuple(range(len(target.buffer.dims)))
    # A diagonal moves along several axes at once.
    axes = dict.fromkeys(axis for base in order for axis, _ in target.view.axes[base][1])
    return [*(axis for axis in range(rank) if axis not in axes), *axes]
