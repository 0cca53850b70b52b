"""Lists whose length run time gives."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

import numpy as np

from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import INT, PYTHON_TYPES, ArrayType, ScalarType
from transpile.runtime.views.view import View

from .array import SymbolicArray
from .cells import Storage
from .indexing import as_dim, load
from .numbers import DTYPES, cast, lift, raise_if
from .operand import Operand
from .recorder import NeedsValue, recorder
from .scalar import SymbolicScalar
from .union import Union

# Note [Staged lists]
# Lists made by converted code are of a class of their own. As long as their length is known they are lists like any other. One that
# grows in a loop or branch on run-time values becomes *staged* before it: its items, numbers of one type or arrays of one dtype
# and shape, become the rows of a buffer that grows as it must, and its length a number that run time gives.
# The items are copies. So an array that has been appended must not be written any more, by whatever name: its storage is frozen.
# The codes of errors that say that items cannot be rows.
UNFIT = ("S162-list", "S163-items")

_START = 4


class StagedList(list[Any]):
    """A list made by converted code.

    Where `buffer` is not None the list is staged: its items are the first `length` rows of the buffer, each of the type `row`. It is `shared`
    where an item may be an array that is known otherwise, too, or may be in it twice.
    """

    __slots__ = ("buffer", "length", "row", "shared")

    def __init__(self, items: Iterable[Any] = ()) -> None:
        super().__init__(items)
        self.length: Any = None
        self.buffer: SymbolicArray | None = None
        self.row: ScalarType | ArrayType | None = None
        self.shared = False

    @property
    def is_staged(self) -> bool:
        """Whether the length is for run time to give."""
        return self.buffer is not None

    def stage(self, row: ScalarType | ArrayType) -> None:
        """Become staged, for items of a type."""
        items = list(self)
        dims = row.dims if isinstance(row, ArrayType) else ()
        if not all(map(recorder().visible, dims)):
            recorder().unstageable(
                "S162-list", "a list grows by arrays whose size is not known where the loop begins"
            )
        self.row = row
        room = max(_START, len(items))
        value = recorder().emit("empty", dtype=row.dtype, dims=(room, *dims), order=None)
        storage = Storage(ArrayType(row.dtype, (room, *dims)), "items")
        recorder().create(storage, value)
        self.buffer, self.length = SymbolicArray(storage), SymbolicScalar(recorder().constant(0, INT))
        super().clear()
        for item in items:
            self.append(item)

    def unstage(self, items: Iterable[Any]) -> None:
        """Become a plain list again."""
        self.length = self.buffer = self.row = None
        super().extend(items)

    def size(self) -> DimLike:
        """Return the length as a dim."""
        return as_dim(self.length) if self.is_staged else super().__len__()

    def at(self, place: DimLike) -> Any:
        """Return the item at a place that is in range."""
        assert self.buffer is not None and self.row is not None
        shown = self.buffer.through(View.identity(self.buffer.dims).take(0, place))
        if isinstance(self.row, ScalarType):
            return SymbolicScalar(_of_type(load(shown), self.row))
        return shown

    def rows(self) -> SymbolicArray:
        """Return the items as the rows of an array, which must not be written."""
        assert self.buffer is not None
        return self.buffer.through(View.identity(self.buffer.dims).slice(0, 0, self.size(), 1))

    # -- what a program does -----------------------------------------------------------------------------------

    def append(self, item: Any) -> None:
        """Add an item."""
        if not self.is_staged:
            super().append(item)
            return
        assert self.buffer is not None and self.row is not None
        record = recorder()
        if isinstance(item, Union):
            item = item.bound()
        own = row_type(item)
        if own != self.row and not _same_row(own, self.row):
            record.unstageable("S163-items", f"a list of {self.row} is given a {own}")
        value = lift(item)
        if isinstance(item, SymbolicArray):
            storage = item.storage
            known = item.chain or storage.input is not None or storage.aliases or storage.frozen
            self.shared = self.shared or bool(known) or not record.made_this_turn(storage)
            freeze(storage)
        place = as_dim(self.length)
        first, *rest = self.buffer.dims
        room = record.emit("room_for", self.length.value, record.dim_value(first))
        record.bounds.sizes.add(room)
        dims = (record.dim(room), *rest)
        buffer = record.emit("reserve", self.buffer.read(), dims=dims)
        storage = Storage(ArrayType(self.row.dtype, dims), "items")
        view = View.identity(dims).take(0, place)
        if isinstance(value.type, ScalarType):
            value = cast(value, self.row.dtype)
        record.create(storage, record.emit("update", buffer, value, view=view, input=None))
        freeze(storage)
        self.buffer = SymbolicArray(storage)
        self.length = SymbolicScalar(record.emit("add", self.length.value, record.constant(1, INT)))

    def extend(self, items: Iterable[Any]) -> None:
        """Add items."""
        if not self.is_staged and not (isinstance(items, StagedList) and items.is_staged):
            super().extend(items)
            return
        for item in items:
            self.append(item)

    def __iadd__(self, items: Iterable[Any]) -> StagedList:  # type: ignore[misc]
        self.extend(items)
        return self

    def pop(self, place: Any = -1) -> Any:
        """Take an item out: of a staged list, the last."""
        if not self.is_staged:
            return super().pop(place)
        if type(place) is not int or place != -1:
            self._refuse("pop")
        raise_if(self.length == 0, lambda: IndexError("pop from empty list"))
        last = self.length - 1
        item = self.at(as_dim(last))
        if isinstance(item, SymbolicArray):
            item = Operand.copied(item)
        self.length = last
        return item

    def __getitem__(self, key: Any) -> Any:
        if not self.is_staged:
            return super().__getitem__(key)
        if isinstance(key, slice):
            self._refuse("a slice")
        return self.at(self._place(key))

    def _place(self, key: Any) -> DimLike:
        record, size = recorder(), self.size()
        place = as_dim(key)
        if isinstance(place, int):
            inside = size - place - 1 if place >= 0 else size + place
            if not record.bounds.nonnegative(inside):
                test = SymbolicScalar(record.emit("less", record.dim_value(inside), record.constant(0, INT)))
                raise_if(test, lambda: IndexError("list index out of range"))
            return place if place >= 0 else size + place
        if not (record.bounds.nonnegative(place) and record.bounds.nonnegative(size - place - 1)):
            self._refuse("an index that run time gives")
        return place

    def __iter__(self) -> Any:
        if not self.is_staged:
            return super().__iter__()
        raise NeedsValue(self.length.value)

    def __len__(self) -> int:
        if not self.is_staged:
            return super().__len__()
        raise NeedsValue(self.length.value)

    def __radd__(self, others: list[Any]) -> list[Any]:
        # Without it a plain list would look at the items that this one holds as a list, and find none.
        if self.is_staged:
            self._refuse("the sum with another list")
        return others.__add__(self)

    def _refuse(self, what: str) -> NoReturn:
        recorder().unstageable(
            "S164-list",
            f"{what} of a list whose length run time gives",
            "use an array, or a loop over the list",
        )


def _refused(name: str) -> Any:
    plain = getattr(list, name)

    def method(self: StagedList, *args: Any, **kwargs: Any) -> Any:
        if self.is_staged or any(isinstance(a, StagedList) and a.is_staged for a in args):
            self._refuse(name)
        return plain(self, *args, **kwargs)

    return method


for _name in (
    "__add__", "__contains__", "__delitem__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__imul__", "__mul__", "__rmul__",
    "__reversed__", "__setitem__", "__repr__", "clear", "copy", "count", "index", "insert", "remove", "reverse", "sort",
):  # fmt: skip
    setattr(StagedList, _name, _refused(_name))


def row_type(item: Any) -> ScalarType | ArrayType:
    """Return the type of the rows for an item.

    Raises StagingError for what no row can hold.
    """
    if isinstance(item, SymbolicScalar):
        return item.type
    if isinstance(item, SymbolicArray):
        return ArrayType(item.dtype, item.dims)
    if type(item) in PYTHON_TYPES:
        return ScalarType(PYTHON_TYPES[type(item)], True)
    if isinstance(item, np.generic) and item.dtype in DTYPES:
        return ScalarType(item.dtype)
    recorder().unstageable(
        "S163-items", f"a list that grows in a loop on run-time values holds a {type(item).__name__}"
    )


def _same_row(one: ScalarType | ArrayType, other: ScalarType | ArrayType) -> bool:
    if not (isinstance(one, ArrayType) and isinstance(other, ArrayType)):
        return False
    same = one.dtype == other.dtype and len(one.dims) == len(other.dims)
    return same and all(recorder().assume_equal(a, b) for a, b in zip(one.dims, other.dims, strict=True))


def _of_type(value: Any, type_: ScalarType) -> Any:
    return (
        value if value.type == type_ else recorder().emit("cast", value, dtype=type_.dtype, weak=type_.weak)
    )


def freeze(storage: Storage) -> None:
    """Note that an array is an item of a list, of which a copy has been made: it must not be written."""
    for same in (storage, *storage.aliases):
        same.frozen = True


class Grows(Exception):
    """A list has grown in a loop or branch on run-time values: it has to be staged before that, for items of the type `row`."""

    def __init__(self, things: StagedList, row: ScalarType | ArrayType) -> None:
        super().__init__("a list grows")
        self.things = things
        self.row = row
