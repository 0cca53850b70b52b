"""Rows: what the items of a list whose length run time gives are made of."""

from __future__ import annotations

import enum
import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from types import FunctionType, NoneType
from typing import Any

import numpy as np

from transpile.runtime.graph.types import INT, INT64, PYTHON_TYPES, ArrayType, DType, ScalarType

from .array import SymbolicArray
from .cells import Storage
from .numbers import DTYPES, lift, to_weak
from .operand import Operand
from .rebuilt import rebuilt
from .recorder import recorder
from .scalar import SymbolicScalar
from .undefined import Undefined
from .union import Union


@dataclass(frozen=True)
class Record:
    """The row of a tuple, or of what says by `__parts__` what it consists of: its class, and the rows of its items."""

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


@dataclass(frozen=True)
class Arrays:
    """The row of an array whose size differs from item to item: where it begins among the elements in a pool, and its dims."""

    dtype: DType
    ndim: int
    pool: Any

    def __str__(self) -> str:
        return f"{self.dtype} array of {self.ndim} axes"


@dataclass(frozen=True)
class Instances:
    """The row of an instance of a user's class: the pool of the class, in which it lies under a number."""

    pool: Any

    def __str__(self) -> str:
        return str(self.pool)


@dataclass(frozen=True)
class Only:
    """What holds one known thing: None, text, or a member of an enumeration."""

    thing: Any

    def __str__(self) -> str:
        return repr(self.thing)


@dataclass(frozen=True)
class Mixed:
    """The row of what may be of several kinds: a tag tells which one, and numbers of one dtype share a column."""

    kinds: tuple[Row, ...]

    def __str__(self) -> str:
        return " or ".join(map(str, self.kinds))

    @property
    def slots(self) -> list[Row]:
        """The rows in which the kinds are held."""
        return list(dict.fromkeys(map(_held, self.kinds)))

    def slot(self, place: int) -> int:
        """Return which slot holds a kind."""
        return self.slots.index(_held(self.kinds[place]))


def _held(kind: Row) -> Row:
    return ScalarType(kind.dtype) if isinstance(kind, ScalarType) else kind


class Poolable(list[Any]):
    """A list that may lie in a `pool`, under the number `handle`."""

    __slots__ = ("handle", "pool")

    def __init__(self, items: Iterable[Any] = ()) -> None:
        super().__init__(items)
        self.pool: Any = None
        self.handle: Any = None


# The most kinds of things that a list may hold: as many as a union has.
_KINDS = 6

# What rows hold by itself, besides arrays.
NUMBERS = (SymbolicScalar, bool, int, float, complex, np.generic)

Row = ScalarType | ArrayType | Record | Lists | Arrays | Instances | Only | Mixed

# The column of tags.
TAG = ScalarType(np.dtype(np.int8))


def row_of(item: Any) -> Row:
    """Return the row that holds an item.

    Raises StagingError for what no row can hold.
    """
    if isinstance(item, Union):
        ways = [way for way in item.alternatives if not isinstance(way, Undefined)]
        if _is_settled(item) or not all(
            isinstance(way, (SymbolicScalar, tuple, str, NoneType))
            or id(way) in recorder().pooled
            or is_member(way)
            for way in ways
        ):
            # What is appended is the alternative that was made last (`Union.resolved`).
            return row_of(ways[-1])
        return functools.reduce(join_rows, map(row_of, ways))
    if isinstance(item, SymbolicScalar):
        return item.type
    if isinstance(item, SymbolicArray):
        if item.may_be_written is not True:
            recorder().unstageable(
                "S163-items",
                "a list that grows in a loop on run-time values holds an array that cannot be written",
            )
        if not item.dims:
            # In a column it would be a number, which is another thing.
            recorder().unstageable(
                "S163-items", "a list that grows in a loop on run-time values holds an array without axes"
            )
        return ArrayType(item.dtype, item.dims)
    if type(item) in PYTHON_TYPES:
        return ScalarType(PYTHON_TYPES[type(item)], True)
    if isinstance(item, np.generic) and item.dtype in DTYPES:
        return ScalarType(item.dtype)
    if isinstance(item, tuple) and item and (type_of(item) is tuple or is_named(type(item))):
        return Record(type_of(item), tuple(map(row_of, item)))
    if hasattr(type(item), "__parts__"):
        return Record(type(item), tuple(map(row_of, item.__parts__())))
    if isinstance(item, Poolable):
        return Lists(item.pool)
    if item is None or type(item) is str or is_member(item):
        return Mixed((Only(item),))
    pool = Operand.pool_of(item)
    if pool is not None:
        return Instances(pool)
    recorder().unstageable(
        "S163-items", f"a list that grows in a loop on run-time values holds a {type(item).__name__}"
    )


def is_member(item: Any) -> bool:
    """Whether a thing is a member of an enumeration that equals nothing else."""
    return isinstance(item, enum.Enum) and type(item).__eq__ is object.__eq__


def is_named(kind: type) -> bool:
    """Whether a class is one of named tuples that are what they are made of, and nothing else: no code of its own makes them."""
    new: Any = kind.__new__
    return (
        issubclass(kind, tuple)
        and hasattr(kind, "_fields")
        and kind.__init__ is object.__init__
        and isinstance(new, FunctionType)
        and new.__code__.co_filename == "<string>"
    )


def type_of(item: Any) -> Any:
    """Return the class of a tuple, as the program knows it."""
    return getattr(type(item), "stands_for", type(item))


def _is_settled(union: Union) -> bool:
    """Whether a number is of the type it has after the first turn of a loop, but where there is no turn."""
    if not all(isinstance(way, (SymbolicScalar, Undefined)) for way in union.alternatives):
        return False
    op = union.tag.value.op
    while op is not None and op.name == "subtract":
        # An alternative has been taken away that was unbound.
        op = op.operands[0].op
    return op is None or op.name in ("for_loop", "while_loop")


def same_row(one: Row, other: Row) -> bool:
    """Whether items of two rows fit into one list; a trace may come to depend on dims that agree."""
    if one == other:
        return True
    if isinstance(one, Record) and isinstance(other, Record):
        same = one.kind is other.kind and len(one.items) == len(other.items)
        return same and all(map(same_row, one.items, other.items))
    if isinstance(one, Lists) and isinstance(other, Lists):
        return one.pool is None or other.pool is None
    if isinstance(one, Arrays):
        return _are_arrays(one, other) and (isinstance(other, ArrayType) or other.pool is None)  # type: ignore[union-attr]
    if not (isinstance(one, ArrayType) and isinstance(other, ArrayType) and _are_arrays(one, other)):
        return False
    pairs = list(zip(one.dims, other.dims, strict=True))
    if recorder().takes_sizes and any(recorder().are_unequal(a, b) for a, b in pairs):
        return False
    return all(recorder().assume_equal(a, b) for a, b in pairs)


def _are_arrays(one: Row, other: Row) -> bool:
    """Whether items of two rows are arrays of one dtype and number of axes."""
    if not (isinstance(one, (ArrayType, Arrays)) and isinstance(other, (ArrayType, Arrays))):
        return False
    return one.dtype == other.dtype and _axes(one) == _axes(other)


def _axes(row: ArrayType | Arrays) -> int:
    return row.ndim if isinstance(row, Arrays) else len(row.dims)


def of_sizes(row: ArrayType | Arrays) -> Arrays:
    """Return the row of arrays like those of a row, of whatever size; raises StagingError where none are to be held so."""
    record = recorder()
    record.asks_sizes = True
    if not record.takes_sizes:
        record.unstageable("S162-list", "a list whose length run time gives holds arrays of several sizes")
    return Arrays(row.dtype, _axes(row), row.pool if isinstance(row, Arrays) else None)


def settled_sizes(row: Row) -> Row:
    """Return a row with arrays whose dims cannot be known in the region being recorded as arrays of whatever size."""
    if isinstance(row, Record):
        return Record(row.kind, tuple(map(settled_sizes, row.items)))
    if isinstance(row, ArrayType) and not all(map(recorder().visible, row.dims)):
        dims = [dim for dim in map(rebuilt, row.dims) if dim is not None]
        return replace(row, dims=tuple(dims)) if len(dims) == len(row.dims) else of_sizes(row)
    return row


def holds_arrays(row: Row | None) -> bool:
    """Whether there are arrays in the items of a row."""
    if isinstance(row, Record):
        return any(map(holds_arrays, row.items))
    return isinstance(row, (ArrayType, Arrays))


def join_rows(one: Row, other: Row) -> Row:
    """Return the row of what is of either row: `one`, where it holds both.

    Raises StagingError where there is none.
    """
    if same_row(one, other):
        return one
    if isinstance(one, Record) and isinstance(other, Record) and are_alike(one, other):
        return Record(one.kind, tuple(map(join_rows, one.items, other.items)))
    if isinstance(one, ArrayType) and _are_arrays(one, other):
        return of_sizes(other)  # type: ignore[arg-type]
    kinds: list[Row] = list(one.kinds if isinstance(one, Mixed) else (one,))
    for kind in other.kinds if isinstance(other, Mixed) else (other,):
        place = next((p for p, known in enumerate(kinds) if are_alike(known, kind)), len(kinds))
        kinds[place:] = [join_rows(kinds[place], kind) if place < len(kinds) else kind, *kinds[place + 1 :]]
    if sum(isinstance(kind, Lists) for kind in kinds) > 1 or all(isinstance(k, Arrays) for k in kinds):
        recorder().unstageable(
            "S176-pools", "a list is an item of lists that have nothing to do with each other"
        )
    if len(kinds) > _KINDS or any(map(holds_arrays, kinds)):
        recorder().unstageable("S163-items", f"a list of {one} is given a {other}")
    return Mixed(tuple(kinds))


def are_alike(one: Row, other: Row) -> bool:
    """Whether two rows are one kind."""
    if isinstance(one, Record) and isinstance(other, Record):
        return one.kind is other.kind and len(one.items) == len(other.items)
    if isinstance(one, Lists) and isinstance(other, Lists):
        return one.pool is other.pool or one.pool is None or other.pool is None
    return one == other


def columns_of(row: Row) -> list[ScalarType | ArrayType]:
    """Return the types of the numbers and arrays that a row is made of."""
    if isinstance(row, Record):
        return [column for item in row.items for column in columns_of(item)]
    if isinstance(row, Mixed):
        return [TAG, *(column for slot in row.slots for column in columns_of(slot))]
    if isinstance(row, Only):
        return []
    if isinstance(row, Arrays):
        return [INT] * (1 + row.ndim)
    return [INT if isinstance(row, (Lists, Instances)) else row]


def leaves_of(item: Any) -> list[Any]:
    """Return the numbers and arrays that an item is made of."""
    if isinstance(item, Union):
        item = item.resolved()
    parts = items_of(item)
    return [number_of(item)] if parts is None else [leaf for part in parts for leaf in leaves_of(part)]


def items_of(item: Any) -> tuple[Any, ...] | None:
    """Return what a thing consists of that fits into a `Record`; None of any other."""
    if hasattr(type(item), "__parts__"):
        return item.__parts__()  # type: ignore[no-any-return]
    return item if isinstance(item, tuple) else None


def made_as(kind: type) -> Any:
    """Return what makes things of the class that the program knows, at run time, where a `Record` is of another one."""
    return getattr(kind, "made_as", kind)


def number_of(item: Any) -> Any:
    """Return the number that a list or object has in its pool; anything else itself."""
    if isinstance(item, Poolable):
        return item.handle
    return recorder().pooled[id(item)][2] if is_in_pool(item) else item


def is_in_pool(thing: Any) -> bool:
    """Whether a thing is an object that lies in a pool."""
    return "__is_in_pool__" in vars(type(thing))


def built(row: Row, leaves: Iterator[Any]) -> Any:
    """Return the item of a row that is made of numbers and arrays."""
    if isinstance(row, (Lists, Instances)):
        return row.pool.member(next(leaves))
    if isinstance(row, Arrays):
        return row.pool.member(*itertools.islice(leaves, 1 + row.ndim))
    if isinstance(row, Only):
        return row.thing
    if isinstance(row, Mixed):
        return _one_of(row, leaves)
    if not isinstance(row, Record):
        return next(leaves)
    items = [built(item, leaves) for item in row.items]
    return tuple(items) if row.kind is tuple else row.kind(*items)


def _one_of(row: Mixed, leaves: Iterator[Any]) -> Any:
    tag = SymbolicScalar(to_weak(lift(next(leaves)), INT64))
    held = [built(slot, leaves) for slot in row.slots]
    ways = [
        SymbolicScalar(to_weak(lift(thing), kind.dtype))
        if isinstance(kind, ScalarType) and kind.weak
        else thing
        for kind, thing in ((kind, held[row.slot(place)]) for place, kind in enumerate(row.kinds))
    ]
    return Union(tag, tuple(ways)) if len(ways) > 1 else ways[0]


def pools_of(row: Row | None) -> list[Any]:
    """Return the pools that the lists, objects and arrays of several sizes in a row lie in."""
    if isinstance(row, Record):
        return [pool for item in row.items for pool in pools_of(item)]
    if isinstance(row, Mixed):
        return [pool for slot in row.slots for pool in pools_of(slot)]
    return [row.pool] if isinstance(row, (Lists, Instances, Arrays)) else []


def in_pools(row: Row, pools: Callable[[Lists | Arrays], Any]) -> Row:
    """Return a row with what `pools` gives as the pool of each list, and each array of a size of its own, in it."""
    if isinstance(row, Record):
        return Record(row.kind, tuple(in_pools(item, pools) for item in row.items))
    if isinstance(row, Mixed):
        return Mixed(tuple(in_pools(kind, pools) for kind in row.kinds))
    return replace(row, pool=pools(row)) if isinstance(row, (Lists, Arrays)) else row


def freeze(storage: Storage) -> None:
    """Note that an array is an item of a list, of which a copy has been made: it must not be written."""
    for same in (storage, *storage.relatives):
        same.frozen = True


def is_weak(row: Row) -> bool:
    """Whether the items of a row are Python's own numbers."""
    return isinstance(row, ScalarType) and row.weak
