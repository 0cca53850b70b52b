"""Pools: where the lists that are items of lists lie."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import INT

from .array import dim_scalar
from .array_pools import ArrayPool, counted
from .indexing import as_dim
from .lists import StagedList
from .operand import Operand
from .recorder import recorder
from .rows import Arrays, Lists, Record, Row, in_pools, pools_of
from .staged import Staged

# Note [Pools]
# The items of a staged list may be lists. Those lie in a pool: one list holds the items of all of them, another where each begins, where it ends
# and how far there is room for it. What the list of lists holds are their numbers in the pool. So two names, or two places of a list, that lead to
# one list lead to one number, and lists that are swapped are swapped numbers. A list that has no room left moves to the end of the pool.
# A pool that holds no item yet does not know what its lists hold. It is found out at the first one, as lists find out that they grow.


class Pool:
    """Lists of items of one row."""

    def __init__(self, items: StagedList | None = None, spans: StagedList | None = None) -> None:
        self.items = StagedList() if items is None else items
        self.spans = StagedList() if spans is None else spans
        if spans is None:
            self.spans.stage(Record(tuple, (INT, INT, INT)))

    def lists(self) -> tuple[StagedList, StagedList]:
        """Return the lists that the pool consists of."""
        return self.items, self.spans

    def member(self, handle: Any) -> StagedList:
        """Return the list of a number."""
        found = StagedList()
        found.move(self, handle)
        return found

    def span(self, handle: Any) -> tuple[DimLike, DimLike]:
        """Return where a list begins and ends."""
        if self.items.row is None:
            return 0, 0
        first, last, _ = self.spans.at(as_dim(handle))
        return as_dim(first), as_dim(last)

    def adopt(self, things: Any) -> None:
        """Have a list lie in the pool."""
        record = recorder()
        if things.pool is self:
            return
        if things.pool is not None:
            record.unstageable(
                "S176-pools", "a list is an item of lists that have nothing to do with each other"
            )
        if _leads_to(things.row, self):
            record.unstageable("S176-pools", "a list is an item of itself")
        if id(things) in record.handed:
            record.unstageable("S176-pools", "a list of the caller's becomes an item of a list")
        own, size = self.items, things.size()
        if own.row is None and (things.row is not None or size != 0):
            own.stage(things.row if things.row is not None else things.row_of_all())
        first: DimLike = 0 if own.row is None else as_dim(own.end)
        if things.row is None:
            for item in list(things):
                own.append(item)
        else:
            own.widen(things.row)
            things.become(own.row)
            own.reserve(first + size - 1)
            own.write_rows(first, things.rows(), size)
            own.hold_like(things)
            own.end = counted(first + size)
        last = dim_scalar(first + size)
        self.spans.append((dim_scalar(first), last, last))
        things.move(self, self.spans.length - 1)

    def append(self, handle: Any, leaves: list[Any]) -> None:
        """Add an item to a list: in its room, or where it is moved to."""
        number = as_dim(handle)
        _, last, room = self.spans.at(number)
        Operand.when(last == room, self._move, handle)
        last = self.spans.at(number)[1]
        self.items.write(as_dim(last), leaves)
        self.spans.write_leaf(1, number, last + 1)

    def _move(self, handle: Any) -> None:
        """Give a list more room, at the end of the pool."""
        number, own = as_dim(handle), self.items
        first, last, _ = map(as_dim, self.spans.at(number))
        size, place = last - first, as_dim(own.end)
        end = place + 2 * size + 4
        own.reserve(end - 1)
        own.write_rows(place, own.between(first, size), size)
        own.end = counted(end)
        self.spans.write(number, [dim_scalar(place), dim_scalar(place + size), dim_scalar(end)])

    def replace(self, handle: Any, things: StagedList) -> None:
        """Have a list hold what another one does."""
        own, size = self.items, things.size()
        if own.row is None:
            return
        own.widen(things.row)  # type: ignore[arg-type]
        things.become(own.row)
        place = as_dim(own.end)
        own.reserve(place + size - 1)
        own.write_rows(place, things.rows(), size)
        own.hold_like(things)
        own.end = counted(place + size)
        self.spans.write(as_dim(handle), [dim_scalar(place), own.end, own.end])

    def cut(self, handle: Any, first: DimLike, last: DimLike) -> None:
        """Have a list begin and end elsewhere."""
        number = as_dim(handle)
        self.spans.write_leaf(0, number, dim_scalar(first))
        self.spans.write_leaf(1, number, dim_scalar(last))


def _leads_to(row: Row | None, pool: Pool) -> bool:
    """Whether the lists in a row lie in a pool, or lists in those do."""
    return any(
        own is None or own is pool or (isinstance(own, Pool) and _leads_to(own.items.row, pool))
        for own in pools_of(row)
    )


def _pooled(row: Row) -> Row:
    """Return a row whose lists lie in pools that are known here."""
    return in_pools(row, lambda own: known_pool(own) or new_pool(own))


def new_pool(row: Lists | Arrays, parts: Iterable[StagedList] = ()) -> Pool | ArrayPool:
    """Return a pool for what is of a row: a new one, or one that consists of the next of some lists."""
    if isinstance(row, Arrays):
        return ArrayPool(row.dtype, *itertools.islice(parts, 1))
    return Pool(*itertools.islice(parts, 2))


def known_pool(row: Lists | Arrays) -> Pool | ArrayPool | None:
    """Return the pool of a row, if that was made in the region being recorded, or around it."""
    if row.pool is None or not recorder().knows(row.pool.lists()[-1].columns[0].storage):
        return None
    return row.pool  # type: ignore[no-any-return]


Staged.pooled = staticmethod(_pooled)
