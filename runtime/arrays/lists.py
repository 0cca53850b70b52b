"""Lists whose length run time gives."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from typing import Any, NoReturn

from transpile.runtime.errors import StagingError
from transpile.runtime.graph.dim import DimLike

from .array import SymbolicArray, dim_scalar
from .indexing import as_dim, is_integer, one_integer, slice_axis, slice_ends
from .numbers import raise_if
from .operand import Operand
from .recorder import recorder
from .row_buffers import column_of
from .rows import NUMBERS, Lists, Row, built, freeze, holds_arrays, join_rows, leaves_of, row_of
from .scalar import SymbolicScalar
from .signals import NeedsValue
from .staged import Staged
from .union import Union
from .unpacking import check_length, names_waiting

# The codes of errors that say that items cannot be rows.
UNFIT = ("S162-list", "S163-items")

# The length of lists up to which one whose items are known stays so: one that is read at a place that run time gives is laid out in memory there.
TABLE = 64


class StagedList(Staged):
    """A list made by converted code: what a program does with it."""

    __slots__ = ()

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
        elif Operand.each_decided(items, self.append):
            return
        elif self.is_staged:
            for item in items:
                self.append(item)
        else:
            super().extend(items)

    def _join(self, others: StagedList) -> None:
        """Add the items of a staged list."""
        row = others.home.row
        assert row is not None
        self.widen(row)
        if self.row != row:
            others = others.copy()
            others.become(self.row)  # type: ignore[arg-type]
        end = self.size() + others.size()
        for number, (own, other) in enumerate(zip(self.rows(), others.rows(), strict=True)):
            joined = recorder().emit("concatenate", own.read(), other.read(), axis=0, order=None)
            self.columns[number] = column_of(joined)
        self.begin, self.end = 0, dim_scalar(end)
        self.hold_like(others)
        self.shared = self.shared or holds_arrays(self.row)

    def __add__(self, others: Any) -> Any:
        if _is_added(others):
            return NotImplemented  # which adds its elements
        if not (self.is_staged or (isinstance(others, StagedList) and others.is_staged)):
            return StagedList(super().__add__(others))
        if not isinstance(others, list):
            return super().__add__(others)
        made = self.copy()
        made.extend(others)
        return made

    def __iadd__(self, items: Iterable[Any]) -> StagedList:  # type: ignore[misc]
        if _is_added(items):
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
        item = built(home.row, map(home.taken, home.leaves_at(first + place)))
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
        key = one_integer(key) if isinstance(key, Union) else key
        if not self.is_staged and is_run_time(key):
            row = self.row_of_numbers()
            if row is not None:
                self.stage(row)
        if not self.is_staged:
            if isinstance(key, SymbolicScalar) and is_integer(key) and not super().__len__():
                raise IndexError("list assignment index out of range")
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
        key = one_integer(key) if isinstance(key, Union) else key
        if self.is_staged:
            return self.at(self.place(key, otherwise))
        if isinstance(key, SymbolicScalar) and is_integer(key):
            row = Lists(None) if self._holds_lists() else self._row_of_objects()
            if row is not None:
                self.stage(row)
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
        if Operand.picks(key) or (key.step is not None and slice_ends(key, self.size())[2] != 1):
            self.store_each(key, items)
            return
        start, length, _ = slice_axis(key, self.size())
        made, after = self[: dim_scalar(start)], self[dim_scalar(start + length) :]
        # What the list keeps it still has once; what it is given may be known otherwise.
        made.shared = self.home.shared
        made.extend(items)
        self.home.hold_like(made)
        made.extend(after)
        if self.pool is not None:
            self.pool.replace(self.handle, made)
        else:
            self.row, self.columns, self.begin, self.end = made.row, made.columns, made.begin, made.end

    def keep_last(self, most: int) -> None:
        """Take the first items out where there are more than there may be."""
        if self.is_staged:
            over = self.length - most
            self.begin = self.begin + over * (over > 0)  # a deque's list is in no pool
        else:
            del self[: max(len(self) - most, 0)]

    def row_of_numbers(self) -> Row | None:
        """Return the row that all items fit into; None where there is none, or an item is none of a number, a list, an object, None, and a tuple of such."""
        if self._holds_lists():
            return Lists(None)
        try:
            objects = self._row_of_objects()
            leaves = [leaf for item in self for leaf in leaves_of(item)]
            if objects or not leaves or not all(leaf is None or isinstance(leaf, NUMBERS) for leaf in leaves):
                return objects
            return functools.reduce(join_rows, map(row_of, self))
        except StagingError:
            return None

    def row_of_all(self) -> Row:
        """Return the row of the items of a plain list, of which there are some."""
        return row_of(list.__getitem__(self, 0))

    def _holds_lists(self) -> bool:
        """Whether all items are lists made by converted code."""
        return bool(self) and all(isinstance(item, StagedList) for item in list.__iter__(self))

    def _row_of_objects(self) -> Row | None:
        """Return the row of all items, where they are objects that the trace has made."""
        if not self or any(Operand.pool_of(item) is None for item in list.__iter__(self)):
            return None
        return functools.reduce(join_rows, map(row_of, list.__iter__(self)))

    def picked(self, key: slice) -> StagedList:
        """Return a list of the items that a slice with a step of run time names."""
        raise NotImplementedError

    def store_each(self, key: slice, items: Iterable[Any]) -> None:
        """Store an item for each that a slice with a step names."""
        raise NotImplementedError

    def _slice(self, key: slice) -> StagedList:
        made = StagedList()
        home, first = self.home, self.span()[0]
        if home.row is None:
            return made
        if Operand.picks(key):
            return self.picked(key)
        start, length, step = slice_axis(key, self.size())
        made.row, made.end = home.row, dim_scalar(length)
        made.hold_like(home)
        for rows in home.between(first + start, length, step):
            made.columns.append(home.copy_of(rows))
            freeze(made.columns[-1].storage)
        made.shared = made.shared or holds_arrays(made.row)
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
        count = None if isinstance(self.size(), int) else names_waiting()
        if count is not None:
            check_length(self.length, count)
        return map(self.at, range(len(self) if count is None else count))

    def __len__(self) -> int:
        size = self.size()
        if isinstance(size, int):
            return size
        raise NeedsValue(recorder().dim_value(size))

    def __radd__(self, others: list[Any]) -> list[Any]:
        if not isinstance(others, list):
            return NotImplemented
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


def _is_added(thing: Any) -> bool:
    """Whether something is an array or a number of NumPy's, or one of several of which one is: it adds itself to the items."""
    ways = thing.alternatives if isinstance(thing, Union) else (thing,)
    return any(
        isinstance(way, SymbolicArray) or (isinstance(way, SymbolicScalar) and not way.weak) for way in ways
    )


def _known(key: Any) -> Any:
    """Return a key of a plain list, which names the type of an integer that does not fit."""
    return operator.index(key) if isinstance(key, SymbolicScalar) and is_integer(key) else key


class Grows(Exception):
    """A list has been staged in a loop or branch on run-time values: it has to be staged before that, for items of the row."""

    def __init__(self, things: StagedList, row: Row) -> None:
        super().__init__("a list grows")
        self.things = things
        self.row = row
