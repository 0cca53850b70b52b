"""Runs nests that follow each other in one loop over rows, each a few rows behind the one before: what one stores, the next finds in the cache.

Before:
    for i in range(n):
        for j in range(m): t[i, j] = (a[i, j] + a[i + 2, j]) * 0.5
    for i in range(n):
        for j in range(m): a[i + 1, j] = t[i, j]
After, where rows are long:
    for row in range(n + 1):
        if row < n:
            i = row
            for j in range(m): t[i & 1, j] = (a[i, j] + a[i + 2, j]) * 0.5
        if row >= 1:
            i_1 = row - 1
            for j in range(m): a[i_1 + 1, j] = t[i_1 & 1, j]
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from transpile.runtime.graph.dim import Dim, DimLike, product
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL

from .accesses import Accesses, accesses
from .blocks import Blocks, blocks_of
from .buffer import Buffer, Variable
from .copies import Copy
from .expression import Apply, Constant, Position
from .program import Program
from .ring import Rings, Stage, used
from .sharing import Sharing, all_bodies
from .stages import REACH, Stages, is_whole, length_of, long_rows, rows_of
from .statement import (
    Allocate,
    Assign,
    Body,
    CheckedLet,
    For,
    Fused,
    If,
    LeaveIf,
    Let,
    Part,
    Reduction,
    Reshape,
    Statement,
    SumBegin,
    SumEnd,
    SumRow,
    While,
)
from .steps import Rows, Steps

# Note [Following]
# Of two nests over rows, as many or a known number more, row i of the second may run as soon as row i + d of the first has: d is the most by which a row of the first that touches an element
# lies behind the row of the second that touches it, too, where one of them stores. Each index is a row's plus something known, on an axis on which nothing else moves; so that is a difference
# of numbers. A third nest waits for both, and so on; one that runs only where a variable says so goes along.
# A statement that stores over what it has read, `a[1:-1] = f(a)`, is two such nests, one into memory of its own and one that copies it back: see Note [Rings] for that memory.
#
# Nests that compute for longer than they wait for memory keep their loops, which several threads may share, but where arrays are so large that these would wait for memory, too. Where all that
# is stored is wanted later, they follow each other in loops over time alone, and where caches do not hold it all.
#
# Memory that is made once for all turns stays in the nearer caches while these hold it: a few rows of it are worth beginning them anew where they do not.
#
# The sum of all elements goes along where memory of what it goes over is spared by that: row by row it takes longer than by itself, which is more than reading what is in caches.

# What reductions that rows may be gathered in start from, given the least and the largest number.
_STARTS: dict[str, Callable[[np.iinfo[Any]], int]] = {
    "bitwise_or": lambda limits: 0,
    "add": lambda limits: 0,
    "maximum": lambda limits: int(limits.min),
    "minimum": lambda limits: int(limits.max),
}


# How many elements nests that keep all they store go over at least, in all and in a row: such as caches do not hold from one to the next; and how many those that threads would share.
_LARGE, _LINES, _LARGER = 1 << 17, 128, 1 << 19
# How many elements those have that are added up on the way, and memory that is begun anew for each turn: such as the nearer caches do not hold.
_SUMMED = _RENEWED = 1 << 15


class Follower:
    """Has the nests of a program follow each other."""

    def __init__(self, sharing: Sharing, name: Callable[[str], str]) -> None:
        self.sharing = sharing
        self.name = name
        self.maker = Stages(sharing)
        self._accesses: dict[Statement, Accesses] = {}

    def program(self, program: Program) -> None:
        """Have nests of a program follow each other, in place."""
        self.parallel = program.graph.parallel
        self.rings = Rings(program, self.sharing, self.name)
        again = set(map(id, _bodies_of_loops(program.body)))
        for inner in list(all_bodies(program.body)):
            result: Body = []
            place = 0
            body, fills = self.rings.with_fills(inner)
            while place < len(body):
                stages, before, behind, end = self.stages(body, place)
                rings = self.rings.shorten(stages, inner) if len(stages) > 1 else {}
                vain = fills.intersection(body[place : max(end, place + 1)]) - {
                    fill for fill in fills if fill.target.buffer in rings
                }
                sums = {
                    stage.summed for stage in stages if stage.summed and not used(stage.found) & rings.keys()
                }
                if sums:
                    self.maker.left |= sums
                    continue
                if vain:
                    body = [statement for statement in body if statement not in vain]
                    fills -= vain
                    continue
                if rings or (id(inner) in again and shares_rows(stages)):
                    apart = {*before, *behind, *fills}
                    whole = [statement for statement in body[place:end] if statement not in apart]
                    result += [*before, *self.chosen(stages, rings, whole, id(inner) in again), *behind]
                else:
                    result.append(body[place])
                    end = place + 1
                place = end
            inner[:] = result

    def of(self, statement: Statement) -> Accesses:
        """Return what a statement does."""
        found = self._accesses.get(statement)
        if found is None:
            found = self._accesses[statement] = accesses(statement)
        return found

    def stages(self, body: Body, place: int) -> tuple[list[Stage], Body, Body, int]:
        """Return the stages of a loop that begins at a place, the statements between them, which go before or behind, and where it ends."""
        stages: list[Stage] = []
        before: Body = []
        behind: Body = []
        ended = 0, 0, 0, place
        rows = self.maker.rows(body, place)
        if rows is None:
            return [], [], [], place
        for at in range(place, len(body)):
            statement = body[at]
            views = [passed for passed in before if isinstance(passed, Reshape)]
            stage = self.maker.stage(statement, stages, rows, views) if len(stages) < REACH else None
            if stage is not None and not self.passes(stage.found, behind):
                break
            if stage is not None:
                stages.append(stage)
                # What has to do with none before may have with one behind it.
                if len(stages) == 1 or stage.follows:
                    ended = len(stages), len(before), len(behind), at + 1
            elif stages and self.goes_before(statement, stages) and self.passes(self.of(statement), behind):
                before.append(statement)
            elif stages and len(behind) < REACH and self.goes_behind(statement):
                behind.append(statement)
            else:
                break
        count, passed, left, end = ended
        if not any(map(is_whole, stages[:count])):
            return [], [], [], place
        views = [view for stage in stages[:count] for view in stage.views]
        return stages[:count], [other for other in before[:passed] if other not in views], behind[:left], end

    def goes_before(self, statement: Statement, stages: Sequence[Stage]) -> bool:
        """Whether a statement between nests may run before all of them."""
        if not isinstance(statement, (Allocate, Let, LeaveIf, CheckedLet, Reshape)):
            return False
        found = self.of(statement)
        return not found.is_seen and not any(self.sharing.conflict(stage.found, found) for stage in stages)

    def goes_behind(self, statement: Statement) -> bool:
        """Whether a statement may run behind nests that it has nothing to do with."""
        found = self.of(statement)
        return not (found.leaves or found.is_seen or isinstance(statement, (Allocate, Reshape)))

    def passes(self, found: Accesses, behind: Body) -> bool:
        """Whether what a statement does may be done before what stands behind all nests."""
        return not any(self.sharing.conflict(self.of(statement), found) for statement in behind)

    def chosen(self, stages: list[Stage], rings: dict[Buffer, Buffer], whole: Body, is_again: bool) -> Body:
        """Return nests as they were where rows are short or too few, and in one loop, with its rings, elsewhere."""
        first = next(stage for stage in stages if is_whole(stage))
        blocks = blocks_of(stages, rings, self.maker) if self.parallel and not is_again else None
        # A nest that runs only where a variable says so may be the first, and have more rows than what the others are measured by.
        assert first.longer is not None
        turns = self.sharing.dim(rows_of(first) - first.longer + max(map(end_of, stages)))
        shared = self.parallel and blocks is None and any(stage.dense for stage in stages)
        spared = _SUMMED if any(stage.summed for stage in stages) else 0
        if all(buffer in self.rings.renewed for buffer in rings):
            spared = _RENEWED if rings else _LARGE
        enough = [
            (length_of(first.nest), long_rows(stages) if rings else _LINES),
            (
                product(tuple(dim for _, dim in first.nest.indices)),
                _LARGER if shared else spared,
            ),
            *((turns, stage.only + stage.delay + 1) for stage in stages if stage.only is not None),
        ]
        if any(self.is_less(most + 1, least) for most, least in enough):
            return whole
        tests = [
            Apply("greater_equal", (_integer(most), _integer(least)), PYBOOL)
            for most, least in dict.fromkeys(enough)
            if least != 0 and not self.is_less(least, most)
        ]
        if not tests:
            self.rings.make(rings)
            return self.loop(stages, turns, blocks)
        test = functools.reduce(lambda one, two: Apply("bitwise_and", (one, two), PYBOOL), tests)
        made = map(Allocate, rings.values())
        return [If(test, [*made, *self.loop(stages, turns, blocks)], whole, first.nest.location)]

    def is_less(self, least: DimLike, most: DimLike) -> bool:
        """Whether a dim is known to be no more than another one."""
        beyond = self.sharing.dim(self.sharing.dim(most) - self.sharing.dim(least))
        return isinstance(beyond, int) and beyond >= 0

    def loop(self, stages: list[Stage], turns: DimLike, blocks: Blocks | None) -> Body:
        """Return nests as one loop over rows, with what begins the bits that they gather."""
        row = Value(INT, "row")
        last = max(map(end_of, stages))
        begins: Body = []
        ends: Body = []
        body: Body = []
        for stage in stages:
            own = Dim.of_value(row) - stage.delay
            nest, gathered = _of_row(stage.nest)
            if stage.summed is not None:
                nest, gathered = [self.sum_of_row(stage, begins, ends)], []
            else:
                # The same is done elsewhere, where rows are short.
                nest = Copy().body(nest)
            begins += [Assign([(target, start_of(part))]) for part, target, _ in gathered]
            inside: Body = [
                Let(stage.index, Position(own, INT)),
                *stage.places,
                *nest,
                *(Assign([(target, combined(part, target, found))]) for part, target, found in gathered),
            ]
            if stage.test is not None:
                inside = [If(stage.test, inside, [])]
            if stage.only is not None:
                inside = [_where("equal", own, stage.only, inside)]
            else:
                if stage.delay:
                    inside = [_where("greater_equal", Dim.of_value(row), stage.delay, inside)]
                if end_of(stage) < last:
                    inside = [_where("less", own, rows_of(stage), inside)]
            body += inside if blocks is None else blocks.guarded(stage, row, inside)
        zero, one = Constant(0, INT), Constant(1, INT)
        location = next(stage.nest.location for stage in stages if is_whole(stage))
        loop = For(row, zero, Position(turns, INT), one, _joined(body), None, location, in_order=True)
        return [*begins, *([loop] if blocks is None else blocks.around(loop)), *ends]

    def sum_of_row(self, stage: Stage, begins: Body, ends: Body) -> Statement:
        """Return what adds up a row, and note what begins and ends the sum."""
        assert isinstance(stage.nest, Fused)
        (part,) = stage.nest.parts
        assert isinstance(part, Reduction) and isinstance(part.target, Value)
        state = Value(INT, f"{part.target.name}_so_far")
        count = product(tuple(dim for _, dim in stage.nest.indices))
        begins.append(SumBegin(state, count, part.expression.type))
        ends.append(SumEnd(state, part.target))
        *around, along = stage.nest.indices[1:]
        row: Statement = SumRow(state, along, part.expression)
        for index, dim in reversed(around):
            row = For(index, Constant(0, INT), _integer(dim), Constant(1, INT), [row], None, in_order=True)
        return row


def shares_rows(stages: Sequence[Stage]) -> bool:
    """Whether one of some stages finds, or stores over, what another one stores, in whole rows."""
    stored: set[Buffer] = set()
    for stage in filter(is_whole, stages):
        if stored & used(stage.found):
            return True
        stored |= {access.buffer.root for access in stage.found.writes}
    return False


def _bodies_of_loops(body: Body) -> Iterator[Body]:
    """Yield the bodies of the loops over statements in a body, and those inside them."""
    for inner in all_bodies(body):
        for statement in inner:
            if isinstance(statement, (For, While)):
                yield from all_bodies(statement.body)


def end_of(stage: Stage) -> int:
    """Return how many turns more than the rows of the loop it takes until a stage has ended, as far as that is known."""
    return stage.delay + stage.longer if stage.longer is not None else 0


def _where(test: str, one: DimLike, other: DimLike, then: Body) -> If:
    """Return statements that are run where a test of two dims holds."""
    return If(Apply(test, (_integer(one), _integer(other)), PYBOOL), then, [])


def _joined(body: Body) -> Body:
    """Return a body with what is run under one test, one after the other, under that."""
    result: Body = []
    for statement in body:
        last = result[-1] if result else None
        if isinstance(last, If) and isinstance(statement, If) and last.test == statement.test:
            result[-1] = replace(last, then=_joined([*last.then, *statement.then]))
        else:
            result.append(statement)
    return result


def _integer(dim: DimLike) -> Position | Constant:
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
