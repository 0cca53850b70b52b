"""Rows: what the items of a list whose length run time gives are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from transpile.runtime.graph.types import INT, PYTHON_TYPES, ArrayType, ScalarType

from .array import SymbolicArray
from .cells import Storage
from .numbers import DTYPES
from .recorder import recorder
from .scalar import SymbolicScalar
from .undefined import Undefined
from .union import Union


@dataclass(frozen=True)
class Record:
    """The row of a tuple: its class, and the rows of its items."""

    kind: type
    items: tuple[Row, ...]

    def __str__(self) -> str:
        return f"{self.kind.__name__} of {', '.join(map(str, self.items))}"


@dataclass(frozen=True)
class Lists:
    """The row of a list: the pool that it lies in, under a number; None where it lies in none yet."""

    pool: Any

    def __str__(self) -> str:
        return "list"


class Poolable(list[Any]):
    """A list that may lie in a `pool`, under the number `handle`."""

    __slots__ = ("handle", "pool")

    def __init__(self, items: Iterable[Any] = ()) -> None:
        super().__init__(items)
        self.pool: Any = None
        self.handle: Any = None


# What rows hold by itself, besides arrays.
NUMBERS = (SymbolicScalar, bool, int, float, complex, np.generic)

Row = ScalarType | ArrayType | Record | Lists


def row_of(item: Any) -> Row:
    """Return the row that holds an item.

    Raises StagingError for what no row can hold.
    """
    if isinstance(item, Union):
        # What is appended is the alternative that was made last (`Union.resolved`).
        return row_of(next(way for way in reversed(item.alternatives) if not isinstance(way, Undefined)))
    if isinstance(item, SymbolicScalar):
        return item.type
    if isinstance(item, SymbolicArray):
        return ArrayType(item.dtype, item.dims)
    if type(item) in PYTHON_TYPES:
        return ScalarType(PYTHON_TYPES[type(item)], True)
    if isinstance(item, np.generic) and item.dtype in DTYPES:
        return ScalarType(item.dtype)
    if isinstance(item, tuple) and item and (type(item) is tuple or hasattr(item, "_fields")):
        return Record(type(item), tuple(map(row_of, item)))
    if isinstance(item, Poolable):
        return Lists(item.pool)
    recorder().unstageable(
        "S163-items", f"a list that grows in a loop on run-time values holds a {type(item).__name__}"
    )


def same_row(one: Row, other: Row) -> bool:
    """Whether items of two rows fit into one list; a trace may come to depend on dims that agree."""
    if one == other:
        return True
    if isinstance(one, Record) and isinstance(other, Record):
        same = one.kind is other.kind and len(one.items) == len(other.items)
        return same and all(map(same_row, one.items, other.items))
    if isinstance(one, Lists) and isinstance(other, Lists):
        return one.pool is None or other.pool is None
    if not (isinstance(one, ArrayType) and isinstance(other, ArrayType)):
        return False
    same = one.dtype == other.dtype and len(one.dims) == len(other.dims)
    return same and all(recorder().assume_equal(a, b) for a, b in zip(one.dims, other.dims, strict=True))


def columns_of(row: Row) -> list[ScalarType | ArrayType]:
    """Return the types of the numbers and arrays that a row is made of."""
    if isinstance(row, Record):
        return [column for item in row.items for column in columns_of(item)]
    return [INT if isinstance(row, Lists) else row]


def leaves_of(item: Any) -> list[Any]:
    """Return the numbers and arrays that an item is made of."""
    if isinstance(item, Union):
        item = item.resolved()
    if isinstance(item, tuple):
        return [leaf for part in item for leaf in leaves_of(part)]
    return [item.handle if isinstance(item, Poolable) else item]


def built(row: Row, leaves: Iterator[Any]) -> Any:
    """Return the item of a row that is made of numbers and arrays."""
    if isinstance(row, Lists):
        return row.pool.member(next(leaves))
    if not isinstance(row, Record):
        return next(leaves)
    items = [built(item, leaves) for item in row.items]
    return tuple(items) if row.kind is tuple else row.kind(*items)


def pools_of(row: Row | None) -> list[Any]:
    """Return the pools that the lists in a row lie in."""
    if isinstance(row, Record):
        return [pool for item in row.items for pool in pools_of(item)]
    return [row.pool] if isinstance(row, Lists) else []


def in_pools(row: Row, pools: Callable[[Any], Any]) -> Row:
    """Return a row with what `pools` gives for the pool of each list in it."""
    if isinstance(row, Record):
        return Record(row.kind, tuple(in_pools(item, pools) for item in row.items))
    return Lists(pools(row.pool)) if isinstance(row, Lists) else row


def adopt(row: Row, item: Any) -> None:
    """Have the lists in an item lie in the pools of a row."""
    if isinstance(row, Lists):
        row.pool.adopt(item)
    elif isinstance(row, Record):
        for own, part in zip(row.items, item, strict=True):
            adopt(own, part)


def freeze(storage: Storage) -> None:
    """Note that an array is an item of a list, of which a copy has been made: it must not be written."""
    for same in (storage, *storage.aliases):
        same.frozen = True


def is_weak(row: ScalarType | ArrayType) -> bool:
    """Whether the items of a row are Python's own numbers."""
    return isinstance(row, ScalarType) and row.weak
