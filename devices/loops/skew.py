"""Runs several turns of a loop over time in one loop over rows, each turn a few rows behind the one before: a row that is fetched from memory serves all of them.

Before:
    for step in range(steps):
        for i in range(n):
            for j in range(m): b[j] = a[i, j] + a[i + 1, j]
            for j in range(m): a[i, j] = b[j]
After, where caches do not hold the arrays:
    for first in range(0, steps, 8):
        many = min(8, steps - first)
        for row in range(n + many - 1):
            for turn in range(many):
                i = row - turn
                if 0 <= i < n:
                    for j in range(m): b[turn, j] = a[i, j] + a[i + 1, j]
                    for j in range(m): a[i, j] = b[turn, j]
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING, TypeGuard

from transpile.runtime.graph.dim import Dim, DimLike, product, substitute, values_of
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL

from .accesses import Access, Accesses, accesses
from .buffer import Buffer, Variable
from .expression import Apply, Constant, Position, walk
from .nests import parts_of
from .ring import Stage, used
from .row_loop import all_of, integer
from .sharing import all_bodies, clashes
from .stages import REACH, is_whole, shares_rows
from .statement import Allocate, Assign, Body, For, Fused, Let, Nest, Reduction, Reshape, Statement
from .steps import Steps
from .turns_over_rows import Turn, TurnsOverRows, is_kept

if TYPE_CHECKING:
    from .follow import Follower, Spared

# Note [Skewing]
# Where all that a turn does over rows is one loop over rows (Note [Following]), a turn may begin before the one before it has ended: so many rows behind that each row that it touches is
# done with. What lies between, the lag, is found as for nests of one turn: it is the most by which any nest of a later turn would come too early to what a nest of this one touches. Arrays that a turn exchanges
# (`old, now = now, old`) are looked for by the names that they have in the first of the turns; so turns are compared until the names come again.
#
# What a turn does beside that, numbers that it finds and what it checks, is done before the rows of all the turns where it has nothing to do with what they store; what it does with sums of a
# turn, behind them. What is seen by others, or leaves the kernel behind the rows, keeps a loop as it is. Each number that a turn finds is kept for each of the turns.
#
# What looks at one row alone, or changes an element of it (`u[3, 4] += f(t)`, `record[step] = u[3]`), is a stage that is run where that row is.
#
# This pays where caches do not hold what the loop goes over; else it is the same loop with one turn at a time, and sums go over all by themselves.

# How many turns run together at most; how many bytes the rows of all between the first and the last take at most; and how many bytes the arrays have at least, such as caches do not hold.
_TURNS, _NEAR, _LARGE = 8, 1 << 22, 1 << 24
# By how many rows a turn may lie behind the one before, and after how many turns arrays that are exchanged come again, at most.
_FARTHEST, _PERIOD = 16, 6
_ONE = Constant(1, INT)
# What gives whole numbers, whatever it is given.
_WHOLE = frozenset(("add", "subtract", "multiply", "minimum", "maximum"))


class Skewer:
    """Has the turns of a program's loops over time run together."""

    def __init__(self, follower: Follower) -> None:
        self.follower = follower
        self.sharing = follower.sharing
        self.maker = follower.maker
        self.name = follower.name

    def program(self, body: Body) -> set[int]:
        """Have the turns of the loops in a body run together, in place; return the bodies, by their ids, that are then to stay as they are."""
        done: set[int] = set()
        for inner in list(all_bodies(body)):
            if id(inner) in done:
                continue
            result: Body = []
            for statement in inner:
                new = self.loop(statement) if isinstance(statement, For) else None
                for skewed in new or ():
                    done.update(map(id, all_bodies([skewed])))
                result += new or [statement]
            inner[:] = result
        return done

    def loop(self, loop: For) -> Body | None:
        """Return what a loop becomes, None where it stays as it is."""
        whole = (part for part in loop.body if isinstance(part, (Nest, Fused)) and len(part.indices) > 1)
        if loop.until is not None or loop.step != _ONE or loop.index.type != INT or not any(whole):
            return None
        body, fills = self.follower.rings.with_fills(loop.body)
        while True:
            turn = self.turn(body, fills)
            if turn is None or not self.is_apart(turn):
                return None
            spared = self.follower.spared(turn.stages, loop.body, False)
            turn.stages = spared.stages
            vain = {fill for fill in fills.intersection(body) if fill.target.buffer not in spared.all}
            if not vain:
                break
            body = [statement for statement in body if statement not in vain]
        varying = accesses(loop).defines
        same: Body = []
        for part in list(turn.before):
            if _is_same(part, varying):
                same.append(part)
                turn.before.remove(part)
                varying -= accesses(part).defines
        lag = self.lag(turn, spared.rings, varying) if turn.made <= spared.all else None
        found = None if lag is None else self.chosen(loop, turn, spared, lag, varying)
        return None if found is None else [*same, *found]

    # -- what a turn does --------------------------------------------------------------------------------------

    def turn(self, body: Body, fills: Set[Statement]) -> Turn | None:
        """Return what a turn does, None where it does what stands in the way; in whole arrays it does nothing of `fills`."""
        turn = Turn()
        rest = list(body)
        if isinstance(last := rest[-1], Assign):
            pairs = last.pairs
            rest.pop()
            turn.carried = Assign([pair for pair in pairs if isinstance(pair[0], Value)])
            if not all(is_kept(name) for name, _ in turn.carried.pairs):
                return None
            turn.roles = {
                one: other
                for one, other in pairs
                if isinstance(one, Buffer) and isinstance(other, Buffer) and one is not other
            }
            if set(turn.roles.values()) != turn.roles.keys():
                return None
        place = next(place for place, part in enumerate(rest) if isinstance(part, (Nest, Fused)))
        rows = self.maker.rows(rest, place)
        while rows is not None and rest:
            if not self.sort(rest.pop(0), rest, turn, rows) or len(turn.stages) > REACH:
                return None
        turn.plain = [statement for statement in turn.plain if statement not in fills]
        return turn if any(map(is_whole, turn.stages)) else None

    def sort(self, statement: Statement, rest: Body, turn: Turn, rows: DimLike) -> bool:
        """Have a turn do a statement before its rows, at them or behind them, with what belongs to it of those behind it; tell whether it can."""
        found = self.follower.of(statement)
        if isinstance(statement, Allocate):
            turn.made.add(statement.buffer)
            turn.plain.append(statement)
            return True
        made = (part for part in found.defines if isinstance(part, Buffer) or not is_kept(part))
        if found.is_seen or (any(made) and not isinstance(statement, Reshape)):
            return False
        left = list(rest)
        stage = self.stage(statement, rest, turn, rows)
        if stage is not None:
            turn.stages.append(stage)
            turn.plain += [statement, *(other for other in left if other not in rest)]
            return True
        if isinstance(statement, Reshape):
            turn.views.append(statement)
            if statement.base.root in turn.own:
                # A sum over it may be one over the array itself; nothing else may use it.
                turn.plain.append(statement)
                return True
        done = [*(stage.found for stage in turn.stages), *map(self.follower.of, turn.behind)]
        if not any(self.sharing.conflict(other, found) for other in done):
            turn.before.append(statement)
            return True
        turn.behind.append(statement)
        return not found.leaves

    def stage(self, statement: Statement, rest: Body, turn: Turn, rows: DimLike) -> Stage | None:
        """Return what a statement, with some of those behind it, does over rows, or at one row."""
        stage = self.maker.stage(statement, turn.stages, rows, turn.views)
        group = [statement]
        if stage is None and turn.stages:
            group = self.group(statement, rest)
            stage = self.at_place(group, turn.stages, rows)
        if stage is None or not self.follower.passes(stage.found, turn.behind):
            return None
        if isinstance(stage.nest, Steps) or (
            stage.summed is None and any(isinstance(part, Reduction) for part in parts_of(stage.nest))
        ):
            return None
        left = [other for other in rest if other not in group]
        defined = accesses(*group).defines - stage.found.defines
        if defined & accesses(*left, turn.carried).uses:
            return None
        rest[:] = left
        return stage

    def group(self, statement: Statement, rest: Body) -> Body:
        """Return a statement about single elements with those behind it that go on with what it finds."""
        group, passed = [statement], Accesses()
        if not _is_single(statement):
            return group
        found = accesses(statement)
        for other in rest:
            own = self.follower.of(other)
            if not self.sharing.conflict(found, own):
                passed.statement(other)
            elif _is_single(other) and not self.sharing.conflict(passed, own):
                group.append(other)
                found.statement(other)
            else:
                break
        return group

    def at_place(self, group: Body, stages: Sequence[Stage], rows: DimLike) -> Stage | None:
        """Return statements that look at one row alone, or store there, as the stage after others."""
        (nest,) = group if len(group) == 1 else [Fused([], [part for part in group if _is_single(part)])]
        if not isinstance(nest, (Nest, Fused)) or not any(isinstance(part, Nest) for part in parts_of(nest)):
            return None
        found = accesses(nest)
        touched = {buffer for stage in stages for buffer in used(stage.found)}
        for access in (*found.writes, *found.reads):
            if access.indices and len(access.indices) > 1 and access.buffer in touched:
                only = self.sharing.dim(access.indices[0])
                if not found.local & set(values_of(only)):
                    stage = self.maker.at_row(nest, only)
                    if stage is not None and self.maker.fits(stage, stages, rows):
                        return stage
        return None

    # -- how turns may lie -------------------------------------------------------------------------------------

    def is_apart(self, turn: Turn) -> bool:
        """Whether what turns do before and behind rows has nothing to do with the rows of other turns, and all are known that use arrays which are exchanged."""
        before, behind = accesses(*turn.before, turn.carried), accesses(*turn.behind)
        over = Accesses()
        for stage in turn.stages:
            over.reads += stage.found.reads
            over.writes += stage.found.writes
            over.uses |= stage.found.uses
            over.defines |= stage.found.defines
        if any(
            self.sharing.may_share(one.buffer, other.buffer)
            for first, second in ((before, over), (before, behind), (over, behind))
            for one, other in clashes(first, second)
        ):
            return False
        if (over.defines | behind.defines) & (before.uses | before.defines) or behind.defines & over.uses:
            return False
        named = before.uses | before.defines | behind.uses | behind.defines | (over.uses - turn.own)
        return not any(isinstance(part, Buffer) and part.root in turn.own for part in named)

    def lag(self, turn: Turn, rings: Mapping[Buffer, Buffer], varying: Set[object]) -> int | None:
        """Return how many rows a turn has to lie behind the one before, None where that is not known, or too many."""
        lag = 0
        names = {role: role for role in turn.roles}
        for later in range(1, _PERIOD + 1):
            names = {role: names[source] for role, source in turn.roles.items()}
            for second in turn.stages:
                renamed = _renamed(second, names, varying)
                for first in turn.stages:
                    between = self.between(first, renamed, rings)
                    if between is None:
                        return None
                    delays = (first.delay - second.delay + rows for rows in between)
                    lag = max((lag, *(math.ceil(delay / later) for delay in delays)))
            if all(role is name for role, name in names.items()):
                return lag if lag <= _FARTHEST else None
        return None

    def between(self, first: Stage, second: Stage, rings: Mapping[Buffer, Buffer]) -> list[int] | None:
        """Return, for what one stage stores and one of a later turn touches, how many rows later the first comes to it; None where that is not known."""
        loops = [*first.nest.indices, *second.nest.indices]
        found: list[int] = []
        for one, other in clashes(first.found, second.found):
            if one.buffer in rings or not self.sharing.may_share(one.buffer, other.buffer):
                continue
            rows: DimLike | None = self.maker.rows_between(first, one, second, other)
            if rows is None and first.only is not None and second.only is not None:
                rows = self.sharing.dim(first.only - second.only)
            if isinstance(rows, int):
                found.append(rows)
            elif not self.sharing.is_apart(one, other, loops):
                return None
        return found

    # -- what a loop becomes -----------------------------------------------------------------------------------

    def chosen(
        self,
        loop: For,
        turn: Turn,
        spared: Spared,
        lag: int,
        varying: set[Value | Buffer],
    ) -> Body | None:
        """Return a loop whose turns run together, and go over whole arrays where rows are short or too few; None where they always are."""
        stages = turn.stages
        sums = [stage for stage in stages if stage.summed is not None]
        # Sums of what is there for a row alone, or is exchanged, or stored over, are always added up on the way.
        along = any(
            used(stage.found) & turn.own or self.is_stored(stage, stages[place + 1 :])
            for place, stage in enumerate(stages)
            if stage.summed is not None
        )
        tests = self.follower.tests([stage for stage in stages if along or stage.summed is None], spared.all)
        touched = {
            access.buffer
            for stage in filter(is_whole, stages)
            for access in (*stage.found.reads, *stage.found.writes)
        } - spared.rings.keys()
        rows = sum((product(part.dims[1:]) * part.dtype.itemsize for part in touched), 0 * lag)
        size = sum((product(part.dims) * part.dtype.itemsize for part in touched), 0 * lag)
        is_large = Apply("greater_equal", (integer(size), Constant(_LARGE, INT)), PYBOOL)
        if tests is not None and not (spared.all or shares_rows(stages)):
            # Threads may share such loops; and where no turn lies behind another, all turns of a row may run together (Note [Tiles]).
            if not lag or (self.follower.parallel and any(stage.dense for stage in stages)):
                return None
            tests.append(is_large)
        asked = Accesses()
        asked.dims([self.follower.turns(stages), size])
        asked.dims(dim for ring in spared.rings.values() for dim in ring.dims)
        asked.dims(dim for stage in sums for _, dim in stage.nest.indices)
        for test in tests or ():
            asked.expression(test)
        if tests is None or asked.uses & varying:
            return None
        # One more, as there may be nothing.
        held = Apply("floor_divide", (Constant(_NEAR, INT), integer(rows * max(lag, 1) + 1)), INT)
        turns = Apply("maximum", (_ONE, Apply("minimum", (held, Constant(_TURNS, INT)), INT)), INT)
        together = Apply("bitwise_and", (is_large, all_of(tests)), PYBOOL) if tests else is_large
        most = Apply("select", (together, turns, _ONE), INT)
        over = all_of(tests) if tests else None
        return TurnsOverRows(self.follower, loop, turn, spared.rings, lag, along, _TURNS).body(most, over)

    def is_stored(self, stage: Stage, later: Sequence[Stage]) -> bool:
        """Whether what a stage reads is stored to by those behind it."""
        return any(
            self.sharing.may_share(one.buffer, other.buffer)
            for second in later
            for one in stage.found.reads
            for other in second.found.writes
        )


def _is_single(statement: Statement) -> TypeGuard[Let | Nest]:
    """Whether a statement is about numbers, or single elements."""
    return isinstance(statement, Let) or (isinstance(statement, Nest) and not statement.indices)


def _is_same(statement: Statement, varying: Set[object]) -> bool:
    """Whether a statement finds a whole number that is the same in each turn, and may be found where there is no turn."""
    if not isinstance(statement, Let) or accesses(statement).uses & varying:
        return False
    return all(
        isinstance(part, (Constant, Variable, Position))
        or (isinstance(part, Apply) and (part.name in _WHOLE or dict(part.attributes).get("natural")))
        for part in walk(statement.expression)
    ) and all(part.type.dtype.kind == "i" for part in walk(statement.expression))


def _renamed(stage: Stage, names: Mapping[Buffer, Buffer], varying: Set[object]) -> Stage:
    """Return a stage in a later turn: what differs between turns is something else there, and arrays have the names that they have in the first."""
    indices = {index for index, _ in stage.nest.indices}
    others: dict[Value, Value] = {}

    def named(value: Value) -> DimLike:
        if value in indices or not (value in varying or value in stage.found.local):
            return Dim.of_value(value)
        return Dim.of_value(others.setdefault(value, Value(value.type, value.name)))

    def later(found: Sequence[Access]) -> list[Access]:
        return [
            Access(
                names.get(access.buffer, access.buffer),
                None
                if access.indices is None
                else tuple(substitute(place, named) for place in access.indices),
            )
            for access in found
        ]

    found = replace(stage.found, reads=later(stage.found.reads), writes=later(stage.found.writes))
    return replace(stage, found=found)
