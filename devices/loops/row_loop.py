"""What stages do at a row, in a loop over rows.

Before, as stages:
    every row:            for j in range(m): t[row, j] = x[row, j] * 0.5
    every row, 1 behind:  for j in range(m): y[row, j] = t[row, j] + t[row + 1, j]
    only where row is 0:  for j in range(m): y[row, j] = 0.0
After, where rows begin at nothing and end one after the last:
    if row < n:
        i = row
        for j in range(m): t[i, j] = x[i, j] * 0.5
    if row >= 1:
        i_1 = row - 1
        for j in range(m): y[i_1, j] = t[i_1, j] + t[i_1 + 1, j]
    if row == 0:
        i_2 = row
        for j in range(m): y[i_2, j] = 0.0
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from transpile.runtime.graph.dim import Dim, DimLike, product
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL

from .blocks import Blocks
from .buffer import Variable
from .copies import Copy
from .expression import Apply, Constant, Expression, Position
from .ring import Stage
from .stages import rows_of
from .statement import (
    Assign,
    Body,
    For,
    Fused,
    If,
    Let,
    Part,
    Reduction,
    Statement,
    SumBegin,
    SumEnd,
    SumRow,
)
from .steps import Rows, Steps

# What reductions that rows may be gathered in start from, given the least and the largest number.
_STARTS: dict[str, Callable[[np.iinfo[Any]], int]] = {
    "bitwise_or": lambda limits: 0,
    "add": lambda limits: 0,
    "maximum": lambda limits: int(limits.min),
    "minimum": lambda limits: int(limits.max),
}


@dataclass
class RowLoop:
    """What stages do at a row, and what begins before all rows, and ends after them.

    Where rows are parted in `blocks`, these say where each stage begins. Where they go over rows for several turns of a loop at once, `turn` is the number of the turn, of which there are at most `turns`; what floats are summed on the way where `along` holds.
    """

    row: Value
    blocks: Blocks | None = None
    turn: Value | None = None
    turns: int = 1
    along: Expression | None = None
    begins: Body = field(default_factory=list)
    body: Body = field(default_factory=list)
    ends: Body = field(default_factory=list)

    def add(self, stages: Sequence[Stage]) -> None:
        """Add what stages do."""
        last = max(map(end_of, stages))
        body: Body = []
        for stage in stages:
            own = Dim.of_value(self.row) - stage.delay
            nest, gathered = _of_row(stage.nest)
            if stage.summed is not None:
                nest, gathered = self.sum_of_row(stage), []
            else:
                # The same is done elsewhere, where rows are short.
                nest = Copy().body(nest)
            self.begins += [Assign([(target, start_of(part))]) for part, target, _ in gathered]
            inside: Body = [
                Let(stage.index, Position(own, INT)),
                *stage.places,
                *nest,
                *(Assign([(target, combined(part, target, found))]) for part, target, found in gathered),
            ]
            if stage.outside is not None:
                begin, end = map(integer, stage.outside)
                before = Apply("less", (integer(own), begin), PYBOOL)
                behind = Apply("greater_equal", (integer(own), end), PYBOOL)
                inside = [If(Apply("bitwise_or", (before, behind), PYBOOL), inside, [])]
            if stage.test is not None:
                inside = [If(stage.test, inside, [])]
            if stage.only is not None:
                inside = [where("equal", own, stage.only, inside)]
            else:
                if stage.delay:
                    inside = [where("greater_equal", Dim.of_value(self.row), stage.delay, inside)]
                if end_of(stage) < last:
                    inside = [where("less", own, rows_of(stage), inside)]
            body += inside if self.blocks is None else self.blocks.guarded(stage, self.row, inside)
        self.body = joined(body)

    def sum_of_row(self, stage: Stage) -> Body:
        """Return what adds up a row, and note what begins and ends the sum."""
        assert isinstance(stage.nest, Fused)
        (part,) = stage.nest.parts
        assert isinstance(part, Reduction) and isinstance(part.target, Value)
        state = Value(INT, f"{part.target.name}_so_far")
        count = product(tuple(dim for _, dim in stage.nest.indices))
        self.begins.append(SumBegin(state, count, part.expression.type, self.turn, self.turns))
        self.ends.append(SumEnd(state, part.target))
        *around, along = stage.nest.indices[1:]
        row: Statement = SumRow(state, along, part.expression)
        for index, dim in reversed(around):
            row = For(index, Constant(0, INT), integer(dim), Constant(1, INT), [row], None, in_order=True)
        return [row] if self.along is None else [If(self.along, [row], [])]


def end_of(stage: Stage) -> int:
    """Return how many turns more than the rows of the loop it takes until a stage has ended, as far as that is known."""
    return stage.delay + stage.longer if stage.longer is not None else 0


def where(test: str, one: DimLike, other: DimLike, then: Body) -> If:
    """Return statements that are run where a test of two dims holds."""
    return If(Apply(test, (integer(one), integer(other)), PYBOOL), then, [])


def all_of(tests: Sequence[Expression]) -> Expression:
    """Return the test whether all of some hold."""
    return functools.reduce(lambda one, other: Apply("bitwise_and", (one, other), PYBOOL), tests)


def joined(body: Body) -> Body:
    """Return a body with what is run under one test, one after the other, under that."""
    result: Body = []
    for statement in body:
        last = result[-1] if result else None
        if isinstance(last, If) and isinstance(statement, If) and last.test == statement.test:
            result[-1] = replace(last, then=joined([*last.then, *statement.then]))
        else:
            result.append(statement)
    return result


def integer(dim: DimLike) -> Position | Constant:
    """Return a dim as an expression."""
    return Position(dim, INT) if isinstance(dim, Dim) else Constant(dim, INT)


def start_of(reduction: Reduction) -> Constant:
    """Return the integer that no row changes."""
    type_ = reduction.expression.type
    return Constant(_STARTS[reduction.ufunc](np.iinfo(type_.dtype)), type_)


def combined(reduction: Reduction, target: Value, found: Value) -> Apply:
    """Return what a reduction has so far with what a row gives."""
    return Apply(reduction.ufunc, (Variable(target), Variable(found)), reduction.expression.type)


def _of_row(nest: Rows) -> tuple[Body, list[tuple[Reduction, Value, Value]]]:
    """Return a nest over one row, and what it gathers, each with the number that has it, and the one that has that of the row."""
    gathered: list[tuple[Reduction, Value, Value]] = []
    if isinstance(nest, Steps):
        return nest.body, gathered
    if isinstance(nest, Fused):
        parts: list[Part] = []
        for part in nest.parts:
            if isinstance(part, Reduction):
                assert isinstance(part.target, Value)
                gathered.append((part, part.target, Value(part.target.type, part.target.name)))
                part = replace(part, target=gathered[-1][2])
            parts.append(part)
        nest = replace(nest, parts=parts)
    if isinstance(nest, Fused) and len(nest.indices) == 1:
        return [*nest.parts], gathered
    return [replace(nest, indices=nest.indices[1:])], gathered
