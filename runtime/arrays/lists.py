"""Lists whose length run time gives."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ArrayType, ScalarType, dims_of
from transpile.runtime.views.view import View

from .array import SymbolicArray, dim_scalar
from .cells import Storage
from .indexing import as_dim, is_integer, load, slice_axis
from .numbers import cast, lift, raise_if
from .operand import Operand
from .recorder import NeedsValue, recorder
from .rows import NUMBERS, Record, Row, built, columns_of, freeze, leaves_of, row_of, same_row
from .scalar import SymbolicScalar, dtype_of
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
_TABLE = 64


class StagedList(list[Any]):
    """A list made by converted code.

    Where `row` is not None the list is staged: its items are of this row, and lie in `columns` from `begin` to `end`. It is `shared` where an item may
    be an array that is known otherwise, too, or may be in it twice.
    """

    __slots__ = ("begin", "columns", "end", "row", "shared")

    def __init__(self, items: Iterable[Any] = ()) -> None:
        super().__init__(items)
        self.row: Row | None = None
        self.columns: list[SymbolicArray] = []
        self.begin: Any = 0
        self.end: Any = 0
        self.shared = False

    @property
    def is_staged(self) -> bool:
        """Whether the items are rows."""
        return self.row is not None

    def stage(self, row: Row) -> None:
        """Become staged, for items of a row."""
        items = list(self)
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
            self.columns.append(_column(value))
        super().clear()
        for item in items:
            self.append(item)

    def unstage(self, items: Iterable[Any]) -> None:
        """Become a plain list again."""
        self.row, self.columns = None, []
        super().extend(items)

    def contents(self) -> dict[Any, Any]:
        """Return what a staged list holds, by what it is to be stored under."""
        return {"begin": self.begin, "end": self.end, **dict(enumerate(self.columns))}

    def put(self, key: Any, value: Any) -> None:
        """Have a staged list hold something."""
        if isinstance(key, str):
            setattr(self, key, value)
        else:
            self.columns[key] = value

    def size(self) -> DimLike:
        """Return the length as a dim."""
        return as_dim(self.end) - as_dim(self.begin) if self.is_staged else super().__len__()

    def at(self, place: DimLike) -> Any:
        """Return the item at a place that is in range."""
        assert self.row is not None
        return built(self.row, self._leaves_at(place + as_dim(self.begin)))

    def _leaves_at(self, place: DimLike) -> Iterator[Any]:
        assert self.row is not None
        for column, type_ in zip(self.columns, columns_of(self.row), strict=True):
            shown = column.through(View.identity(column.dims).take(0, place))
            yield SymbolicScalar(_of_type(load(shown), type_)) if isinstance(type_, ScalarType) else shown

    def rows(self) -> list[SymbolicArray]:
        """Return the items as the rows of arrays, one for each column, which must not be written."""
        begin, size = as_dim(self.begin), self.size()
        return [
            column.through(View.identity(column.dims).slice(0, begin, size, 1)) for column in self.columns
        ]

    # -- what a program does -----------------------------------------------------------------------------------

    def append(self, item: Any) -> None:
        """Add an item."""
        if not self.is_staged:
            super().append(item)
            return
        record = recorder()
        leaves = self._fitting(item)
        place = as_dim(self.end)
        room: DimLike = self.columns[0].dims[0]
        grows = not (isinstance(place, int) and isinstance(room, int) and place < room)
        if grows:
            value = record.emit("room_for", record.dim_value(place), record.dim_value(room))
            record.bounds.sizes.add(value)
            room = record.dim(value)
        for number, (column, leaf) in enumerate(zip(self.columns, leaves, strict=True)):
            dims = (room, *column.dims[1:])
            base = record.emit("reserve", column.read(), dims=dims) if grows else column.read()
            self.columns[number] = _updated(base, place, leaf)
        self.end = self.end + 1

    def _fitting(self, item: Any) -> list[Any]:
        """Return what an item is made of, which can be in the columns."""
        assert self.row is not None
        own = row_of(item)
        if not same_row(own, self.row):
            recorder().unstageable("S163-items", f"a list of {self.row} is given a {own}")
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
        if staged and not self.is_staged:
            assert isinstance(items, StagedList) and items.row is not None
            self.stage(items.row)
        if staged:
            self._join(items)  # type: ignore[arg-type]
        elif self.is_staged:
            for item in items:
                self.append(item)
        else:
            super().extend(items)

    def _join(self, others: StagedList) -> None:
        """Add the items of a staged list."""
        assert self.row is not None and others.row is not None
        if not same_row(self.row, others.row):
            recorder().unstageable(
                "S163-items", f"a list of {self.row} is given those of a list of {others.row}"
            )
        end = self.size() + others.size()
        for number, (own, other) in enumerate(zip(self.rows(), others.rows(), strict=True)):
            joined = recorder().emit("concatenate", own.read(), other.read(), axis=0, order=None)
            self.columns[number] = _column(joined)
        self.begin, self.end = 0, dim_scalar(end)
        self.shared = self.shared or others.shared or any(column.ndim > 1 for column in self.columns)

    def __add__(self, others: Any) -> Any:
        if not (self.is_staged or (isinstance(others, StagedList) and others.is_staged)):
            return StagedList(super().__add__(others))
        if not isinstance(others, list):
            return super().__add__(others)
        made = self.copy()
        made.extend(others)
        return made

    def __iadd__(self, items: Iterable[Any]) -> StagedList:  # type: ignore[misc]
        self.extend(items)
        return self

    def pop(self, place: Any = -1, otherwise: str = "pop from empty list") -> Any:
        """Take an item out: of a staged list, the first or the last. Where there is none, an IndexError says `otherwise`."""
        if not self.is_staged:
            if not self:
                raise IndexError(otherwise)
            return super().pop(place)
        if type(place) is not int or place not in (0, -1):
            self._refuse("pop")
        raise_if(self.length == 0, lambda: IndexError(otherwise))
        assert self.row is not None
        leaves = self._leaves_at(as_dim(self.begin) if place == 0 else as_dim(self.end) - 1)
        item = built(self.row, (Operand.copied(x) if isinstance(x, SymbolicArray) else x for x in leaves))
        if place == 0:
            self.begin = self.begin + 1
        else:
            self.end = self.end - 1
        return item

    def clear(self) -> None:
        """Take all items out."""
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
        if not self.is_staged and isinstance(key, SymbolicScalar) and is_integer(key):
            row = self._row()
            if row is not None:
                self.stage(row)
        if not self.is_staged:
            super().__setitem__(_known(key), item)
            return
        if isinstance(key, slice):
            self._refuse("an assignment to a slice")
        place = self._place(key, "list assignment index out of range") + as_dim(self.begin)
        for number, (column, leaf) in enumerate(zip(self.columns, self._fitting(item), strict=True)):
            self.columns[number] = _updated(column.read(), place, leaf)

    def item(self, key: Any, otherwise: str = "list index out of range") -> Any:
        """Return an item; an IndexError says `otherwise`."""
        if self.is_staged:
            return self.at(self._place(key, otherwise))
        if (
            isinstance(key, SymbolicScalar)
            and is_integer(key)
            and self._row() is not None
            and len(self) <= _TABLE
        ):
            # The list itself stays what it is: its items may have to be known elsewhere.
            table = StagedList(self)
            table.stage(row_of(self[0]))
            return table.item(key, otherwise)
        try:
            return super().__getitem__(_known(key))
        except IndexError as error:
            raise IndexError(otherwise if "out of range" in str(error) else str(error)) from None

    def keep_last(self, most: int) -> None:
        """Take the first items out where there are more than there may be."""
        if self.is_staged:
            over = self.length - most
            self.begin = self.begin + over * (over > 0)
        else:
            del self[: max(len(self) - most, 0)]

    def holds(self, item: Any) -> SymbolicArray:
        """Return, for each item of a staged list, whether it equals a number, or a tuple of numbers."""
        assert self.row is not None
        leaves, rows = leaves_of(item), self.rows()
        alike = isinstance(item, tuple) == isinstance(self.row, Record) and len(leaves) == len(rows)
        if not (
            alike and all(isinstance(leaf, NUMBERS) for leaf in leaves) and all(r.ndim == 1 for r in rows)
        ):
            self._refuse("whether something else than a number is in, of the items")
        for leaf in leaves:
            if dtype_of(leaf).kind in "fc":
                # Python finds a NaN that is the very object in the list.
                recorder().deoptimise_if(
                    lift(Operand.operate("not_equal", leaf, leaf)), "a NaN is looked for in a list"
                )
        found = [Operand.operate("equal", row, leaf) for row, leaf in zip(rows, leaves, strict=True)]
        return functools.reduce(functools.partial(Operand.operate, "logical_and"), found)  # type: ignore[no-any-return]

    def _row(self) -> Row | None:
        """Return the row that all items fit into; None where there is none, or an item is no number."""
        if not self or not all(isinstance(leaf, NUMBERS) for item in self for leaf in leaves_of(item)):
            return None
        row = row_of(self[0])
        return row if all(row_of(item) == row for item in self) else None

    def _slice(self, key: slice) -> StagedList:
        made = StagedList()
        start, length, step = slice_axis(key, self.size())
        made.row, made.shared, made.end = self.row, self.shared, dim_scalar(length)
        for rows in self.rows():
            made.columns.append(
                Operand.copied(rows.through(View.identity(rows.dims).slice(0, start, length, step)))
            )
            freeze(made.columns[-1].storage)
        made.shared = made.shared or any(column.ndim > 1 for column in made.columns)
        return made

    def __mul__(self, count: Any) -> Any:
        long = (
            is_integer(count) if isinstance(count, SymbolicScalar) else type(count) is int and count > _TABLE
        )
        if not self.is_staged and len(self) == 1 and long and isinstance(self[0], (tuple, *NUMBERS)):
            row = row_of(self[0])
            if all(isinstance(type_, ScalarType) for type_ in columns_of(row)):
                return _repeated(row, self[0], as_dim(count))
        return self._refuse("a multiple") if self.is_staged else StagedList(list(self) * count)

    __rmul__ = __mul__

    @property
    def length(self) -> Any:
        """How many items there are: a number, or run time's."""
        return dim_scalar(self.size())

    def _place(self, key: Any, otherwise: str) -> DimLike:
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
    "__contains__", "__delitem__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__imul__",
    "__reversed__", "__repr__", "count", "index", "insert", "remove", "reverse", "sort",
):  # fmt: skip
    setattr(StagedList, _name, _refused(_name))


def _column(value: Value) -> SymbolicArray:
    assert isinstance(value.type, ArrayType)
    storage = Storage(value.type, "items")
    recorder().create(storage, value)
    freeze(storage)
    return SymbolicArray(storage)


def _updated(base: Value, place: DimLike, leaf: Any) -> SymbolicArray:
    assert isinstance(base.type, ArrayType)
    value = lift(leaf)
    if isinstance(value.type, ScalarType):
        value = cast(value, base.type.dtype)
    view = View.identity(base.type.dims).take(0, place)
    return _column(recorder().emit("update", base, value, view=view, input=None))


def _known(key: Any) -> Any:
    """Return a key of a plain list, which names the type of an integer that does not fit."""
    return operator.index(key) if isinstance(key, SymbolicScalar) and is_integer(key) else key


def _repeated(row: Row, item: Any, count: DimLike) -> StagedList:
    """Return a list of an item so many times."""
    record = recorder()
    if not record.bounds.nonnegative(count):
        none = record.dim_value(0)
        count = record.dim(record.emit("slice_length", none, record.dim_value(count), step=1))
    made = StagedList()
    made.row, made.end = row, dim_scalar(count)
    for leaf, type_ in zip(leaves_of(item), columns_of(row), strict=True):
        value = record.emit("fill", cast(lift(leaf), type_.dtype), dims=(count,), order=None)
        made.columns.append(_column(value))
    return made


def _of_type(value: Any, type_: ScalarType) -> Any:
    return (
        value if value.type == type_ else recorder().emit("cast", value, dtype=type_.dtype, weak=type_.weak)
    )


class Grows(Exception):
    """A list has been staged in a loop or branch on run-time values: it has to be staged before that, for items of the row."""

    def __init__(self, things: StagedList, row: Row) -> None:
        super().__init__("a list grows")
        self.things = things
        self.row = row
