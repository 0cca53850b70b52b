"""Rows that hold things of several kinds: what an item is made of, and how a list comes to hold one more kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import INT64, ArrayType

from .array import SymbolicArray
from .choices import choose
from .numbers import cast, lift
from .operand import Operand
from .recorder import recorder
from .row_buffers import column_of
from .rows import (
    TAG,
    Arrays,
    Instances,
    Lists,
    Mixed,
    Only,
    Poolable,
    Record,
    Row,
    are_alike,
    columns_of,
    items_of,
    number_of,
    row_of,
)
from .scalar import SymbolicScalar
from .union import Union

# Note [Mixed rows]
# A list whose items are of one kind has a column for each number of an item. Where an item of another kind is stored, the row becomes a mixed one:
# a column of tags tells of which kind each item is, and each kind has its columns, but that numbers of one dtype share one. What is read is a
# union. In a loop or branch it is found out by tracing, as it is found out that a list grows; then the list is of the mixed row before it.
# What a column holds of an item of another kind is of no meaning, but a number that was computed.


def leaves_in(row: Row, item: Any) -> list[Any]:
    """Return the numbers and arrays that an item, which fits, is made of in a row."""
    if isinstance(row, Mixed):
        return _of_kinds(row, item)
    if isinstance(row, Only):
        return []
    if isinstance(item, Union):
        item = item.resolved()
    if isinstance(row, Arrays):
        return row.pool.put(item)  # type: ignore[no-any-return]
    if isinstance(row, Record):
        return [
            leaf
            for own, part in zip(row.items, items_of(item) or (), strict=True)
            for leaf in leaves_in(own, part)
        ]
    return [number_of(item)]


def _of_kinds(row: Mixed, item: Any) -> list[Any]:
    item = item.bound() if isinstance(item, Union) else item
    ways = item.alternatives if isinstance(item, Union) else (item,)
    places = [_place(row, way) for way in ways]
    for number, place in enumerate(places):
        if place is None:
            # The type that a number has before a loop, should it have no turn.
            recorder().deoptimise_if(
                lift(item.tag == number), "a value has the type it has on the way seldom taken"
            )
    known = [place or 0 for place in places]
    tag = choose(item.tag, known) if isinstance(item, Union) else known[0]
    leaves = [SymbolicScalar(cast(cast(lift(tag), INT64), TAG.dtype))]
    for slot, own in enumerate(row.slots):
        parts: list[Any] = [
            leaves_in(own, way) if place is not None and row.slot(place) == slot else None
            for place, way in zip(places, ways, strict=True)
        ]
        for number, type_ in enumerate(columns_of(own)):
            values = [part[number] if part is not None else None for part in parts]
            leaves.append(_chosen(item, values, type_))
    return leaves


def _place(row: Mixed, way: Any) -> int | None:
    """Return which kind a thing is of."""
    own = row_of(way)
    if isinstance(own, Mixed):
        (own,) = own.kinds
    return next((place for place, kind in enumerate(row.kinds) if are_alike(kind, own)), None)


def _chosen(item: Any, values: list[Any], type_: Any) -> Any:
    """Return the number that a column of a type holds, of those that the alternatives of an item give."""
    given = [SymbolicScalar(cast(lift(value), type_.dtype)) for value in values if value is not None]
    if not given:
        return np.zeros((), type_.dtype)[()]
    if len(given) == 1:
        return given[0]
    left = iter(given)
    last = given[-1]
    return choose(item.tag, [last if value is None else next(left) for value in values])


def adopt(row: Row, item: Any) -> None:
    """Have the lists and objects in an item lie in the pools of a row."""
    if isinstance(row, Mixed):
        ways = item.alternatives if isinstance(item, Union) else (item,)
        for way in ways:
            leads_on = (
                items_of(way) is not None or isinstance(way, Poolable) or Operand.pool_of(way) is not None
            )
            place = _place(row, way) if leads_on else None
            if place is not None:
                adopt(row.kinds[place], way)
    elif isinstance(row, (Lists, Instances)):
        row.pool.adopt(item)
    elif isinstance(row, Record):
        for own, part in zip(row.items, items_of(item) or (), strict=True):
            adopt(own, part)


def widened(old: Row, new: Row, columns: Iterator[SymbolicArray], room: DimLike) -> Iterator[SymbolicArray]:
    """Yield the columns of a row that holds more, with what those of a row hold; there is room for so many items."""
    if isinstance(old, Record) and isinstance(new, Record):
        for one, other in zip(old.items, new.items, strict=True):
            yield from widened(one, other, columns, room)
        return
    if isinstance(old, ArrayType) and isinstance(new, Arrays):
        yield from new.pool.put_rows(next(columns))
        return
    if not isinstance(new, Mixed):
        yield from _taken(columns, len(columns_of(new)))
        return
    yield _tags(old, new, columns, room)
    before = old.slots if isinstance(old, Mixed) else Mixed((old,)).slots
    held = [(slot, list(_taken(columns, len(columns_of(slot))))) for slot in before]
    for slot in new.slots:
        found = next(((was, own) for was, own in held if are_alike(was, slot)), None)
        if found is not None:
            yield from widened(found[0], slot, iter(found[1]), room)
        else:
            yield from (_filled(0, type_, room) for type_ in columns_of(slot))


def _tags(old: Row, new: Mixed, columns: Iterator[SymbolicArray], room: DimLike) -> SymbolicArray:
    """Return which of the kinds of a row each item is of, as another row counts them."""
    kinds = old.kinds if isinstance(old, Mixed) else (old,)
    places = [next(p for p, kind in enumerate(new.kinds) if are_alike(kind, own)) for own in kinds]
    if not isinstance(old, Mixed):
        return _filled(places[0], TAG, room)
    tags = next(columns)
    before = value = tags.read()
    for was, now in enumerate(places):
        if was != now:
            test = recorder().emit("equal", before, lift(np.full((), was, TAG.dtype)[()]))
            value = recorder().emit("select", test, lift(np.full((), now, TAG.dtype)[()]), value)
    return tags if value is before else column_of(value)


def _taken(columns: Iterator[SymbolicArray], count: int) -> Iterator[SymbolicArray]:
    for _ in range(count):
        yield next(columns)


def _filled(number: int, type_: Any, room: DimLike) -> SymbolicArray:
    value = lift(np.full((), number, type_.dtype)[()])
    return column_of(recorder().emit("fill", value, dims=(room,), order=None))
