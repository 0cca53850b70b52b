"""Sums in the order of NumPy's pairwise summation that are added up a row at a time, between other things."""

from __future__ import annotations

from dataclasses import dataclass

from transpile.devices.loops.buffer import Buffer, Variable
from transpile.devices.loops.expression import Element, moved
from transpile.devices.loops.statement import Nest, SumBegin, SumEnd, SumRow
from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT

from . import pairwise
from .blocks import LENGTH, Blocks
from .scalars import Scalars
from .sums import DEPTH
from .writer import Writer

# Note [Running sums]
# Where segments of a pairwise sum end is told by how many elements there are in all, not by rows: see Note [Pairwise sums]. So the elements of a segment lie in a block, which
# one row goes on to fill where the one before has ended; a segment that is full is added up, and put onto the stack.
#
# Of several sums, one for each turn of a loop, each has a part of the blocks and of the stack, and the numbers that tell how far it is lie in memory from one row to the next. Below each part of
# the stack lies a level that no segment has.


@dataclass
class _State:
    """How far a sum is: names of variables, the block of the segment, and the stack of those that wait for others."""

    block: Buffer
    stack: str
    depths: str
    count: str
    first: str
    length: str
    depth: str
    filled: str
    top: str
    # Where there are several sums: which one it is, and where the numbers lie.
    turn: Value | None = None
    kept: str = ""

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of the numbers that tell how far a sum is."""
        return self.first, self.length, self.depth, self.filled, self.top


class RunningSums:
    """Prints sums over rows."""

    def __init__(self, writer: Writer, scalars: Scalars, blocks: Blocks) -> None:
        self.writer = writer
        self.scalars = scalars
        self.blocks = blocks
        self.states: dict[Value, _State] = {}

    def begin(self, statement: SumBegin) -> None:
        """Print the beginning of a sum."""
        block, stack, depths = (
            self.blocks.own(dtype, length * statement.turns)
            for dtype, length in (
                (statement.type.dtype, LENGTH),
                (statement.type.dtype, DEPTH),
                (INT.dtype, DEPTH),
            )
        )
        state = self.states[statement.state] = _State(
            block,
            self.blocks.name(stack),
            self.blocks.name(depths),
            self.scalars.dim(statement.count),
            first=self.writer.new("first"),
            length=self.writer.new("length"),
            depth=self.writer.new("depth"),
            filled=self.writer.new("filled"),
            top=self.writer.new("top"),
        )
        if statement.turn is not None:
            state.turn = statement.turn
            state.kept = self.blocks.name(self.blocks.own(INT.dtype, len(state.numbers) * statement.turns))
        bottom = self.bottom(state)
        self.writer.line(f"{state.first} = 0")
        self.writer.line(f"{state.filled} = 0")
        self.writer.line(f"{state.top} = {bottom}")
        if state.turn is not None:
            self.writer.line(f"{state.depths}[{bottom} - 1] = -1")
        self.segment(state)
        self.keep(state)

    def bottom(self, state: _State) -> str:
        """Return where on the stack the first segment of a sum lies."""
        return "0" if state.turn is None else self.scalars.dim(Dim.of_value(state.turn) * DEPTH + 1)

    def kept(self, state: _State) -> list[tuple[str, str]]:
        """Return the numbers of a sum that are kept from one row to the next, each with where it lies."""
        if state.turn is None:
            return []
        places = (Dim.of_value(state.turn) * len(state.numbers) + at for at in range(len(state.numbers)))
        return [
            (name, f"{state.kept}[{self.scalars.dim(place)}]") for name, place in zip(state.numbers, places)
        ]

    def keep(self, state: _State) -> None:
        """Print what keeps the numbers of a sum."""
        for name, place in self.kept(state):
            self.writer.line(f"{place} = {name}")

    def find(self, state: _State) -> None:
        """Print what finds the numbers of a sum."""
        for name, place in self.kept(state):
            self.writer.line(f"{name} = {place}")

    def segment(self, state: _State) -> None:
        """Print what finds the next segment."""
        segment = self.writer.use("pairwise_segment", pairwise.pairwise_segment)
        self.writer.line(f"{state.length}, {state.depth} = {segment}({state.count}, {state.first}, {LENGTH})")

    def row(self, statement: SumRow) -> None:
        """Print what adds up a row."""
        state, writer = self.states[statement.state], self.writer
        index, extent = statement.index
        at, many, filled = (Value(INT, name) for name in ("at", "many", state.filled))
        begun, count = (writer.name(value, value.name) for value in (at, many))
        writer.assign_name(filled, state.filled)
        own: DimLike = 0 if state.turn is None else Dim.of_value(state.turn) * LENGTH
        self.find(state)
        writer.line(f"{begun} = 0")
        with writer.block(f"while {begun} < {self.scalars.dim(extent)}:"):
            left = f"{state.length} - {state.filled}"
            writer.line(f"{count} = min({left}, {self.scalars.dim(extent)} - {begun})")
            within = Value(INT, index.name)
            place = Dim.of_value(at) + Dim.of_value(within)
            expression = moved(
                statement.expression, lambda value: place if value is index else Dim.of_value(value)
            )
            to = own + Dim.of_value(filled) + Dim.of_value(within)
            target = Element(state.block, (to,), statement.expression.type)
            self.blocks.nest(Nest([(within, Dim.of_value(many))], target, expression))
            writer.line(f"{begun} += {count}")
            writer.line(f"{state.filled} += {count}")
            with writer.block(f"if {state.filled} == {state.length}:"):
                push = writer.use("pairwise_push", pairwise.pairwise_push)
                add = writer.use("pairwise_sum", pairwise.pairwise_sum)
                offset = self.scalars.dim(own * state.block.dtype.itemsize)
                found = f"{add}({self.blocks.name(state.block)}, {offset}, {state.length})"
                writer.line(
                    f"{state.top} = {push}({state.stack}, {state.depths}, {state.top}, {found}, {state.depth})"
                )
                writer.line(f"{state.filled} = 0")
                writer.line(f"{state.first} += {state.length}")
                with writer.block(f"if {state.first} < {state.count}:"):
                    self.segment(state)
        self.keep(state)

    def end(self, statement: SumEnd) -> None:
        """Print the end of a sum: NumPy adds the run to nothing."""
        state = self.states[statement.state]
        name = self.scalars.variable(statement.target)
        type_ = Variable(statement.target).type
        self.writer.line(f"{name} = {self.scalars.constant(type_.dtype.type(0), type_)}")
        self.find(state)
        bottom = self.bottom(state)
        with self.writer.block(f"if {state.top} > {bottom}:"):
            self.writer.line(f"{name} = {name} + {state.stack}[{bottom}]")
