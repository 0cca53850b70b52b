"""Fused loop nests: everything for one element after the other, or, through NumPy's inner loops, for one block after the other."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

import numpy as np

from transpile.devices.loops.buffer import Variable
from transpile.devices.loops.expression import Element, Expression, walk
from transpile.devices.loops.statement import Fused, Let, Nest, Part, Reduction
from transpile.runtime.graph.dim import Dim
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import BOOL, DType
from transpile.runtime.positions import Location

from .blocks import Blocks, Run
from .reductions import Reductions
from .scalars import Scalars
from .writer import Writer

Mark = Callable[[Location], None]


class Fusions:
    """Prints fused nests."""

    def __init__(self, writer: Writer, scalars: Scalars, blocks: Blocks, reductions: Reductions) -> None:
        self.writer = writer
        self.scalars = scalars
        self.blocks = blocks
        self.reductions = reductions

    def fused(self, statement: Fused, mark: Mark) -> None:
        """Print a fused nest."""
        reductions = [part for part in statement.parts if isinstance(part, Reduction)]
        results = {part: self.writer.new("result") for part in reductions}
        for reduction, result in results.items():
            self.writer.line(f"{result} = {self.start(reduction)}")
        with ExitStack() as stack:
            if not any(self.blocks.calls(part.expression) for part in statement.parts):
                self.blocks.loops(stack, statement.indices, statement.spread)
                for part in statement.parts:
                    self.part(part, part.expression, results, mark)
            else:
                self.blocks.loops(stack, statement.indices[:-1], statement.spread)
                self.in_blocks(statement, results, mark)
        for reduction, result in results.items():
            self.reductions.hand_over(reduction.target, result)

    def start(self, reduction: Reduction) -> str:
        """Return the text of what a reduction starts from: no element changes it where there is an identity, any where it is the extreme."""
        dtype = reduction.expression.type.dtype
        if reduction.ufunc in ("maximum", "minimum"):
            low, high = _limits(dtype)
            return self.scalars.constant(
                low if reduction.ufunc == "maximum" else high, reduction.expression.type
            )
        return self.reductions.start(reduction)

    def part(self, part: Part, expression: Expression, results: dict[Reduction, str], mark: Mark) -> None:
        """Print what is done for one element, with an expression in the place of the part's own."""
        mark(part.location)
        if isinstance(part, Let):
            self.writer.line(f"{self.scalars.variable(part.value)} = {self.scalars.text(expression)}")
            return
        if isinstance(part, Nest):
            self.blocks.store(part.target, expression)
            return
        step = Reduction(part.ufunc, [], set(), part.target, expression, part.buffered, 0, free=part.free)
        self.writer.line(f"{results[part]} = {self.reductions.one_step(step, results[part])}")

    # -- in blocks ---------------------------------------------------------------------------------------------

    def in_blocks(self, statement: Fused, results: dict[Reduction, str], mark: Mark) -> None:
        """Print the innermost loop in blocks."""
        run = Run(self.blocks, *statement.indices[-1])
        run.varying = {part.value for part in statement.parts if isinstance(part, Let)}
        run.prepare([part.expression for part in statement.parts])
        batches: list[list[Part]] = []
        for part in statement.parts:
            if not batches or self.blocks.calls(part.expression):
                batches.append([])
            batches[-1].append(part)
        with run.blocks(spread=statement.spread):
            for place, batch in enumerate(batches):
                later = {
                    found.value
                    for rest in batches[place + 1 :]
                    for part in rest
                    for found in walk(part.expression)
                    if isinstance(found, Variable)
                }
                self.batch(run, batch, later, results, mark)

    def batch(
        self, run: Run, batch: list[Part], later: set[Value], results: dict[Reduction, str], mark: Mark
    ) -> None:
        """Print the calls that the first of some parts takes, and one loop over the rest of what they do."""
        first = batch[0]
        if run.compute(first.expression, first.target if isinstance(first, Nest) else None):
            batch = batch[1:]
        if isinstance(first, Let) and first.expression in run.done:
            run.done[Variable(first.value)] = run.done[first.expression]
            batch = batch[1:]
        if not batch:
            return
        kept = {
            part.value: self.blocks.block(part.value.type.dtype, run.taken, run.length)  # type: ignore[union-attr]
            for part in batch
            if isinstance(part, Let) and part.value in later
        }

        def elements() -> None:
            for part in batch:
                moved = run.moved(part.expression)
                if isinstance(part, Nest):
                    target = run.moved_element(part.target)
                    self.part(Nest([], target, moved, part.location), moved, results, mark)
                    continue
                self.part(part, moved, results, mark)
                if isinstance(part, Let) and part.value in kept:
                    place = Element(kept[part.value], (Dim.of_value(run.inside),), part.expression.type)
                    self.blocks.store(place, Variable(part.value))

        run.loop(elements)
        run.done |= {Variable(value): block for value, block in kept.items()}


def _limits(dtype: DType) -> tuple[object, object]:
    """Return the lowest and the highest number of a type of integers or truth values."""
    if dtype == BOOL:
        return False, True
    limits = np.iinfo(dtype)  # type: ignore[type-var]
    return limits.min, limits.max
