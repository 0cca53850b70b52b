"""Runs nests tile by tile where arrays lie across each other, so that a line of memory that is fetched serves for all that is read of it.

Before:
    for i in range(n):
        for j in range(m): y[i, j] = x[j, i]
After:
    for first in range(0, n, 32):
        count = min(32, n - first)
        for first_1 in range(0, m, 512):
            count_1 = min(512, m - first_1)
            for i in range(count):
                for j in range(count_1): y[first + i, first_1 + j] = x[first_1 + j, first + i]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from transpile.runtime.graph.dim import Dim, DimLike, values_of
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL

from .accesses import Access, accesses
from .expression import Apply, Constant, Position
from .nests import Loop, moved_nest, parts_of
from .sharing import Sharing, all_bodies
from .statement import Body, For, Fused, Let, Nest, Reduction, Spread, Statement

# How many indices of a tile there are: of the loop along which lines of the turned array go, several lines' worth; of the innermost, as many as are computed at a time.
_ACROSS, _ALONG = 32, 512


class Crosser:
    """Tiles the nests of a program that cross memory."""

    def __init__(self, sharing: Sharing, name: Callable[[str], str]) -> None:
        self.sharing = sharing
        self.name = name

    def program(self, body: Body) -> None:
        """Tile the nests in a body, in place."""
        for inner in list(all_bodies(body)):
            inner[:] = [self.statement(statement) for statement in inner]

    def statement(self, nest: Statement) -> Statement:
        """Return a nest, tiled where that can be done and pays."""
        if not isinstance(nest, (Nest, Fused)) or len(nest.indices) < 2:
            return nest
        if any(isinstance(part, Reduction) for part in parts_of(nest)):
            return nest
        loops = nest.indices
        found = accesses(nest)
        across = self.across(loops, [access for access in (*found.reads, *found.writes) if access.indices])
        indices = {index for index, _ in loops}
        if across is None or any(indices & set(values_of(dim)) for _, dim in loops):
            return nest
        # Every index may have its turn at any time.
        if found.leaves or not self.sharing.keeps_order(found, found, loops):
            return nest
        return self.tiled(nest, across)

    def across(self, loops: list[Loop], found: list[Access]) -> int | None:
        """Return the place of a loop that goes along some array where the innermost goes across it, and along another one."""
        inner, extent = loops[-1]
        along = [set(values_of(access.indices[access.buffer.axes[-1]])) for access in found if access.indices]
        if not any(inner in values for values in along) or _is_short(extent, _ACROSS):
            return None
        for place, (index, dim) in enumerate(loops[:-1]):
            if not _is_short(dim, _ACROSS) and any(
                index in values and inner not in values and inner in _moving(access)
                for access, values in zip(found, along, strict=True)
            ):
                return place
        return None

    def tiled(self, nest: Nest | Fused, across: int) -> Statement:
        """Return a nest over tiles of two of its loops, inside of the loops around both."""
        loops = nest.indices
        tiles = [(loops[across], _ACROSS), (loops[-1], _ALONG)]
        firsts = {index: Value(INT, self.name("first")) for (index, _), _ in tiles}
        counts = {index: Value(INT, self.name("count")) for (index, _), _ in tiles}
        kept = [
            *loops[across + 1 : -1],
            *((index, Dim.of_value(counts[index])) for (index, _), _ in tiles),
        ]

        def at(value: Value) -> DimLike:
            return Dim.of_value(value) + (Dim.of_value(firsts[value]) if value in firsts else 0)

        statement: Statement = replace(moved_nest(nest, at), indices=kept, spread=None)
        spread = nest.spread
        for (index, extent), size in reversed(tiles):
            first, most = firsts[index], Constant(size, INT)
            rest = Position(extent - Dim.of_value(first), INT)
            count = Apply("select", (Apply("less", (most, rest), PYBOOL), most, rest), INT)
            own = Spread(first, spread.work * size) if spread is not None and spread.index is index else None
            body: Body = [Let(counts[index], count), statement]
            statement = For(
                first, Constant(0, INT), Position(extent, INT), most, body, None, nest.location, own
            )
        for index, extent in reversed(loops[:across]):
            own = spread if spread is not None and spread.index is index else None
            statement = For(
                index,
                Constant(0, INT),
                Position(extent, INT),
                Constant(1, INT),
                [statement],
                None,
                nest.location,
                own,
            )
        return statement


def _is_short(dim: DimLike, length: int) -> bool:
    return isinstance(dim, int) and dim <= length


def _moving(access: Access) -> set[Value]:
    """Return the values in the index of an access."""
    return {value for place in access.indices or () for value in values_of(place)}
