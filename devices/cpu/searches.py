"""Searches for the first extreme, by NumPy's own routines."""

from __future__ import annotations

from contextlib import ExitStack

from transpile.devices.loops.expression import Element, elements, moved
from transpile.devices.loops.statement import ArgReduction
from transpile.runtime.graph.dim import Dim, values_of
from transpile.runtime.graph.ir import Value

from . import ranges, sorts
from .blocks import LENGTH, Blocks, Run
from .halves import HALF
from .reductions import Reductions
from .scalars import Scalars
from .writer import Writer

# Rows shorter than this are looked through by the kernel.
_SHORT = 16


class Searches:
    """Prints searches."""

    def __init__(self, writer: Writer, scalars: Scalars, blocks: Blocks, reductions: Reductions) -> None:
        self.writer = writer
        self.scalars = scalars
        self.blocks = blocks
        self.reductions = reductions

    def argreduction(self, statement: ArgReduction) -> None:
        """Print the search for the first extreme of each row; NaN counts as one."""
        dtype = statement.expression.type.dtype
        routine = sorts.search(statement.function, dtype.char)
        kept, (_, extent) = statement.kept, statement.index
        if kept and isinstance(statement.target, Element) and self.is_across(statement):
            self.across_rows(statement)
            return
        with ExitStack() as stack:
            self.blocks.loops(stack, kept)
            place = self.writer.new("place")
            ways = [(_SHORT, lambda: self.one_by_one(statement, place))] if kept else []
            if routine is None:
                self.one_by_one(statement, place)
            else:
                self.reductions.by_length(
                    extent, [*ways, (None, lambda: self.by_routine(statement, place, routine))]
                )
            self.reductions.hand_over(statement.target, place)

    def is_better(self, statement: ArgReduction, element: str, best: str) -> str:
        """Return the text of the test of an element being the extreme so far."""
        text = f"{element} {'>' if statement.function == 'argmax' else '<'} {best}"
        if statement.expression.type.dtype.kind == "f":
            text += f" or ({element} != {element} and {best} == {best})"
        return text

    def first(self, statement: ArgReduction) -> str:
        """Return the text of the first element of a row."""
        index, _ = statement.index
        return self.scalars.text(moved(statement.expression, lambda v: 0 if v is index else Dim.of_value(v)))

    def one_by_one(self, statement: ArgReduction, place: str) -> None:
        """Print the search through a row, one element after the other."""
        index, extent = statement.index
        best, element = self.writer.new("best"), self.writer.new("element")
        self.writer.line(f"{best} = {self.first(statement)}")
        self.writer.line(f"{place} = 0")
        with self.writer.block(f"for {self.blocks.index(index)} in range({self.scalars.dim(extent)}):"):
            self.writer.line(f"{element} = {self.scalars.text(statement.expression)}")
            with self.writer.block(f"if {self.is_better(statement, element, best)}:"):
                self.writer.line(f"{best} = {element}")
                self.writer.line(f"{place} = {self.blocks.index(index)}")

    def by_routine(self, statement: ArgReduction, place: str, routine: object) -> None:
        """Print the search by NumPy's routine: through a row that lies side by side, or through the blocks of one that does not, or is computed."""
        expression = statement.expression
        dtype = expression.type.dtype
        name = self.writer.use(f"np_{statement.function}_{dtype.char.replace('?', 't')}", routine)
        line = Run(self.blocks, *statement.index)
        if isinstance(expression, Element) and line.depends(expression):
            array, offset, step = line.address(expression).rsplit(", ", 2)
            if step == str(dtype.itemsize):
                self.writer.assign_name(line.first, "0")
                array, offset, step = line.address(expression).rsplit(", ", 2)
                self.writer.line(
                    f"{place} = {name}({array}, {offset}, {self.scalars.dim(statement.index[1])})"
                )
                return
        best, found = self.writer.new("best"), self.writer.new("found")
        self.writer.line(f"{best} = {self.first(statement)}")
        self.writer.line(f"{place} = 0")
        line.prepare([expression])
        with line.blocks():
            line.compute(expression)
            block = line.done.get(expression)
            if block is None:
                line.stored(expression)
                block = line.done[expression]
            array, count = self.blocks.name(block), self.scalars.variable(line.count)
            self.writer.line(f"{found} = {name}({array}, 0, {count})")
            with self.writer.block(f"if {self.is_better(statement, f'{array}[{found}]', best)}:"):
                self.writer.line(f"{best} = {array}[{found}]")
                self.writer.line(f"{place} = {self.scalars.variable(line.first)} + {found}")

    def is_across(self, statement: ArgReduction) -> bool:
        """Whether the elements that are compared with each other are far apart, and neighbours belong to different rows."""
        found = {element for element in elements(statement.expression) if element.indices}
        last = statement.kept[-1][0]

        def varies(value: Value) -> bool:
            return any(
                value in values_of(element.indices[-1]) for element in found if element.buffer.layout == "C"
            )

        if self.blocks.calls(statement.expression) or statement.expression.type.dtype == HALF:
            return False
        return varies(last) and not varies(statement.index[0])

    def across_rows(self, statement: ArgReduction) -> None:
        """Print the search in many rows at a time, of which the elements at one place are neighbours."""
        *outer, (inner, width) = statement.kept
        index, extent = statement.index
        target = statement.target
        assert isinstance(target, Element)
        select = self.scalars.use(ranges.select)
        with ExitStack() as stack:
            self.blocks.loops(stack, outer)
            line = Run(self.blocks, inner, width)
            with line.blocks():
                best = self.blocks.name(
                    self.blocks.block(statement.expression.type.dtype, line.taken, LENGTH)
                )
                place = self.scalars.element(line.moved_element(target))
                inside = self.scalars.variable(line.inside)
                start = moved(statement.expression, lambda v: 0 if v is index else Dim.of_value(v))

                def begin() -> None:
                    self.writer.line(f"{best}[{inside}] = {self.scalars.text(line.moved(start))}")
                    self.writer.line(f"{place} = 0")

                def step() -> None:
                    element, better = self.writer.new("element"), self.writer.new("better")
                    self.writer.line(f"{element} = {self.scalars.text(line.moved(statement.expression))}")
                    sign = ">" if statement.function == "argmax" else "<"
                    text = f"{element} {sign} {best}[{inside}]"
                    if statement.expression.type.dtype.kind == "f":
                        text = (
                            f"({text}) | (({element} != {element}) & ({best}[{inside}] == {best}[{inside}]))"
                        )
                    self.writer.line(f"{better} = {text}")
                    self.writer.line(f"{best}[{inside}] = {select}({better}, {element}, {best}[{inside}])")
                    self.writer.line(f"{place} = {select}({better}, {self.blocks.index(index)}, {place})")

                line.loop(begin)
                with self.writer.block(
                    f"for {self.blocks.index(index)} in range({self.scalars.dim(extent)}):"
                ):
                    line.loop(step)
