"""Sums in the order of NumPy's pairwise summation (docs/reductions.md, section 1)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

import numpy as np

from transpile.devices.loops.buffer import Variable
from transpile.devices.loops.expression import Apply
from transpile.devices.loops.nests import Loop
from transpile.devices.loops.statement import Reduction
from transpile.devices.loops.windows import BUFFER
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, ScalarType
from transpile.runtime.ops.table import TABLE

from . import floats, inner_loops, pairwise
from .blocks import LENGTH, Blocks, Run
from .halves import HALF
from .scalars import Scalars
from .writer import Writer

# Fewer floats than these pairwise summation adds up one after the other.
_SEQUENTIAL = 8
# The sums of segments that wait for others: no run is halved more often.
DEPTH = 64


# What prints a sum, and the length from which on it does not, if any.
Way = tuple[int | None, Callable[[], None]]


class Sums:
    """Prints sums, by what reductions share."""

    def __init__(self, writer: Writer, scalars: Scalars, blocks: Blocks) -> None:
        self.writer = writer
        self.scalars = scalars
        self.blocks = blocks

    def step(self, statement: Reduction, result: str) -> str:
        """Return the text of the ufunc of a result so far and an element."""
        type_ = statement.expression.type
        if statement.free:
            return f"{self.scalars.use(floats.free_add)}({result}, {self.scalars.text(statement.expression)})"
        return self.scalars.text(
            Apply(statement.ufunc, (Variable(self.named(result, type_)), statement.expression), type_)
        )

    def named(self, name: str, type_: ScalarType = INT) -> Value:
        """Return a value that stands for a variable of the text."""
        value = Value(type_, name)
        self.writer.assign_name(value, name)
        return value

    def single(self, statement: Reduction, line: Run) -> str:
        """Return the name of memory for one result."""
        return self.blocks.name(self.blocks.block(statement.expression.type.dtype, line.taken, 1))

    def call(self, statement: Reduction, single: str, count: str, operand: str) -> None:
        """Print a call of the inner loop with one result, which is also its first operand."""
        character = statement.expression.type.dtype.char
        loop = inner_loops.loop(TABLE[statement.ufunc].numpy, f"{character}{character}->{character}")
        function = self.writer.use(f"np_{statement.ufunc}_{character}{character}_{character}", loop)
        self.writer.line(f"{function}({count}, {single}, 0, 0, {operand}, {single}, 0, 0)")

    def in_buffers(self, statement: Reduction, result: str, run: Loop) -> None:
        """Print the reduction of elements that NumPy converts, as many at a time as it does."""
        line = Run(self.blocks, *run)
        dtype, count = statement.expression.type.dtype, self.scalars.variable(line.count)
        if is_summed(statement):
            line.prepare([statement.expression])
            with line.blocks(BUFFER):
                self.writer.line(
                    f"{result} = {result} + {self.sum(self.computed(statement, line), '0', count)}"
                )
            return
        single = self.single(statement, line)
        line.prepare([statement.expression])
        self.writer.line(f"{single}[0] = {self.scalars.stored(result, dtype)}")
        with line.blocks(BUFFER):
            line.compute(statement.expression)
            self.call(statement, single, count, line.operand(statement.expression))
        self.writer.line(f"{result} = {self.scalars.loaded(f'{single}[0]', dtype)}")

    def sum(self, array: str, offset: str, count: str) -> str:
        """Return the text of the pairwise sum of floats that lie in memory, one behind the other."""
        return f"{self.writer.use('pairwise_sum', pairwise.pairwise_sum)}({array}, {offset}, {count})"

    def computed(self, statement: Reduction, line: Run) -> str:
        """Print the elements of a block; return the name of the memory that holds them."""
        line.compute(statement.expression)
        line.operand(statement.expression)
        return self.blocks.name(line.done[statement.expression])

    def pairwise(self, statement: Reduction, result: str, run: Loop) -> None:
        """Print the sum of computed elements in the order of NumPy's pairwise summation."""
        line = Run(self.blocks, *run)
        line.prepare([statement.expression])
        self.by_length(
            run[1],
            [
                (self.few(statement), lambda: self.one_by_one(statement, result, run)),
                (self.some(statement), lambda: self.in_one_block(statement, result, run, line)),
                (None, lambda: self.by_segments(statement, result, run, line)),
            ],
        )

    def few(self, statement: Reduction) -> int:
        """Return how many elements are too many to be added up one after the other."""
        if self.blocks.calls(statement.expression):
            return 0
        return _SEQUENTIAL if statement.expression.type.dtype.kind == "f" else _SEQUENTIAL // 2

    def some(self, statement: Reduction) -> int:
        """Return how many elements are too many to be added up as one block."""
        return pairwise.LEAF + 1 if statement.expression.type.dtype.kind == "f" else 0

    def by_length(self, length: DimLike, ways: list[Way]) -> None:
        """Print the first of several ways whose limit a length is below; the last has none."""
        ways = [way for way in ways if way[0] != 0]
        if isinstance(length, int):
            next(way for limit, way in ways if limit is None or length < limit)()
            return
        for place, (limit, way) in enumerate(ways):
            header = "el" * (place > 0) + f"if {self.scalars.dim(length)} < {limit}:" if limit else "else:"
            if len(ways) == 1:
                way()
            else:
                with self.writer.block(header):
                    way()

    def in_one_block(self, statement: Reduction, result: str, run: Loop, line: Run) -> None:
        """Print the sum of elements that one block holds."""
        taken = set(line.taken)
        self.writer.line(f"{self.scalars.variable(line.first)} = 0")
        self.writer.line(f"{self.scalars.variable(line.count)} = {self.scalars.dim(run[1])}")
        block = self.computed(statement, line)
        self.writer.line(f"{result} = {result} + {self.sum(block, '0', self.scalars.variable(line.count))}")
        line.done, line.taken = {}, taken

    def one_by_one(self, statement: Reduction, result: str, run: Loop) -> None:
        """Print the sum of few elements, which pairwise summation adds up in turn."""
        part = self.writer.new("part")
        self.writer.line(f"{part} = {self.nothing(statement)}")
        with ExitStack() as stack:
            self.blocks.loops(stack, [run])
            self.writer.line(f"{part} = {self.step(statement, part)}")
        self.writer.line(f"{result} = {result} + {part}")

    def nothing(self, statement: Reduction) -> str:
        """Return the text of the number that changes no other one when it is added."""
        dtype = statement.expression.type.dtype
        zero = complex(-0.0, -0.0) if dtype.kind == "c" else -0.0
        return self.scalars.constant(dtype.type(zero), ScalarType(dtype))

    def by_segments(self, statement: Reduction, result: str, run: Loop, line: Run) -> None:
        """Print the sum of any number of elements, segment by segment."""
        dtype = statement.expression.type.dtype
        stack = self.blocks.name(self.blocks.block(dtype, line.taken, DEPTH))
        depths = self.blocks.name(self.blocks.block(np.dtype(np.int64), line.taken, DEPTH))
        segment = pairwise.pairwise_segment_complex if dtype.kind == "c" else pairwise.pairwise_segment
        segment_name = self.writer.use(
            "pairwise_segment_complex" if dtype.kind == "c" else "pairwise_segment", segment
        )
        extent, first, count = (
            self.scalars.dim(run[1]),
            self.scalars.variable(line.first),
            self.scalars.variable(line.count),
        )
        depth, top = self.writer.new("depth"), self.writer.new("top")
        self.writer.line(f"{first} = 0")
        self.writer.line(f"{top} = 0")
        with self.writer.block(f"while {first} < {extent}:"):
            self.writer.line(f"{count}, {depth} = {segment_name}({extent}, {first}, {LENGTH})")
            found = self.segment(statement, line)
            push = self.writer.use("pairwise_push", pairwise.pairwise_push)
            self.writer.line(f"{top} = {push}({stack}, {depths}, {top}, {found}, {depth})")
            self.writer.line(f"{first} += {count}")
        with self.writer.block(f"if {top} > 0:"):
            self.writer.line(f"{result} = {result} + {stack}[0]")

    def segment(self, statement: Reduction, line: Run) -> str:
        """Print the elements of a segment; return the text of their sum."""
        block, count = self.computed(statement, line), self.scalars.variable(line.count)
        if is_summed(statement):
            return self.sum(block, "0", count)
        single = self.single(statement, line)
        self.writer.line(f"{single}[0] = {self.nothing(statement)}")
        self.call(statement, single, count, f"{block}, 0, {statement.expression.type.dtype.itemsize}")
        return f"{single}[0]"


def is_summed(statement: Reduction) -> bool:
    """Whether a reduction adds up floats that NumPy adds as they are."""
    dtype = statement.expression.type.dtype
    return statement.ufunc == "add" and dtype.kind == "f" and dtype != HALF
