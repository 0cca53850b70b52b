"""Reductions as loops, in the order in which NumPy combines the elements."""

from __future__ import annotations

from contextlib import ExitStack

import numpy as np

from transpile.devices.loops.expression import (
    Apply,
    Buffer,
    Constant,
    Element,
    Expression,
    Position,
    Variable,
)
from transpile.devices.loops.statement import ArgReduction, Reduction
from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import BOOL, INT, INT64, DType, ScalarType
from transpile.runtime.ops.table import TABLE

from . import inner_loops
from .blocks import Blocks, Run
from .scalars import Scalars
from .writer import Writer

Loop = tuple[Value, DimLike]


class Reductions:
    """Prints reductions."""

    def __init__(self, writer: Writer, scalars: Scalars, blocks: Blocks) -> None:
        self.writer = writer
        self.scalars = scalars
        self.blocks = blocks

    # -- reductions --------------------------------------------------------------------------------------------

    def reduction(self, statement: Reduction) -> None:
        """Print a reduction."""
        reduced = {index for index, _ in statement.reduced}
        loops = {index: (index, dim) for index, dim in (*statement.kept, *statement.reduced)}
        order = [loops[index] for index in statement.order]
        if statement.order and statement.order[-1] not in reduced and statement.kept:
            self.across_rows(statement, order)
            return
        # The loops that go and vary fastest form a run; those around it are walked one by one.
        around = list(order)
        run: list[Loop] = []
        while around and around[-1][0] in reduced:
            run.insert(0, around.pop())
        kept = [loop for loop in around if loop[0] not in reduced]
        with ExitStack() as stack:
            self.blocks.loops(stack, kept)
            self.element(statement, [loop for loop in around if loop[0] in reduced], run)

    def element(self, statement: Reduction, outer: list[Loop], run: list[Loop]) -> None:
        """Print the reduction to one element."""
        dtype = statement.expression.type.dtype
        logical = statement.ufunc.startswith("logical")
        result = self.writer.new("result")
        self.writer.line(f"{result} = {self.identity(statement, [*outer, *run])}")
        with ExitStack() as stack:
            self.blocks.loops(stack, outer)
            if logical:
                self.logical(statement, result, run)
            elif dtype.kind in "fc" and statement.ufunc not in ("multiply",):
                self.by_inner_loop(statement, result, run, inside=bool(outer))
            else:
                self.blocks.loops(stack, run)
                self.combine(statement, result)
        self.hand_over(statement.target, result)

    def hand_over(self, target: Element | Value, result: str) -> None:
        """Print the storing of a result."""
        name = self.scalars.variable(target) if isinstance(target, Value) else self.scalars.element(target)
        self.writer.line(f"{name} = {result}")

    def identity(self, statement: Reduction, loops: list[Loop]) -> str:
        """Return the text of what a reduction starts from: the identity, or the first element."""
        type_ = statement.expression.type
        if statement.ufunc in ("logical_and", "logical_or"):
            return str(statement.ufunc == "logical_and")
        identity = TABLE[statement.ufunc].numpy.identity
        if identity is not None:
            number = -0.0 if statement.ufunc == "add" and type_.dtype.kind in "f" else identity
            return self.scalars.constant(type_.dtype.type(number), ScalarType(type_.dtype))
        return self.scalars.text(_at_first(statement.expression, loops))

    def logical(self, statement: Reduction, result: str, run: list[Loop]) -> None:
        """Print any or all: the first element that decides ends the innermost loop."""
        ends = statement.ufunc == "logical_or"
        with ExitStack() as stack:
            self.blocks.loops(stack, run)
            with self.writer.block(
                f"if {self.truth(statement.expression) if ends else 'not ' + self.truth(statement.expression)}:"
            ):
                self.writer.line(f"{result} = {ends}")
                if run:
                    self.writer.line("break")

    def truth(self, expression: Expression) -> str:
        """Return the text of the truth of an element."""
        if expression.type.dtype == BOOL:
            return self.scalars.inner(expression)
        return f"({self.scalars.inner(expression)} != {self.scalars.constant(expression.type.dtype.type(0), expression.type)})"

    def combine(self, statement: Reduction, result: str) -> None:
        """Print one step of a reduction, by the machine's own op."""
        type_ = statement.expression.type
        self.writer.line(f"{result} = {self.step(statement.ufunc, result, statement.expression, type_)}")

    def step(self, ufunc: str, result: str, expression: Expression, type_: ScalarType) -> str:
        """Return the text of a ufunc of a result so far and an element."""
        variable = Value(type_, result)
        self.writer._names[variable] = result
        return self.scalars.text(Apply(ufunc, (Variable(variable), expression), type_))

    def by_inner_loop(self, statement: Reduction, result: str, run: list[Loop], inside: bool) -> None:
        """Print the reduction of a run by NumPy's inner loop, over the elements in memory or over blocks of computed ones."""
        if not run:
            self.combine(statement, result)
            return
        with ExitStack() as stack:
            self.blocks.loops(stack, run[:-1])
            index, extent = run[-1]
            line = Run(self.blocks, index, extent)
            single = self.blocks.block(statement.expression.type.dtype, line.taken, 1)
            name = self.blocks.name(single)
            self.writer.line(f"{name}[0] = {result}")
            line.prepare([statement.expression])
            if isinstance(statement.expression, Element):
                line.first = Value(INT, "start")
                self.writer._names[line.first] = "0"
                self.reduce_call(
                    statement.ufunc,
                    statement.expression.type.dtype,
                    name,
                    self.scalars.dim(extent),
                    _whole(line, statement.expression),
                )
            else:
                with line.blocks():
                    line.compute(statement.expression)
                    operand = line.operand(statement.expression)
                    self.reduce_call(
                        statement.ufunc,
                        statement.expression.type.dtype,
                        name,
                        self.scalars.variable(line.count),
                        operand,
                    )
            self.writer.line(f"{result} = {name}[0]")

    def reduce_call(self, ufunc: str, dtype: DType, single: str, count: str, operand: str) -> None:
        """Print a call of an inner loop whose result is also its first operand."""
        character = dtype.char
        signature = f"{character}{character}->{character}"
        function = self.writer.use(
            f"np_{ufunc}_{character}{character}_{character}", inner_loops.loop(TABLE[ufunc].numpy, signature)
        )
        self.writer.line(f"{function}({count}, {single}, 0, 0, {operand}, {single}, 0, 0)")

    def across_rows(self, statement: Reduction, order: list[Loop]) -> None:
        """Print a reduction whose result varies fastest: whole rows are combined, one after the other."""
        target = statement.target
        assert isinstance(target, Element)
        reduced = {index for index, _ in statement.reduced}
        kept = [loop for loop in order if loop[0] not in reduced]
        with ExitStack() as stack:
            self.blocks.loops(stack, kept)
            first = self.identity(statement, [loop for loop in order if loop[0] in reduced])
            self.writer.line(f"{self.scalars.element(target)} = {first}")
        with ExitStack() as stack:
            self.blocks.loops(stack, order)
            if statement.ufunc.startswith("logical"):
                ends = statement.ufunc == "logical_or"
                test = self.truth(statement.expression)
                with self.writer.block(f"if {test if ends else 'not ' + test}:"):
                    self.writer.line(f"{self.scalars.element(target)} = {ends}")
            else:
                type_ = statement.expression.type
                self.blocks.store(
                    target,
                    Apply(
                        statement.ufunc,
                        (Element(target.buffer, target.indices, type_), statement.expression),
                        type_,
                    ),
                )

    # -- places of extremes ------------------------------------------------------------------------------------

    def argreduction(self, statement: ArgReduction) -> None:
        """Print the search for the first extreme; NaN counts as one."""
        type_ = statement.expression.type
        index, extent = statement.index
        sign = ">" if statement.function == "argmax" else "<"
        with ExitStack() as stack:
            self.blocks.loops(stack, statement.kept)
            best, place, element = (self.writer.new(hint) for hint in ("best", "place", "element"))
            self.writer.line(
                f"{best} = {self.scalars.text(_at_first(statement.expression, [statement.index]))}"
            )
            self.writer.line(f"{place} = 0")
            with self.writer.block(f"for {self.blocks.index(index)} in range({self.scalars.dim(extent)}):"):
                self.writer.line(f"{element} = {self.scalars.text(statement.expression)}")
                test = f"{element} {sign} {best}"
                if type_.dtype.kind == "f":
                    test += f" or ({element} != {element} and {best} == {best})"
                with self.writer.block(f"if {test}:"):
                    self.writer.line(f"{best} = {element}")
                    self.writer.line(f"{place} = {self.blocks.index(index)}")
            self.hand_over(statement.target, place)


def _whole(run: Run, element: Element) -> str:
    return run.address(element)


def _at_first(expression: Expression, loops: list[Loop]) -> Expression:
    """Return an expression at the first index of some loops."""
    gone = {index for index, _ in loops}

    def moved(part: Expression) -> Expression:
        if isinstance(part, Element):
            return Element(part.buffer, tuple(map(dim, part.indices)), part.type)
        if isinstance(part, Position):
            return Position(dim(part.dim), part.type)
        if isinstance(part, Apply):
            return Apply(part.name, tuple(map(moved, part.operands)), part.type, part.attributes)
        return part

    def dim(place: DimLike) -> DimLike:
        return (
            place.substitute(lambda v: 0 if v in gone else Dim.of_value(v))
            if isinstance(place, Dim)
            else place
        )

    return moved(expression)
