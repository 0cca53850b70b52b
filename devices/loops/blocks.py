"""Parts a loop over rows in blocks that several threads may run, where its stages find in memory nothing that they store but a few rows, which each block computes for itself.

Before:
    for row in range(n + 1):
        if row < n:
            for j in range(m): t[row & 1, j] = exp(x[row, j])
        if row >= 1:
            for j in range(m): y[row - 1, j] = t[row & 1, j] - t[row - 1 & 1, j]
After:
    height = (n + blocks) // blocks
    for block in range(blocks):
        begin = block * height
        end = min(begin + height, n + 1)
        for row in range(max(begin - 1, 0), end):
            if row < n:
                for j in range(m): t[(row & 1) + 2 * block, j] = exp(x[row, j])
            if row >= 1:
                if row >= begin:
                    for j in range(m): y[row - 1, j] = t[(row & 1) + 2 * block, j] - t[(row - 1 & 1) + 2 * block, j]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from transpile.runtime.graph.dim import Dim, DimLike, substitute
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL

from .accesses import Access
from .buffer import Buffer, Variable
from .expression import Apply, Constant, Expression, Position
from .nests import parts_of
from .ring import Stage, used
from .sharing import clashes
from .spread import TURNS, costs, work
from .stages import Stages
from .statement import Body, For, Fused, If, Let, Nest, Reduction, Spread
from .steps import Steps, inside

# Note [Blocks]
# What the stages of a loop over rows find in rings (Note [Rings]) others have stored a few rows before. A block of rows that another thread begins with needs these rows, too: it runs the stages that
# store into rings alone for as many rows before its first. It has rings of its own, for all of which there is memory. What is stored elsewhere is stored by the block whose row it is: no stage may touch
# what another one stores there at another row.
#
# It pays where nests compute for longer than they wait for what is not in rings.

# How many blocks there are at most; how many times as many rows each has as it computes for itself before them, and how much work there is in it.
_BLOCKS, _ROWS, _WORK = 4, 16, 5_000_000
# How much is to be computed for an array that is read or stored.
_DENSE = 3


class Blocks:
    """The blocks of a loop of stages, given how many rows before its first a block begins with each; None where it is stored elsewhere than in rings."""

    def __init__(self, before: Mapping[int, int | None]) -> None:
        self.before = before
        self.most = max((rows for rows in before.values() if rows is not None), default=0)
        self.begin = Value(INT, "begin")
        self.block = Value(INT, "block")

    def lay(self, stages: Sequence[Stage], rings: Iterable[Buffer]) -> None:
        """Have each block find its rows in rings of its own, in place."""
        lengths = {}
        for ring in rings:
            length, *rest = ring.dims
            assert isinstance(length, int)
            lengths[length - 1] = length
            ring.dims = (length * _BLOCKS, *rest)
        for stage in stages:
            stage.places = [self.place(place, lengths) for place in stage.places]

    def place(self, place: Let, lengths: Mapping[int, int]) -> Let:
        """Return where in a block's ring a row lies."""
        assert isinstance(place.expression, Apply) and isinstance(place.expression.operands[1], Constant)
        length = lengths[place.expression.operands[1].value]
        first = Position(Dim.of_value(self.block) * length, INT)
        return replace(place, expression=Apply("add", (place.expression, first), INT))

    def guarded(self, stage: Stage, row: Value, body: Body) -> Body:
        """Return what a stage does in a block, which begins with it no sooner than it has to."""
        rows = self.before[id(stage)] or 0
        if rows == self.most:
            return body
        least = Dim.of_value(self.begin) - rows
        test = Apply("greater_equal", (Variable(row), Position(least, INT)), PYBOOL)
        return [If(test, body, [])]

    def around(self, loop: For) -> Body:
        """Return a loop over rows in blocks."""
        rows = Value(INT, "rows")
        turn = work(loop.body, {loop.index})
        blocks, height, end = (Value(INT, name) for name in ("blocks", "height", "end"))
        own = Dim.of_value(rows)
        most: list[Expression] = [
            Constant(_BLOCKS, INT),
            _divided(own, _ROWS * max(self.most, 1)),
            _divided(own * turn, _WORK),
        ]
        number = Apply("minimum", (Apply("minimum", (most[0], most[1]), INT), most[2]), INT)
        begin, stop = Dim.of_value(self.begin), Dim.of_value(self.begin) + Dim.of_value(height)
        start = Apply("maximum", (Position(begin - self.most, INT), Constant(0, INT)), INT)
        shared = Spread(self.block, Dim.of_value(height) * turn)
        inner = replace(loop, start=start, stop=Variable(end))
        return [
            Let(rows, loop.stop),
            Let(blocks, Apply("maximum", (number, Constant(1, INT)), INT)),
            Let(height, _divided(own + Dim.of_value(blocks) - 1, Variable(blocks))),
            For(
                self.block,
                Constant(0, INT),
                Variable(blocks),
                Constant(1, INT),
                [
                    Let(self.begin, Position(Dim.of_value(self.block) * Dim.of_value(height), INT)),
                    Let(end, Apply("minimum", (Position(stop, INT), Variable(rows)), INT)),
                    inner,
                ],
                None,
                loop.location,
                shared,
                is_apart=True,
            ),
        ]


def blocks_of(stages: Sequence[Stage], rings: Mapping[Buffer, Buffer], maker: Stages) -> Blocks | None:
    """Return the blocks of a loop of stages that store in rings instead of some buffers, and lay their rings; None where it has none, or that does not pay."""
    kept = set(rings)
    if any(stage.summed is not None or _gathers(stage) for stage in stages) or not pays(stages, kept):
        return None
    before: dict[int, int | None] = {}
    for stage in stages:
        stored = {access.buffer in kept for access in stage.found.writes}
        if len(stored) != 1:
            return None
        before[id(stage)] = 0 if True in stored else None
    in_order: set[int] = set()
    delays = _together(stages, kept, maker)
    for number, first in reversed([*enumerate(stages)]):
        for place, second in enumerate(stages):
            for one, other, later in _meetings(first, second, maker):
                lag = None if later is None else delays[id(second)] - delays[id(first)] - later
                if one.buffer not in kept:
                    if not _is_apart(first, one, second, other, maker):
                        if lag != 0:
                            return None
                        in_order |= {id(first), id(second)}
                elif place > number and one in first.found.writes:
                    if lag is None or lag < 0:
                        return None
                    own, wanted = before[id(first)] or 0, before[id(second)] or 0
                    before[id(first)] = max(own, wanted + lag)
                elif place == number and lag != 0:
                    return None
    # What a block computes for itself before its first row it does not find where the block before it stores.
    if any(before[stage] for stage in in_order):
        return None
    for stage in stages:
        stage.delay = delays[id(stage)]
    blocks = Blocks(before)
    blocks.lay(stages, rings.values())
    return blocks


def _together(stages: Sequence[Stage], kept: set[Buffer], maker: Stages) -> dict[int, int]:
    """Return by how many rows stages lie behind the first, where those that have nothing to do with rings come to a row no sooner than the next one that stores over it."""
    delays = {id(stage): stage.delay for stage in stages}
    for number, first in reversed([*enumerate(stages)]):
        if not used(first.found) & kept:
            lags = [
                delays[id(second)] - delays[id(first)] - later
                for second in stages[number + 1 :]
                for _, _, later in _meetings(first, second, maker)
                if later is not None
            ]
            delays[id(first)] += max(0, min(lags, default=0))
    return delays


def _meetings(first: Stage, second: Stage, maker: Stages) -> Iterator[tuple[Access, Access, int | None]]:
    """Yield the accesses to memory that two stages may share, of which one stores, with how many rows later the first comes to an element, None where that is not known."""
    for one, other in clashes(first.found, second.found):
        if maker.sharing.may_share(one.buffer, other.buffer):
            yield one, other, maker.rows_between(first, one, second, other)


def pays(stages: Sequence[Stage], kept: set[Buffer]) -> bool:
    """Whether stages compute for longer than they wait for what is not in rings."""
    found = [access for stage in stages for access in (*stage.found.reads, *stage.found.writes)]
    outside = {access.buffer.root for access in found} - kept
    total = sum(
        costs(parts_of(nest)) * (TURNS if isinstance(stage.nest, Steps) else 1)
        for stage in stages
        for nest in _nests(stage)
    )
    return total >= _DENSE * len(outside)


def _nests(stage: Stage) -> list[Nest | Fused]:
    if isinstance(stage.nest, (Nest, Fused)):
        return [stage.nest]
    return [part for part in inside(stage.nest.body) if isinstance(part, (Nest, Fused))]


def _gathers(stage: Stage) -> bool:
    return any(isinstance(part, Reduction) for nest in _nests(stage) for part in parts_of(nest))


def _is_apart(first: Stage, one: Access, second: Stage, other: Access, maker: Stages) -> bool:
    """Whether two accesses are proved never to meet."""
    if first is second or isinstance(first.nest, Steps) or isinstance(second.nest, Steps):
        return False
    loops = [*first.nest.indices, *second.nest.indices]
    return maker.sharing.is_apart(_known(one, first), _known(other, second), loops)


def _known(access: Access, stage: Stage) -> Access:
    """Return an access of a stage in its only row, if it has no more."""
    only = stage.only
    if only is None or access.indices is None:
        return access

    def named(value: Value) -> DimLike:
        return only if value is stage.index else Dim.of_value(value)

    return Access(access.buffer, tuple(substitute(place, named) for place in access.indices))


def _divided(dim: DimLike, by: int | Variable) -> Apply:
    divisor = Constant(by, INT) if isinstance(by, int) else by
    return Apply("floor_divide", (Position(dim, INT), divisor), INT, (("natural", True),))
