"""What a program may do to a list whose length run time gives, besides reading and storing: put in anywhere, look for, turn round, repeat."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import INT64, ScalarType

from .array import dim_scalar
from .functions import FUNCTIONS
from .indexing import as_dim, is_integer, slice_axis
from .list_steps import times
from .lists import TABLE, StagedList, is_run_time
from .mixed import leaves_in
from .numbers import cast, lift, to_weak
from .operand import Operand
from .recorder import recorder
from .references import is_symbolic
from .row_buffers import column_of
from .rows import NUMBERS, Instances, Lists, Row, columns_of, row_of
from .scalar import SymbolicScalar
from .searches import holds


def _insert(things: StagedList, key: Any, item: Any) -> None:
    if not things.is_staged:
        things.stage(things.row_of_numbers() or row_of(item))
    place, behind, _ = slice_axis(slice(key, None), things.size())
    things.append(item)
    home, first = things.home, things.span()[0]
    if behind != 0:
        home.write_rows(first + place + 1, home.between(first + place, behind), behind)
    home.write(first + place, home.fitting(item))


def _delete(things: StagedList, key: Any) -> None:
    if isinstance(key, slice):
        things.replace(key, ())
    else:
        things.taken_out(things.place(key, "list assignment index out of range"))


def _first(things: StagedList, item: Any, error: str) -> DimLike:
    """Return the place of the first item that equals one; where there is none, the original raises the error."""
    if things.home.row is None:
        raise ValueError(error)
    found = holds(things, item)
    recorder().deoptimise_if(lift(Operand.operate("logical_not", FUNCTIONS[np.any](found))), error)
    return as_dim(_weak(FUNCTIONS[np.argmax](found)))


def _weak(number: Any) -> Any:
    return SymbolicScalar(to_weak(lift(number), INT64))


def _remove(things: StagedList, item: Any) -> None:
    things.taken_out(_first(things, item, "list.remove(x): x not in list"))


def _index(things: StagedList, item: Any, *bounds: Any) -> Any:
    if bounds:
        things.refuse("index with bounds")
    return dim_scalar(_first(things, item, "an item is not in a list"))


def _count(things: StagedList, item: Any) -> Any:
    return 0 if things.home.row is None else _weak(FUNCTIONS[np.sum](holds(things, item)))


def _reverse(things: StagedList) -> None:
    home, (first, last) = things.home, things.span()
    home.write_rows(first, home.between(last - 1, last - first, -1), last - first)


def _times(things: StagedList, count: Any) -> Any:
    if isinstance(count, SymbolicScalar):
        count.require_count()
    long = is_integer(count) if isinstance(count, SymbolicScalar) else type(count) is int and count > TABLE
    if not things.is_staged and len(things) == 1 and long:
        item = things[0]
        if isinstance(item, StagedList):
            things.stage(row_of(item))
            item = things[0]
        if item is None or isinstance(item, (tuple, StagedList, str, *NUMBERS)):
            row = things.row or row_of(item)
            if all(isinstance(type_, ScalarType) for type_ in columns_of(row)):
                return _repeated(row, item, as_dim(count))
    if things.is_staged or (isinstance(count, SymbolicScalar) and things.row_of_numbers() is not None):
        return times(things, count)
    made = list(things) * count
    # An array multiplies the items.
    return StagedList(made) if isinstance(made, list) else made


def _times_in_place(things: StagedList, count: Any) -> StagedList:
    if isinstance(count, SymbolicScalar):
        count.require_count()
    if not things.is_staged and not isinstance(count, SymbolicScalar):
        list.__imul__(things, count)
        return things
    if not things.is_staged:
        things.stage(things.row_of_numbers() or things.row_of_all())
    things.replace(slice(None), times(things, count))
    return things


def _repeated(row: Row, item: Any, count: DimLike) -> StagedList:
    """Return a list of an item so many times."""
    record = recorder()
    if not record.bounds.nonnegative(count):
        none = record.dim_value(0)
        count = record.dim(record.emit("slice_length", none, record.dim_value(count), step=1))
    made = StagedList()
    made.row, made.end = row, dim_scalar(count)
    for leaf, type_ in zip(leaves_in(row, item), columns_of(row), strict=True):
        value = record.emit("fill", cast(lift(leaf), type_.dtype), dims=(count,), order=None)
        made.columns.append(column_of(value))
    return made


# What asks which items equal one.
_SEARCHES = frozenset(("index", "count", "remove"))


def _searched(things: StagedList, name: str, item: Any) -> StagedList:
    """Return the list in which an item is looked for: a table of the items where run time gives numbers among them, or the item."""
    unknown = is_symbolic(item) or any(map(is_symbolic, list.__iter__(things)))
    row = things.row_of_numbers() if unknown else None
    pooled = any(id(each) in recorder().pooled for each in list.__iter__(things))
    if row is None or isinstance(row, Lists) or (isinstance(row, Instances) and not pooled):
        return things
    # The list itself stays what it is, unless an item is taken out: its items may have to be known elsewhere.
    table = things if name == "remove" else StagedList(things)
    table.stage(row)
    return table


def searched_tuple(things: tuple[Any, ...], name: str, args: tuple[Any, ...]) -> Any:
    """Return what `things.index(item)` or `things.count(item)` gives; None where no list can hold the items."""
    table = StagedList(things)
    row = table.row_of_numbers() if things and len(args) == 1 else None
    if row is None:
        return None
    table.stage(row)
    return getattr(table, name)(*args)


def _standing(name: str, stand_in: Any) -> Any:
    """Return a method that is Python's own for a list whose items are known, unless run time gives the place that is asked for, or what is looked for."""
    plain = getattr(list, name)

    def method(self: StagedList, *args: Any) -> Any:
        if not self.is_staged and args and is_run_time(args[0]) and name in ("insert", "__delitem__"):
            row = self.row_of_numbers() if self or name != "insert" else row_of(args[1])
            if row is not None:
                self.stage(row)
        if not self.is_staged and args and name in _SEARCHES:
            self = _searched(self, name, args[0])
        return stand_in(self, *args) if self.is_staged else plain(self, *args)

    return method


def _refused(name: str) -> Any:
    plain = getattr(list, name)

    def method(self: StagedList, *args: Any, **kwargs: Any) -> Any:
        if self.is_staged or any(isinstance(a, StagedList) and a.is_staged for a in args):
            self.refuse(name)
        return plain(self, *args, **kwargs)

    return method


for _name, _stand_in in {
    "insert": _insert, "__delitem__": _delete, "remove": _remove, "index": _index, "count": _count, "reverse": _reverse,
}.items():  # fmt: skip
    setattr(StagedList, _name, _standing(_name, _stand_in))
for _name in (
    "__contains__", "__lt__", "__le__", "__gt__", "__ge__", "__reversed__", "__repr__",
):  # fmt: skip
    setattr(StagedList, _name, _refused(_name))
for _name in ("__mul__", "__rmul__"):
    setattr(StagedList, _name, _times)
StagedList.__imul__ = _times_in_place  # type: ignore[method-assign,assignment]
