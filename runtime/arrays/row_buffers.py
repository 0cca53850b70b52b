"""The buffers in which the items of a staged list lie as rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Self

from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ArrayType, ScalarType
from transpile.runtime.views.view import View

from .array import SymbolicArray
from .cells import Storage
from .indexing import load
from .numbers import cast, lift
from .operand import Operand
from .recorder import recorder
from .rows import Poolable, Row, columns_of, freeze
from .scalar import SymbolicScalar


class RowBuffer(Poolable):
    """A list with buffers of its own: an array for each number or array of an item. Its items are of a `row`, and lie from `begin` to `end`.

    It is `shared` where an item may be an array that is known otherwise, too, or may be in it twice; `copied` says how arrays that were made
    items may lie in memory, where that is not as rows do: see `Storage.copied`.
    """

    __slots__ = ("begin", "columns", "copied", "end", "row", "shared")

    def __init__(self, items: Iterable[Any] = ()) -> None:
        super().__init__(items)
        self.row: Row | None = None
        self.columns: list[SymbolicArray] = []
        self.begin: Any = 0
        self.end: Any = 0
        self.shared = False
        self.copied = ""

    @classmethod
    def holding(cls, other: RowBuffer) -> Self:
        """Return a list that holds what another one does, in the same buffers."""
        made = cls()
        made.row, made.columns, made.begin, made.end = other.row, [*other.columns], other.begin, other.end
        made.hold_like(other)
        return made

    def hold_like(self, other: RowBuffer) -> None:
        """Note that items of another list come to be items of this one."""
        self.shared = self.shared or other.shared
        self.copied = max(self.copied, other.copied)

    def leaves_at(self, place: DimLike, first: int = 0, last: int | None = None) -> Iterator[Any]:
        """Yield what a row of the columns is made of, or of some of them, one after the other."""
        assert self.row is not None
        self.mark()
        chosen = slice(first, last)
        for column, type_ in zip(self.columns[chosen], columns_of(self.row)[chosen], strict=True):
            shown = column.through(View.identity(column.dims).take(0, place))
            yield SymbolicScalar(_of_type(load(shown), type_)) if isinstance(type_, ScalarType) else shown

    def between(self, first: DimLike, size: DimLike, step: int = 1) -> list[SymbolicArray]:
        """Return so many rows of the columns of a list with a home of its own, from one on."""
        self.mark()
        return [
            column.through(View.identity(column.dims).slice(0, first, size, step)) for column in self.columns
        ]

    def mark(self) -> None:
        """Note of arrays that are read that they may be views of others, or lie otherwise, where the list has copies of such."""
        for column in self.columns if self.shared else ():
            column.storage.is_view = True
        for column, type_ in zip(self.columns, columns_of(self.row), strict=True) if self.copied else ():  # type: ignore[arg-type]
            if isinstance(type_, ArrayType):
                column.storage.copied = self.copied

    def taken(self, leaf: Any) -> Any:
        """Return what an item is made of that is taken out: an array that may be known otherwise must not be written, as others in the list."""
        if not isinstance(leaf, SymbolicArray):
            return leaf
        array = self.copy_of(leaf)
        if self.shared:
            freeze(array.storage)
            array.storage.is_view = True
        return array

    def copy_of(self, array: SymbolicArray) -> SymbolicArray:
        """Return a copy of an array that was read, which is taken to lie as that does."""
        result: SymbolicArray = Operand.copied(array, "C")
        result.storage.copied = array.storage.copied
        return result

    def reserve(self, place: DimLike) -> None:
        """Have room for an item at a place, and for all before it."""
        record = recorder()
        room: DimLike = self.columns[0].dims[0]
        if isinstance(place, int) and isinstance(room, int) and place < room:
            return
        value = record.emit("room_for", record.dim_value(place), record.dim_value(room))
        record.bounds.sizes.add(value)
        room = record.dim(value)
        for number, column in enumerate(self.columns):
            self.columns[number] = column_of(
                record.emit("reserve", column.read(), dims=(room, *column.dims[1:]))
            )

    def write(self, place: DimLike, leaves: Iterable[Any]) -> None:
        """Store what an item is made of into the columns of a list with a home of its own."""
        for number, leaf in enumerate(leaves):
            self.write_leaf(number, place, leaf)

    def write_leaf(self, number: int, place: DimLike, leaf: Any) -> None:
        """Store one number or array of an item."""
        column = self.columns[number]
        self._store(number, View.identity(column.dims).take(0, place), leaf)

    def write_rows(self, place: DimLike, rows: Iterable[SymbolicArray], size: DimLike) -> None:
        """Store so many items, given as the rows of arrays."""
        for number, array in enumerate(rows):
            self._store(number, View.identity(self.columns[number].dims).slice(0, place, size, 1), array)

    def _store(self, number: int, view: View, thing: Any) -> None:
        base = self.columns[number].read()
        assert isinstance(base.type, ArrayType)
        value = lift(thing)
        if isinstance(value.type, ScalarType):
            value = cast(value, base.type.dtype)
        self.columns[number] = column_of(recorder().emit("update", base, value, view=view, input=None))


def column_of(value: Value) -> SymbolicArray:
    """Return the column of a list that is an array."""
    assert isinstance(value.type, ArrayType)
    storage = Storage(value.type, "items")
    recorder().create(storage, value)
    freeze(storage)
    return SymbolicArray(storage)


def _of_type(value: Any, type_: ScalarType) -> Any:
    return (
        value if value.type == type_ else recorder().emit("cast", value, dtype=type_.dtype, weak=type_.weak)
    )
