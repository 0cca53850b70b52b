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

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass

from transpile.runtime.graph.dim import DimLike, product
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL

from .accesses import Accesses, accesses
from .blocks import Blocks, blocks_of
from .buffer import Buffer
from .contract import Contracter
from .expression import Apply, Constant, Expression, Position
from .program import Program
from .ring import Rings, Stage, used
from .row_loop import RowLoop, all_of, end_of, integer
from .sharing import Sharing, all_bodies
from .skew import Skewer
from .stages import REACH, Stages, is_whole, length_of, long_rows, rows_of, shares_rows
from .statement import Allocate, Body, CheckedLet, For, If, LeaveIf, Let, Reshape, Statement, While
from .steps import Steps

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
# Steps compute for longer than they wait, too: they go along where threads share the loop over rows (Note [Blocks]), or there are none.
#
# The sum of all elements goes along where memory of what it goes over is spared by that: row by row it takes longer than by itself, which is more than reading what is in caches.

# How many elements nests that keep all they store go over at least, in all and in a row: such as caches do not hold from one to the next; and how many those that threads would share.
_LARGE, _LINES, _LARGER = 1 << 17, 128, 1 << 19
# How many elements those have that are added up on the way, and memory that is begun anew for each turn: such as the nearer caches do not hold.
_SUMMED = _RENEWED = 1 << 15


@dataclass(frozen=True)
class Spared:
    """Stages with less memory than they had: the rings that they have instead of buffers, and the buffers that they do without."""

    stages: list[Stage]
    rings: dict[Buffer, Buffer]
    gone: set[Buffer]

    @property
    def all(self) -> set[Buffer]:
        """What is not stored whole."""
        return self.rings.keys() | self.gone


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
        skewed = Skewer(self).program(program.body)
        for inner in list(all_bodies(program.body)):
            if id(inner) in skewed:
                continue
            result: Body = []
            place = 0
            body, fills = self.rings.with_fills(inner)
            while place < len(body):
                stages, before, behind, end = self.stages(body, place)
                in_loop = id(inner) in again
                spared = self.spared(stages, inner, self.parallel and not in_loop)
                vain = fills.intersection(body[place : max(end, place + 1)]) - {
                    fill for fill in fills if fill.target.buffer in spared.all
                }
                sums = {
                    stage.summed for stage in stages if stage.summed and not used(stage.found) & spared.all
                }
                if sums:
                    self.maker.left |= sums
                    continue
                is_shared = self.parallel and spared.rings and not in_loop
                blocks = blocks_of(stages, spared.rings, self.maker) if is_shared else None
                steps = {stage.nest.loop for stage in stages if isinstance(stage.nest, Steps)}
                if steps and self.parallel and blocks is None:
                    self.maker.left |= steps
                    continue
                if vain:
                    body = [statement for statement in body if statement not in vain]
                    fills -= vain
                    continue
                if spared.all or (in_loop and shares_rows(stages)):
                    apart = {*before, *behind, *fills}
                    whole = [statement for statement in body[place:end] if statement not in apart]
                    result += [*before, *self.chosen(spared, whole, blocks), *behind]
                else:
                    result.append(body[place])
                    end = place + 1
                place = end
            inner[:] = result
        for inner in all_bodies(program.body):
            inner[:] = [statement for statement in inner if statement not in self.rings.needless]

    def spared(self, stages: list[Stage], around: Body, in_blocks: bool) -> Spared:
        """Return stages of a loop in a body, which may run in blocks, as they are with less memory, and of what."""
        if len(stages) < 2:
            return Spared(stages, {}, set())
        alone = self.rings.alone(stages, around)
        gone: set[Buffer] = set()
        if not in_blocks:
            stages, gone = Contracter(self.maker).stages(stages, alone)
        return Spared(stages, self.rings.shorten(stages, [part for part in alone if part not in gone]), gone)

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

    def chosen(self, spared: Spared, whole: Body, blocks: Blocks | None) -> Body:
        """Return nests as they were where rows are short or too few, and in one loop, with its rings, elsewhere."""
        stages = spared.stages
        first = next(stage for stage in stages if is_whole(stage))
        turns = self.turns(stages)
        tests = self.tests(stages, spared.all, blocks is not None)
        if tests is None:
            return whole
        rows = RowLoop(Value(INT, "row"), blocks)
        rows.add(stages)
        start, stop, step = Constant(0, INT), Position(turns, INT), Constant(1, INT)
        over = For(rows.row, start, stop, step, rows.body, None, first.nest.location, in_order=True)
        loop: Body = [*rows.begins, *([over] if blocks is None else blocks.around(over)), *rows.ends]
        if not tests:
            self.rings.make(spared.rings, spared.gone)
            return loop
        made = map(Allocate, spared.rings.values())
        return [If(all_of(tests), [*made, *loop], whole, first.nest.location)]

    def turns(self, stages: Sequence[Stage]) -> DimLike:
        """Return how many turns a loop over the rows of stages has."""
        first = next(stage for stage in stages if is_whole(stage))
        # A nest that runs only where a variable says so may be the first, and have more rows than what the others are measured by.
        assert first.longer is not None
        return self.sharing.dim(rows_of(first) - first.longer + max(map(end_of, stages)))

    def tests(
        self, stages: Sequence[Stage], spared: Set[Buffer], in_blocks: bool = False
    ) -> list[Expression] | None:
        """Return what has to hold for a loop over the rows of stages, or over blocks of them, to pay; None where it is known not to."""
        first = next(stage for stage in stages if is_whole(stage))
        turns = self.turns(stages)
        shared = self.parallel and not in_blocks and any(stage.dense for stage in stages)
        least = _SUMMED if any(stage.summed for stage in stages) else 0
        if all(buffer in self.rings.renewed for buffer in spared):
            least = _RENEWED if spared else _LARGE
        enough = [
            (length_of(first.nest), long_rows(stages) if spared else _LINES),
            (
                product(tuple(dim for _, dim in first.nest.indices)),
                _LARGER if shared else least,
            ),
            *((turns, stage.only + stage.delay + 1) for stage in stages if stage.only is not None),
        ]
        if any(self.is_less(there + 1, wanted) for there, wanted in enough):
            return None
        return [
            Apply("greater_equal", (integer(there), integer(wanted)), PYBOOL)
            for there, wanted in dict.fromkeys(enough)
            if wanted != 0 and not self.is_less(wanted, there)
        ]

    def is_less(self, least: DimLike, most: DimLike) -> bool:
        """Whether a dim is known to be no more than another one."""
        beyond = self.sharing.dim(self.sharing.dim(most) - self.sharing.dim(least))
        return isinstance(beyond, int) and beyond >= 0


def _bodies_of_loops(body: Body) -> Iterator[Body]:
    """Yield the bodies of the loops over statements in a body, and those inside them."""
    for inner in all_bodies(body):
        for statement in inner:
            if isinstance(statement, (For, While)):
                yield from all_bodies(statement.body)
