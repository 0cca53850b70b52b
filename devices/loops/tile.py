"""Runs a loop of steps over a part of memory at a time: a few lines where each step takes an element of every line, and a piece where each step goes over all of it again.

Before:
    for k in range(1, m):
        for i in range(n): y[i, k] = y[i, k - 1] * x[i, k]
After:
    for first in range(0, n, 32):
        count = min(32, n - first)
        for k in range(1, m):
            for i in range(count): y[first + i, k] = y[first + i, k - 1] * x[first + i, k]
Before:
    for k in range(60):
        w = weights[k]
        for i in range(n): y[i] = y[i] + w * x[k + i]
After:
    for first in range(0, n, 1024):
        count = min(1024, n - first)
        for k in range(60):
            w = weights[k]
            for i in range(count): y[first + i] = y[first + i] + w * x[k + first + i]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from transpile.runtime.graph.dim import Dim, DimLike, product, values_of
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL

from .accesses import Access, Accesses, accesses
from .buffer import Buffer
from .copies import Copy
from .expression import Apply, Constant, Element, Position, walk
from .nests import parts_of, with_outermost
from .sharing import Sharing, all_bodies
from .statement import (
    Allocate,
    Assign,
    Body,
    For,
    Fused,
    If,
    LeaveIf,
    Let,
    Nest,
    Reduction,
    Reshape,
    Statement,
)

# Note [Tiles]
# A loop of steps can be run for some indices of the loops inside it first, and then for the others, where no index has to do with what is stored at
# another one: all accesses to memory that is written are to elements of which one place is the same function of the index, and of nothing else that moves. It pays where the steps, and
# not the loops inside, go along memory: a line that is read for one step then lies in the cache for the next. And it pays where each step stores to the same elements again: what a step stores
# of a piece of memory, the next one finds in the cache. Numbers that a step finds for itself are found for each piece anew. What the
# steps start from, in a nest right before them, is computed a piece at a time as well.

# How many lines are run together; how many elements a piece has; and how many a row has at least, where a piece is a row.
_LINES = 32
PIECE = 1024
LONG = 64
_ONE, _BACK = Constant(1, INT), Constant(-1, INT)


# What differs from step to step: the step, and the numbers that it finds.
Found = Set[Value | Buffer]


@dataclass
class _Steps:
    """The parts of a loop of steps: the views and arrays that it makes, its nests, what differs from step to step, and whether steps go along memory."""

    views: list[Reshape]
    made: list[Allocate]
    nests: list[Nest | Fused]
    found: Found
    across: bool


class Tiler:
    """Tiles the loops of a program."""

    def __init__(self, sharing: Sharing) -> None:
        self.sharing = sharing

    def program(self, body: Body) -> None:
        """Tile the loops in a body, in place."""
        for inner in list(all_bodies(body)):
            result: Body = []
            for statement in inner:
                result += self.statement(statement, result)
            inner[:] = result

    def statement(self, loop: Statement, before: Body) -> Body:
        """Return a loop, tiled where that can be done and pays, after the views that it is to have.

        What it starts from is taken out of what stands before it, to be computed tile by tile as well.
        """
        steps = self.steps(loop) if isinstance(loop, For) else None
        if steps is None or not isinstance(loop, For):
            return [loop]
        starts = self.taken(steps.found, steps.nests, before)
        return [*steps.views, *steps.made, *self.chosen(loop, steps.nests, steps.across, starts)]

    def over_rows(self, loop: For) -> For | None:
        """Return a loop of steps each of which goes over the same rows as one over these, of all steps for one; None where it is none."""
        steps = self.steps(loop)
        if steps is None or steps.across or steps.views or steps.made or len(steps.nests[0].indices) == 1:
            return None
        return self.tiled(loop, steps.nests, [], 1)

    def steps(self, loop: For) -> _Steps | None:
        """Return the parts of a loop of steps, None where it cannot be tiled, or that does not pay."""
        if loop.until is not None or loop.step not in (_ONE, _BACK):
            return None
        views = [statement for statement in loop.body if isinstance(statement, Reshape)]
        inside = list(_statements(loop.body))
        nests = [statement for statement in inside if isinstance(statement, (Nest, Fused))]
        made = [statement for statement in inside if isinstance(statement, Allocate)]
        numbers = [
            replace(statement, then=[], otherwise=[]) if isinstance(statement, If) else statement
            for statement in inside
            if isinstance(statement, (Let, If)) or _leaves(statement)
        ]
        count = len(views) + len(nests) + len(made) + len(numbers) + sum(map(_stays, inside))
        if not nests or count < len(inside) or not all(nest.indices for nest in nests):
            return None
        if not self.is_known(loop, numbers, nests):
            return None
        seen = {view.buffer for view in views}
        if any(view.base in seen or not self.is_fixed(view.base, loop) for view in views):
            return None
        found = {loop.index} | accesses(*numbers).defines
        if any(found & {value for dim in one.buffer.dims for value in values_of(dim)} for one in made):
            return None
        across = self.pays(found, nests)
        if not (across or self.repeats(found, nests)) or not self.is_apart(found, nests):
            return None
        return _Steps(views, made, nests, found, across)

    def taken(self, steps: Found, nests: Sequence[Nest | Fused], before: Body) -> list[Nest | Fused]:
        """Take out of the statements before a loop the last nest, where it goes over the same elements, and nothing behind it has to do with it."""
        place = len(before) - 1
        while place >= 0 and isinstance(before[place], (Reshape, Allocate)):
            place -= 1
        if place < 0:
            return []
        start, behind = before[place], accesses(*before[place + 1 :])
        if not isinstance(start, (Nest, Fused)) or not start.indices or behind.defines & accesses(start).uses:
            return []
        stored = {self.sharing.place(access.buffer)[0] for access in accesses(*nests).writes}
        shares = any(self.sharing.place(access.buffer)[0] in stored for access in accesses(start).writes)
        if not shares or not self.is_apart(steps, [start, *nests]):
            return []
        del before[place]
        return [start]

    def is_known(self, loop: For, numbers: Sequence[Statement], nests: Sequence[Nest | Fused]) -> bool:
        """Whether the turns of a loop, the numbers that each of them finds, and how far nests go have nothing to do with what nests store."""
        bounds = (loop.start, loop.stop, loop.step)
        if any(isinstance(part, Element) for bound in bounds for part in walk(bound)):
            return False
        found = accesses(*numbers).defines
        if any(value in found for nest in nests for _, dim in nest.indices for value in values_of(dim)):
            return False
        written = {access.buffer for access in accesses(*nests).writes}
        read = {access.buffer for access in accesses(*numbers).reads}
        return not any(self.sharing.may_share(one, other) for one in written for other in read)

    def repeats(self, steps: Found, nests: Sequence[Nest | Fused]) -> bool:
        """Whether each step stores to the same elements again."""
        return not any(
            steps & set(values_of(place))
            for nest in nests
            for access in accesses(nest).writes
            for place in access.indices or ()
        )

    def chosen(
        self, loop: For, nests: Sequence[Nest | Fused], across: bool, starts: Sequence[Nest | Fused]
    ) -> Body:
        """Return a loop of steps, after what it starts from, by tiles; where a tile is a row, only where rows are long."""
        if across or all(len(nest.indices) == 1 for nest in nests):
            return [self.tiled(loop, nests, starts, _LINES if across else PIECE)]
        length = product(tuple(dim for _, dim in nests[0].indices[1:]))
        whole: Body = [*starts, loop]
        if isinstance(length, int):
            return [self.tiled(loop, nests, starts, 1)] if length >= LONG else whole
        if {loop.index} & set(values_of(length)):
            return whole
        test = Apply("greater_equal", (Position(length, INT), Constant(LONG, INT)), PYBOOL)
        rows = Copy().statement(self.tiled(loop, nests, starts, 1))
        return [If(test, [rows], whole, loop.location)]

    def is_fixed(self, base: Buffer, loop: For) -> bool:
        """Whether a buffer is the same memory, of the same dims, in every turn of a loop."""
        return base not in self.sharing.assigned and loop.index not in {
            v for d in base.dims for v in values_of(d)
        }

    def pays(self, steps: Found, nests: Sequence[Nest | Fused]) -> bool:
        """Whether the steps go along memory more often than the innermost loops do."""
        along = across = 0
        for nest in nests:
            found = accesses(nest)
            inner = nest.indices[-1][0]
            for access in (*found.reads, *found.writes):
                if access.indices:
                    last = set(values_of(access.indices[access.buffer.axes[-1]]))
                    along += inner in last
                    across += bool(steps & last) and inner not in last
        return across > along

    def is_apart(self, steps: Found, nests: Sequence[Nest | Fused]) -> bool:
        """Whether what is done at one index of the outermost loops has nothing to do with what is stored at another one, given what a step finds."""
        if any(isinstance(part, Reduction) for nest in nests for part in parts_of(nest)):
            return False
        extent = self.sharing.dim(nests[0].indices[0][1])
        if steps & set(values_of(extent)) or any(self.sharing.dim(n.indices[0][1]) != extent for n in nests):
            return False
        if len({len(nest.indices) > 1 for nest in nests}) > 1:
            return False
        index = nests[0].indices[0][0]
        found = Accesses()
        moving = set(steps)
        for nest in nests:
            moving.update(value for value, _ in nest.indices[1:])
            found.statement(with_outermost(nest, index))
        return all(
            are_lines(self.sharing, written, other, index, (moving | found.local | found.defines) - {index})
            for written in found.writes
            for other in (*found.reads, *found.writes)
            if self.sharing.may_share(written.buffer, other.buffer)
        )

    def tiled(
        self, loop: For, nests: Sequence[Nest | Fused], starts: Sequence[Nest | Fused], lines: int
    ) -> For:
        """Return a loop over tiles of so many lines around what a loop of steps starts from, and that loop."""
        extent = nests[0].indices[0][1]
        lines = lines if all(len(nest.indices) == 1 for nest in nests) else 1
        first, count = Value(INT, "first"), Value(INT, "count")
        most, rest = Constant(lines, INT), Position(extent - Dim.of_value(first), INT)
        fits = Apply("less", (most, rest), PYBOOL)

        def tile(nest: Nest | Fused) -> Nest | Fused:
            own = nest.indices[0][0]
            place = Dim.of_value(first) + (Dim.of_value(own) if lines > 1 else 0)
            moved = with_outermost(nest, own, place)
            indices = [(own, Dim.of_value(count)), *moved.indices[1:]] if lines > 1 else moved.indices[1:]
            return replace(moved, indices=indices)

        def tiles_of(body: Body) -> Body:
            inside: Body = []
            for part in body:
                if isinstance(part, (Nest, Fused)):
                    inside.append(tile(part))
                elif isinstance(part, If):
                    inside.append(replace(part, then=tiles_of(part.then), otherwise=tiles_of(part.otherwise)))
                elif not isinstance(part, (Reshape, Allocate, Assign)):
                    inside.append(part)
            return inside

        steps = replace(loop, body=tiles_of(loop.body))
        start: Body = [Let(count, Apply("select", (fits, most, rest), INT))] if lines > 1 else []
        turns = Constant(0, INT), Position(extent, INT), most
        begun = map(tile, starts)
        return For(first, *turns, [*start, *begun, steps], None, loop.location, is_apart=True)


def _statements(body: Body) -> Iterator[Statement]:
    """Yield statements, and those in branches."""
    for statement in body:
        yield statement
        if isinstance(statement, If):
            yield from _statements([*statement.then, *statement.otherwise])


def _leaves(statement: Statement) -> bool:
    """Whether a statement does nothing but leave the kernel, for the original to run the call anew."""
    return isinstance(statement, LeaveIf) and statement.site.exception is None and not statement.site.operands


def _stays(statement: Statement) -> bool:
    """Whether a statement gives variables of memory what they have."""
    return isinstance(statement, Assign) and all(name is source for name, source in statement.pairs)


def are_lines(
    sharing: Sharing, one: Access, other: Access, index: Value, moving: set[Value | Buffer]
) -> bool:
    """Whether two accesses are to different elements wherever the index differs, given what else moves."""
    if one.indices is None or other.indices is None:
        return False
    if sharing.place(one.buffer) != sharing.place(other.buffer):
        return False
    places = zip(one.indices, other.indices, strict=True)
    return any(_is_line(place, index, moving) and place == same for place, same in places)


def _is_line(place: DimLike, index: Value, moving: set[Value | Buffer]) -> bool:
    """Whether a place is another one for each index, and the same whatever else moves."""
    if not isinstance(place, Dim) or moving & set(place.values()):
        return False
    factor = place.coefficient(index)
    return isinstance(factor, int) and factor != 0
