"""Reductions as loops, in the order in which NumPy combines the elements (docs/reductions.md)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import numpy as np

from transpile.devices.loops.expression import Apply, Element, Expression, moved
from transpile.devices.loops.nests import Loop
from transpile.devices.loops.statement import Nest, Reduction
from transpile.runtime.graph.dim import Dim, product
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import BOOL, ScalarType
from transpile.runtime.ops.table import TABLE

from . import integers
from .blocks import Run
from .halves import HALF
from .sums import Sums, Way, is_summed

# How many elements are looked at, for one that decides, before it is asked whether there is one; and how many are counted in 16 bits.
_PIECE, _COUNTED = 1024, 1 << 15


class Reductions(Sums):
    """Prints reductions."""

    def reduction(self, statement: Reduction) -> None:
        """Print a reduction: by rows of results where the result varies fastest, else one result after the other."""
        loops, reduced = statement.loops, statement.reduced
        if loops and loops[-1][0] not in reduced:
            self.across_rows(statement)
            return
        first = len(loops) - statement.run
        around, run = loops[:first], loops[first:]
        kept = [loop for loop in around if loop[0] not in reduced]
        with ExitStack() as stack:
            self.blocks.loops(stack, kept, statement.spread)
            result = self.writer.new("result")
            self.writer.line(f"{result} = {self.start(statement)}")
            with ExitStack() as inner:
                self.blocks.loops(inner, [loop for loop in around if loop[0] in reduced])
                self.run(statement, result, run)
            self.hand_over(statement.target, result)

    def start(self, statement: Reduction) -> str:
        """Return the text of what a reduction starts from: the identity, or the first element."""
        type_ = statement.expression.type
        if statement.ufunc.startswith("logical"):
            return str(statement.ufunc == "logical_and")
        identity = TABLE[statement.ufunc].numpy.identity
        if identity is not None:
            return self.scalars.constant(np.array(identity).astype(type_.dtype)[()], ScalarType(type_.dtype))
        return self.scalars.text(
            moved(statement.expression, lambda v: 0 if v in statement.reduced else Dim.of_value(v))
        )

    def hand_over(self, target: Element | Value, result: str) -> None:
        """Print the storing of a result."""
        if isinstance(target, Value):
            self.writer.line(f"{self.scalars.variable(target)} = {result}")
        else:
            self.writer.line(
                f"{self.scalars.element(target)} = {self.scalars.stored(result, target.type.dtype)}"
            )

    # -- one result --------------------------------------------------------------------------------------------

    def run(self, statement: Reduction, result: str, run: list[Loop]) -> None:
        """Print the reduction of one run."""
        dtype = statement.expression.type.dtype
        if statement.ufunc.startswith("logical"):
            self.logical(statement, result, run)
        elif run and is_count(statement):
            self.count(statement, result, run)
        elif (statement.free or dtype.kind not in "fc") and run and self.blocks.calls(statement.expression):
            self.by_loops_in_blocks(statement, result, run)
        elif (
            run
            and statement.buffered
            and not statement.free
            and (statement.ufunc == "add" or dtype == HALF)
            and dtype.kind in "fc"
        ):
            self.in_buffers(statement, result, run[0])
        elif run and dtype == HALF and isinstance(statement.expression, Element):
            self.by_one_call(statement, result, run)
        elif statement.free or not run or dtype.kind not in "fc" or statement.ufunc == "multiply":
            with ExitStack() as stack:
                self.blocks.loops(stack, run)
                self.writer.line(f"{result} = {self.step(statement, result)}")
        elif isinstance(statement.expression, Element):
            self.by_one_call(statement, result, run)
        elif statement.ufunc == "add":
            self.pairwise(statement, result, run[0])
        else:
            self.by_blocks(statement, result, run[0])

    def one_step(self, statement: Reduction, result: str) -> str:
        """Return the text of a result so far combined with an element, whether or not it is decided already."""
        if not statement.ufunc.startswith("logical"):
            return self.step(statement, result)
        sign = "|" if statement.ufunc == "logical_or" else "&"
        return f"{result} {sign} ({self.truth(statement.expression, True)})"

    def logical(self, statement: Reduction, result: str, run: list[Loop]) -> None:
        """Print any or all: an element that decides, or a piece of elements with one, ends the innermost loop."""
        ends = statement.ufunc == "logical_or"
        if run and not isinstance(run[-1][1], int) and not self.blocks.calls(statement.expression):
            self.logical_by_pieces(statement, result, run, ends)
            return
        with ExitStack() as stack:
            self.blocks.loops(stack, run)
            with self.writer.block(f"if {self.truth(statement.expression, ends)}:"):
                self.writer.line(f"{result} = {ends}")
                if run:
                    self.writer.line("break")

    def logical_by_pieces(self, statement: Reduction, result: str, run: list[Loop], ends: bool) -> None:
        """Print any or all of many elements: pieces of them become vector code."""
        with ExitStack() as stack:
            self.blocks.loops(stack, run[:-1])
            part = self.writer.new("part")
            with self.pieces(run[-1], _PIECE) as inside:
                self.writer.line(f"{part} = False")
                with self.writer.block(inside):
                    self.writer.line(f"{part} = {part} | ({self.truth(statement.expression, ends)})")
                with self.writer.block(f"if {part}:"):
                    self.writer.line(f"{result} = {ends}")
                    self.writer.line("break")

    def count(self, statement: Reduction, result: str, run: list[Loop]) -> None:
        """Print the sum of truth values: those of a piece are counted in 16 bits, of which a vector holds more."""
        assert isinstance(statement.expression, Apply)
        (truth,) = statement.expression.operands
        short, long = (
            self.scalars.dtype(np.dtype(np.uint16)),
            self.scalars.dtype(statement.expression.type.dtype),
        )
        with ExitStack() as stack:
            self.blocks.loops(stack, run[:-1])
            part, counted = self.writer.new("part"), self.scalars.use(integers.counted)
            with self.pieces(run[-1], _COUNTED) as inside:
                self.writer.line(f"{part} = {short}(0)")
                with self.writer.block(inside):
                    self.writer.line(f"{part} = {counted}({part}, {self.scalars.text(truth)})")
                self.writer.line(f"{result} = {result} + {long}({part})")

    @contextmanager
    def pieces(self, loop: Loop, length: int) -> Iterator[str]:
        """Open a loop over pieces of a loop, and give the header of the loop over one."""
        index, extent = loop[0], self.scalars.dim(loop[1])
        first, stop = self.writer.new("first"), self.writer.new("stop")
        with self.writer.block(f"for {first} in range(0, {extent}, {length}):"):
            self.writer.line(f"{stop} = min({first} + {length}, {extent})")
            yield f"for {self.blocks.index(index)} in range({first}, {stop}):"

    def truth(self, expression: Expression, wanted: bool) -> str:
        """Return the text of the test of an element being true, or being false."""
        inner = self.scalars.inner(expression)
        if expression.type.dtype == BOOL:
            return inner if wanted else f"not {inner}"
        return f"{inner} {'!=' if wanted else '=='} {self.scalars.constant(expression.type.dtype.type(0), expression.type)}"

    def by_one_call(self, statement: Reduction, result: str, run: list[Loop]) -> None:
        """Print the reduction of elements in memory: the inner loop takes them all at once, as NumPy has it do."""
        element = statement.expression
        assert isinstance(element, Element)
        dtype = element.type.dtype
        line = Run(self.blocks, *run[-1])
        self.writer.assign_name(line.first, "0")
        outer = {index for index, _ in run[:-1]}
        start = moved(element, lambda v: 0 if v in outer else Dim.of_value(v))
        assert isinstance(start, Element)
        count = self.scalars.dim(product(tuple(dim for _, dim in run)))
        array, offset, step = line.place(start)
        is_packed = step == str(dtype.itemsize) and element.buffer.dtype == dtype and element.buffer.aligned
        if is_summed(statement) and is_packed:
            total = f"{result} = {result} + {self.sum(array, offset, count)}"
            ways: list[Way] = [(None, lambda: self.writer.line(total))]
            if len(run) == 1 < len(statement.loops):
                # Of many short rows, a call for each would cost more than the sum.
                ways.insert(0, (self.few(statement), lambda: self.one_by_one(statement, result, run[0])))
            self.by_length(run[0][1], ways)
            return
        single = self.single(statement, line)
        self.writer.line(f"{single}[0] = {self.scalars.stored(result, dtype)}")
        self.call(statement, single, count, f"{array}, {offset}, {step}")
        self.writer.line(f"{result} = {self.scalars.loaded(f'{single}[0]', dtype)}")

    def by_blocks(self, statement: Reduction, result: str, run: Loop) -> None:
        """Print the reduction of computed elements, block by block, where the order does not matter."""
        line = Run(self.blocks, *run)
        single = self.single(statement, line)
        line.prepare([statement.expression])
        self.writer.line(f"{single}[0] = {self.scalars.stored(result, statement.expression.type.dtype)}")
        with line.blocks():
            line.compute(statement.expression)
            self.call(
                statement, single, self.scalars.variable(line.count), line.operand(statement.expression)
            )
        self.writer.line(f"{result} = {self.scalars.loaded(f'{single}[0]', statement.expression.type.dtype)}")

    def by_loops_in_blocks(self, statement: Reduction, result: str, run: list[Loop]) -> None:
        """Print the sum, in any order, of elements that inner loops compute."""
        with ExitStack() as stack:
            self.blocks.loops(stack, run[:-1])
            line = Run(self.blocks, *run[-1])
            line.prepare([statement.expression])
            with line.blocks():
                line.compute(statement.expression)
                moved_ = dataclasses.replace(statement, expression=line.moved(statement.expression))
                line.loop(lambda: self.writer.line(f"{result} = {self.step(moved_, result)}"))

    # -- rows of results ---------------------------------------------------------------------------------------

    def across_rows(self, statement: Reduction) -> None:
        """Print a reduction whose result varies fastest: rows are combined with the rows of results, one after the other."""
        target = statement.target
        assert isinstance(target, Element)
        kept = [loop for loop in statement.loops if loop[0] not in statement.reduced]
        with ExitStack() as stack:
            self.blocks.loops(stack, kept)
            start = self.scalars.stored(self.start(statement), target.type.dtype)
            self.writer.line(f"{self.scalars.element(target)} = {start}")
        if statement.ufunc.startswith("logical"):
            ends = statement.ufunc == "logical_or"
            with ExitStack() as stack:
                self.blocks.loops(stack, statement.loops, statement.spread)
                with self.writer.block(f"if {self.truth(statement.expression, ends)}:"):
                    self.writer.line(f"{self.scalars.element(target)} = {ends}")
            return
        type_ = statement.expression.type
        before = Element(target.buffer, target.indices, type_)
        step = Apply(statement.ufunc, (before, statement.expression), type_)
        self.blocks.nest(Nest(statement.loops, target, step, spread=statement.spread))


def is_count(statement: Reduction) -> bool:
    """Whether a reduction adds up truth values, as integers."""
    expression = statement.expression
    return (
        statement.ufunc == "add"
        and isinstance(expression, Apply)
        and expression.name == "cast"
        and expression.operands[0].type.dtype == BOOL
        and expression.type.dtype in (np.dtype(np.int64), np.dtype(np.uint64))
    )
