"""Where the items of a list lie whose length run time gives."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import dims_of

from .array import SymbolicArray
from .gaps import gaps_of
from .indexing import as_dim
from .mixed import adopt, leaves_in, widened
from .recorder import recorder
from .row_buffers import RowBuffer, column_of
from .rows import (
    Row,
    built,
    columns_of,
    freeze,
    holds_arrays,
    join_rows,
    pools_of,
    row_of,
    settled_sizes,
)

# Note [Staged lists]
# Lists made by converted code are of a class of their own. As long as their length is known they are lists like any other. One that
# grows in a loop or branch on run-time values, is as long as run time says, or is stored to at a place that run time gives, becomes
# *staged*: its items, numbers of one type, arrays of one dtype and shape, or tuples of such, become the rows of buffers that grow as
# they must, one for each number or array of an item. The items are the rows from `begin` to `end`, which are numbers, or run time's.
# Rows are copies. So an array that has been appended must not be written any more, by whatever name: its storage is frozen.

_START = 4


class Staged(RowBuffer):
    """A list made by converted code.

    Where `row` is not None the list is staged: its items are of this row, and lie in `columns` from `begin` to `end`. A list in a pool is staged, too,
    and has nothing of its own.
    """

    __slots__ = ()

    # Gives the row of a staged list the pools that it needs.
    pooled: ClassVar[Any]

    @property
    def is_staged(self) -> bool:
        """Whether the items are rows."""
        return self.row is not None or self.pool is not None

    @property
    def home(self) -> Staged:
        """The list whose rows the items are: another one for a list in a pool."""
        return self if self.pool is None else self.pool.items

    def span(self) -> tuple[DimLike, DimLike]:
        """Return where the items of a staged list begin and end, in its home."""
        if self.pool is None:
            return as_dim(self.begin), as_dim(self.end)
        return self.pool.span(self.handle)  # type: ignore[no-any-return]

    def stage(self, row: Row) -> None:
        """Become staged, for items of a row."""
        items = list(self)
        row = Staged.pooled(settled_sizes(row))
        types = columns_of(row)
        self.row, self.begin, self.end = row, 0, 0
        self.columns = []
        for type_ in types:
            dims = (max(_START, len(items)), *dims_of(type_))
            value = recorder().emit("empty", dtype=type_.dtype, dims=dims, order=None)
            self.columns.append(column_of(value))
        super().clear()
        for item in items:
            self.append(item)

    def append(self, item: Any) -> None:
        """Add an item."""
        if not self.is_staged:
            super().append(item)
            return
        leaves = self.home.fitting(item)
        if self.pool is not None:
            self.pool.append(self.handle, leaves)
            return
        place = as_dim(self.end)
        self.reserve(place)
        self.write(place, leaves)
        self.end = self.end + 1

    def widen(self, row: Row) -> None:
        """Hold things of a row, too."""
        if self.row is None:
            self.stage(row)
            return
        joined = join_rows(self.row, row)
        if joined != self.row:
            self.become(Staged.pooled(joined))

    def become(self, row: Row) -> None:
        """Be a list of a row that holds all items, and counts their kinds in an order of its own."""
        assert self.row is not None
        if self.row != row:
            for pool in pools_of(row) if holds_arrays(row) else ():
                pool.items.hold_like(self)
            self.columns = list(widened(self.row, row, iter(self.columns), self.columns[0].dims[0]))
            self.row = row

    def fitting(self, item: Any) -> list[Any]:
        """Return what an item is made of, which can be in the columns; a list that does not hold such items yet comes to hold them."""
        self.widen(row_of(item))
        assert self.row is not None
        adopt(self.row, item)
        leaves = leaves_in(self.row, item)
        for leaf in leaves:
            if isinstance(leaf, SymbolicArray):
                self.note_item(leaf)
        return leaves

    def note_item(self, array: SymbolicArray) -> None:
        """Note of an array that the list comes to hold a copy of it."""
        storage = array.storage
        if storage.attribute is not None:
            storage.attribute.note_listed(self)
        known = array.is_view or storage.input is not None or storage.aliases or storage.frozen
        self.shared = self.shared or bool(known) or not recorder().made_this_turn(storage)
        self.copied = max(self.copied, "order" if array.type.order is not None else gaps_of(array))
        freeze(storage)

    def unstage(self, items: Iterable[Any]) -> None:
        """Become a plain list again."""
        self.row, self.columns, self.pool = None, [], None
        super().extend(items)

    def move(self, pool: Any, handle: Any) -> None:
        """Lie in a pool from now on, where the items are already; what the list has of its own is of no use as long as it does."""
        super().clear()
        self.pool, self.handle = pool, handle

    def contents(self) -> dict[Any, Any]:
        """Return what a staged list holds itself, by what it is to be stored under."""
        if self.pool is not None:
            return {"handle": self.handle}
        self.mark()
        return {"begin": self.begin, "end": self.end, **dict(enumerate(self.columns))}

    def inner(self) -> list[Staged]:
        """Return the lists that pools consist of, in which the list or its items lie."""
        pools = pools_of(self.row) if self.pool is None else [self.pool]
        return [things for pool in pools for things in pool.lists()]

    def put(self, key: Any, value: Any) -> None:
        """Have a staged list hold something."""
        if isinstance(key, str):
            setattr(self, key, value)
            if key == "row" and value is not None:
                del self.columns[len(columns_of(value)) :]
        elif key < len(self.columns):
            self.columns[key] = value
        else:
            recorder().unstageable(
                "S152-unstable", "a list is known item by item on some turns of a loop, and not on others"
            )

    def size(self) -> DimLike:
        """Return the length as a dim."""
        if not self.is_staged:
            return super().__len__()
        first, last = self.span()
        return last - first

    def at(self, place: DimLike) -> Any:
        """Return the item at a place that is in range."""
        home = self.home
        assert home.row is not None
        return built(home.row, home.leaves_at(place + self.span()[0]))

    def rows(self) -> list[SymbolicArray]:
        """Return the items as the rows of arrays, one for each column, which must not be written."""
        first, last = self.span()
        return self.home.between(first, last - first)
