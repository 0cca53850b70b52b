"""Lists whose length run time gives."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, ClassVar, NoReturn

from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import dims_of

from .array import SymbolicArray, dim_scalar
from .indexing import as_dim, is_integer, slice_axis
from .numbers import raise_if
from .operand import Operand
from .recorder import NeedsValue, recorder
from .row_buffers import RowBuffer, column_of
from .rows import (
    NUMBERS,
    Lists,
    Row,
    adopt,
    built,
    columns_of,
    freeze,
    leaves_of,
    pools_of,
    row_of,
    same_row,
)
from .scalar import SymbolicScalar
from .union import Union

# Note [Staged lists]
# Lists made by converted code are of a class of their own. As long as their length is known they are lists like any other. One that
# grows in a loop or branch on run-time values, is as long as run time says, or is stored to at a place that run time gives, becomes
# *staged*: its items, numbers of one type, arrays of one dtype and shape, or tuples of such, become the rows of buffers that grow as
# they must, one for each number or array of an item. The items are the rows from `begin` to `end`, which are numbers, or run time's.
# Rows are copies. So an array that has been appended must not be written any more, by whatever name: its storage is frozen.
# The codes of errors that say that items cannot be rows.
UNFIT = ("S162-list", "S163-items")

_START = 4

# The length of lists up to which one whose items are known stays so: one that is read at a place that run time gives is laid out in memory there.
TABLE = 64


class StagedList(RowBuffer):
    """A list made by converted code.

    Where `row` is not None the list is staged: its items are of this row, and lie in `columns` from `begin` to `end`. It is `shared` where an item may
    be an array that is known otherwise, too, or may be in it twice. A list in a pool is staged, too, and has nothing of its own.
    """

    __slots__ = ()

    # Gives the row of a staged list the pools that it needs.
    pooled: ClassVar[Any]

    @property
    def is_staged(self) -> bool:
        """Whether the items are rows."""
        return self.row is not None or self.pool is not None

    @property
    def home(self) -> StagedList:
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
        row = StagedList.pooled(row)
        types = columns_of(row)
        if not all(recorder().visible(dim) for type_ in types for dim in dims_of(type_)):
            recorder().unstageable(
                "S162-list", "a list grows by arrays whose size is not known where the loop begins"
            )
        self.row, self.begin, self.end = row, 0, 0
        self.columns = []
        for type_ in types:
            dims = (max(_START, len(items)), *dims_of(type_))
            value = recorder().emit("empty", dtype=type_.dtype, dims=dims, order=None)
            self.columns.append(column_of(value))
        super().clear()
        for item in items:
            self.append(item)

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
        return {"begin": self.begin, "end": self.end, **dict(enumerate(self.columns))}

    def inner(self) -> list[StagedList]:
        """Return the lists that pools consist of, in which the list or its items lie."""
        pools = pools_of(self.row) if self.pool is None else [self.pool]
        return [things for pool in pools for things in (pool.items, pool.spans)]

    def put(self, key: Any, value: Any) -> None:
        """Have a staged list hold something."""
        if isinstance(key, str):
            setattr(self, key, value)
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

    # -- what a program does -----------------------------------------------------------------------------------

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

    def fitting(self, item: Any) -> list[Any]:
        """Return what an item is made of, which can be in the columns; a list in a pool that holds nothing yet has it hold such items."""
        own = row_of(item)
        if self.row is None:
            self.stage(own)
        assert self.row is not None
        if not same_row(own, self.row):
            recorder().unstageable("S163-items", f"a list of {self.row} is given a {own}")
        adopt(self.row, item)
        leaves = leaves_of(item)
        for leaf in leaves:
            if isinstance(leaf, SymbolicArray):
                storage = leaf.storage
                known = leaf.is_view or storage.input is not None or storage.aliases or storage.frozen
                self.shared = self.shared or bool(known) or not recorder().made_this_turn(storage)
                freeze(storage)
        return leaves

    def extend(self, items: Iterable[Any]) -> None:
        """Add items."""
        if isinstance(items, Union):
            items = items.resolved()
        staged = isinstance(items, StagedList) and items.is_staged
        if staged and items.home.row is None:  # type: ignore[attr-defined]
            return
        if staged and not self.is_staged:
            self.stage(items.home.row)  # type: ignore[attr-defined]
        if staged and self.pool is None:
            self._join(items)  # type: ignore[arg-type]
        elif staged:
            self.replace(slice(dim_scalar(self.size()), None), items)
        elif self.is_staged:
            for item in items:
                self.append(item)
        else:
            super().extend(items)

    def _join(self, others: StagedList) -> None:
        """Add the items of a staged list."""
        row = others.home.row
        assert self.row is not None and row is not None
        if not same_row(self.row, row):
            recorder().unstageable("S163-items", f"a list of {self.row} is given those of a list of {row}")
        end = self.size() + others.size()
        for number, (own, other) in enumerate(zip(self.rows(), others.rows(), strict=True)):
            joined = recorder().emit("concatenate", own.read(), other.read(), axis=0, order=None)
            self.columns[number] = column_of(joined)
        self.begin, self.end = 0, dim_scalar(end)
        self.shared = self.shared or others.shared or any(column.ndim > 1 for column in self.columns)

    def __add__(self, others: Any) -> Any:
        if _may_be_array(others):
            return NotImplemented  # which adds its elements
        if not (self.is_staged or (isinstance(others, StagedList) and others.is_staged)):
            return StagedList(super().__add__(others))
        if not isinstance(others, list):
            return super().__add__(others)
        made = self.copy()
        made.extend(others)
        return made

    def __iadd__(self, items: Iterable[Any]) -> StagedList:  # type: ignore[misc]
        if _may_be_array(items):
            return NotImplemented
        self.extend(items)
        return self

    def pop(self, key: Any = -1, otherwise: str = "pop from empty list") -> Any:
        """Take an item out. Where there is none, an IndexError says `otherwise`."""
        if not self.is_staged and not (isinstance(key, SymbolicScalar) and self.row_of_numbers() is not None):
            if not self:
                raise IndexError(otherwise)
            return super().pop(key)
        if not self.is_staged:
            self.stage(row_of(self[0]))
        raise_if(self.length == 0, lambda: IndexError(otherwise))
        return self.taken_out(self.place(key, "pop index out of range"))

    def taken_out(self, place: DimLike) -> Any:
        """Take out the item at a place that is in range: what is behind it moves up, unless it is the first one."""
        home, (first, last) = self.home, self.span()
        assert home.row is not None
        leaves = home.leaves_at(first + place)
        item = built(home.row, (Operand.copied(x) if isinstance(x, SymbolicArray) else x for x in leaves))
        if place == 0:
            self.cut(first + 1, last)
            return item
        behind = last - first - place - 1
        if behind != 0:
            home.write_rows(first + place, home.between(first + place + 1, behind), behind)
        self.cut(first, last - 1)
        return item

    def cut(self, first: DimLike, last: DimLike) -> None:
        """Begin and end elsewhere, within the room that there is."""
        if self.pool is not None:
            self.pool.cut(self.handle, first, last)
        else:
            self.begin, self.end = dim_scalar(first), dim_scalar(last)

    def clear(self) -> None:
        """Take all items out."""
        if self.pool is not None:
            self.cut(self.span()[0], self.span()[0])
            return
        if not self.is_staged:
            super().clear()
        self.begin = self.end = 0

    def copy(self) -> StagedList:
        """Return a list of the same items."""
        return self[:] if self.is_staged else StagedList(self)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, slice):
            return self.item(key)
        return self._slice(key) if self.is_staged else StagedList(super().__getitem__(key))

    def __setitem__(self, key: Any, item: Any) -> None:
        if not self.is_staged and is_run_time(key):
            row = self.row_of_numbers()
            if row is not None:
                self.stage(row)
        if not self.is_staged:
            super().__setitem__(_known(key), item)
            return
        if isinstance(key, slice):
            self.replace(key, item)
            return
        place = self.place(key, "list assignment index out of range")
        home = self.home
        leaves = home.fitting(item)
        home.write(place + self.span()[0], leaves)

    def item(self, key: Any, otherwise: str = "list index out of range") -> Any:
        """Return an item; an IndexError says `otherwise`."""
        if self.is_staged:
            return self.at(self.place(key, otherwise))
        if isinstance(key, SymbolicScalar) and is_integer(key) and self._holds_lists():
            self.stage(row_of(self[0]))
            return self.at(self.place(key, otherwise))
        if isinstance(key, SymbolicScalar) and is_integer(key) and not super().__len__():
            raise IndexError(otherwise)
        if (
            isinstance(key, SymbolicScalar)
            and is_integer(key)
            and self.row_of_numbers() is not None
            and len(self) <= TABLE
        ):
            # The list itself stays what it is: its items may have to be known elsewhere.
            table = StagedList(self)
            table.stage(row_of(self[0]))
            return table.item(key, otherwise)
        try:
            return super().__getitem__(_known(key))
        except IndexError as error:
            raise IndexError(otherwise if "out of range" in str(error) else str(error)) from None

    def replace(self, key: slice, items: Any) -> None:
        """Put items in the place of others."""
        start, length, step = slice_axis(key, self.size())
        if step != 1:
            self.refuse("an assignment to some of the items")
        made, after = self[: dim_scalar(start)], self[dim_scalar(start + length) :]
        made.extend(items)
        made.extend(after)
        if self.pool is not None:
            self.pool.replace(self.handle, made)
        else:
            self.columns, self.begin, self.end = made.columns, made.begin, made.end

    def keep_last(self, most: int) -> None:
        """Take the first items out where there are more than there may be."""
        if self.is_staged:
            over = self.length - most
            self.begin = self.begin + over * (over > 0)  # a deque's list is in no pool
        else:
            del self[: max(len(self) - most, 0)]

    def row_of_numbers(self) -> Row | None:
        """Return the row that all items fit into; None where there is none, or an item is neither a number nor a list."""
        if self._holds_lists():
            return Lists(None)
        if not self or not all(isinstance(leaf, NUMBERS) for item in self for leaf in leaves_of(item)):
            return None
        row = row_of(self[0])
        return row if all(row_of(item) == row for item in self) else None

    def row_of_all(self) -> Row:
        """Return the row of the items of a plain list, of which there are some."""
        return row_of(list.__getitem__(self, 0))

    def _holds_lists(self) -> bool:
        """Whether all items are lists made by converted code."""
        return bool(self) and all(isinstance(item, StagedList) for item in list.__iter__(self))

    def _slice(self, key: slice) -> StagedList:
        made = StagedList()
        home, first = self.home, self.span()[0]
        if home.row is None:
            return made
        start, length, step = slice_axis(key, self.size())
        made.row, made.shared, made.end = home.row, home.shared, dim_scalar(length)
        for rows in home.between(first + start, length, step):
            made.columns.append(Operand.copied(rows))
            freeze(made.columns[-1].storage)
        made.shared = made.shared or any(column.ndim > 1 for column in made.columns)
        return made

    @property
    def length(self) -> Any:
        """How many items there are: a number, or run time's."""
        return dim_scalar(self.size())

    def place(self, key: Any, otherwise: str) -> DimLike:
        """Return the place, counted from the first item, that an index names."""
        if isinstance(key, SymbolicScalar) and not (
            is_integer(key) or (key.weak and key.type.dtype.kind == "b")
        ):
            raise TypeError(f"list indices must be integers or slices, not {key.type_name}")
        if not isinstance(key, (SymbolicArray, SymbolicScalar, Union)) and not hasattr(key, "__index__"):
            [][key]  # raises Python's own error
        record, size, place = recorder(), self.size(), as_dim(key)
        if isinstance(place, int):
            inside = size - place - 1 if place >= 0 else size + place
            if not record.bounds.nonnegative(inside):
                raise_if(dim_scalar(inside) < 0, lambda: IndexError(otherwise))
            return place if place >= 0 else size + place
        if all([record.speculate(size - place - 1), record.speculate(place)]):
            return place
        for outside in (dim_scalar(place) >= dim_scalar(size), dim_scalar(place) < -dim_scalar(size)):
            raise_if(outside, lambda: IndexError(otherwise))
        return record.dim(record.emit("index", record.dim_value(place), record.dim_value(size), axis=0))

    def __iter__(self) -> Any:
        if not self.is_staged:
            return super().__iter__()
        return map(self.at, range(len(self)))

    def __len__(self) -> int:
        size = self.size()
        if isinstance(size, int):
            return size
        raise NeedsValue(recorder().dim_value(size))

    def __radd__(self, others: list[Any]) -> list[Any]:
        # Without it a plain list would look at the items that this one holds as a list, and find none.
        joined: StagedList = StagedList(others) + self
        return joined

    def refuse(self, what: str) -> NoReturn:
        """Leave the call to the original, because of something that is asked of the list."""
        recorder().unstageable(
            "S164-list",
            f"{what} of a list whose length run time gives",
            "use an array, or a loop over the list",
        )


def is_run_time(key: Any) -> bool:
    """Whether a key is an integer, or a slice with a bound, that run time gives."""
    parts = (key.start, key.stop, key.step) if isinstance(key, slice) else (key,)
    return any(isinstance(part, SymbolicScalar) and is_integer(part) for part in parts)


def _may_be_array(thing: Any) -> bool:
    """Whether something is an array, or one of several of which one is."""
    ways = thing.alternatives if isinstance(thing, Union) else (thing,)
    return any(isinstance(way, SymbolicArray) for way in ways)


def _known(key: Any) -> Any:
    """Return a key of a plain list, which names the type of an integer that does not fit."""
    return operator.index(key) if isinstance(key, SymbolicScalar) and is_integer(key) else key


class Grows(Exception):
    """A list has been staged in a loop or branch on run-time values: it has to be staged before that, for items of the row."""

    def __init__(self, things: StagedList, row: Row) -> None:
        super().__init__("a list grows")
        self.things = things
        self.row = row
