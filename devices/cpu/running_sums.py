"""Sums in the order of NumPy's pairwise summation that are added up a row at a time, between other things."""

from __future__ import annotations

from dataclasses import dataclass

from transpile.devices.loops.buffer import Buffer, Variable
from transpile.devices.loops.expression import Element, moved
from transpile.devices.loops.statement import Nest, SumBegin, SumEnd, SumRow
from transpile.runtime.graph.dim import Dim
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
            self.blocks.own(dtype, length)
            for dtype, length in (
                (statement.type.dtype, LENGTH),
                (statement.type.dtype, DEPTH),
                (INT.dtype, DEPTH),
            )
        )
        names = map(self.writer.new, ("first", "length", "depth", "filled", "top"))
        state = self.states[statement.state] = _State(
            block,
            self.blocks.name(stack),
            self.blocks.name(depths),
            self.scalars.dim(statement.count),
            *names,
        )
        self.writer.line(f"{state.first} = 0")
        self.writer.line(f"{state.filled} = 0")
        self.writer.line(f"{state.top} = 0")
        self.segment(state)

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
        writer.line(f"{begun} = 0")
        with writer.block(f"while {begun} < {self.scalars.dim(extent)}:"):
            left = f"{state.length} - {state.filled}"
            writer.line(f"{count} = min({left}, {self.scalars.dim(extent)} - {begun})")
            within = Value(INT, index.name)
            place = Dim.of_value(at) + Dim.of_value(within)
            expression = moved(
                statement.expression, lambda value: place if value is index else Dim.of_value(value)
            )
            target = Element(
                state.block, (Dim.of_value(filled) + Dim.of_value(within),), statement.expression.type
            )
            self.blocks.nest(Nest([(within, Dim.of_value(many))], target, expression))
            writer.line(f"{begun} += {count}")
            writer.line(f"{state.filled} += {count}")
            with writer.block(f"if {state.filled} == {state.length}:"):
                push = writer.use("pairwise_push", pairwise.pairwise_push)
                add = writer.use("pairwise_sum", pairwise.pairwise_sum)
                found = f"{add}({self.blocks.name(state.block)}, 0, {state.length})"
                writer.line(
                    f"{state.top} = {push}({state.stack}, {state.depths}, {state.top}, {found}, {state.depth})"
                )
                writer.line(f"{state.filled} = 0")
                writer.line(f"{state.first} += {state.length}")
                with writer.block(f"if {state.first} < {state.count}:"):
                    self.segment(state)

    def end(self, statement: SumEnd) -> None:
        """Print the end of a sum: NumPy adds the run to nothing."""
        state = self.states[statement.state]
        name = self.scalars.variable(statement.target)
        type_ = Variable(statement.target).type
        self.writer.line(f"{name} = {self.scalars.constant(type_.dtype.type(0), type_)}")
        with self.writer.block(f"if {state.top} > 0:"):
            self.writer.line(f"{name} = {name} + {state.stack}[0]")
