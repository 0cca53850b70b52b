"""Keys of hash tables: which there may be, their codes, whether they are equal, and the slots of a table. See Note [Hash tables]."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from transpile.runtime.graph.types import INT64, UINT64, ScalarType

from . import probing
from .array import dim_scalar
from .choices import choose
from .functions import FUNCTIONS, implements
from .indexing import as_dim
from .numbers import cast, lift, to_weak
from .operand import Operand
from .recorder import recorder
from .row_buffers import column_of
from .rows import Mixed, Record, Row, built, items_of, made_as
from .scalar import SymbolicScalar
from .union import Union

SLOTS = 8


def is_key(key: Any) -> bool:
    parts = items_of(key)
    if parts is not None:
        return bool(parts) and all(map(is_key, parts))
    if isinstance(key, Union):
        return all(isinstance(way, SymbolicScalar) and is_key(way) for way in key.alternatives)
    if isinstance(key, SymbolicScalar):
        return key.type.dtype.kind in "bi"
    return isinstance(key, (bool, int, np.bool_, np.signedinteger))


def as_taken(key: Any) -> Any:
    """Return a key as it is held: where run time gives the characters of texts, one of them that is known is one of those, too."""
    return Operand.character(key) if recorder().gives_characters else key


def _numbers_of(key: Any) -> list[Any]:
    """Return the integers of Python's that a key, which run time gives, is compared by."""
    parts = items_of(key)
    if parts is not None:
        return [number for item in parts for number in _numbers_of(item)]
    if isinstance(key, Union):
        return [choose(key.tag, [_numbers_of(way)[0] for way in key.alternatives])]
    value = lift(key)
    return [SymbolicScalar(to_weak(value if value.type == ScalarType(UINT64) else cast(value, INT64), INT64))]


@implements(probing.code_of)
def _code_of(key: Any) -> Any:
    first, *others = _numbers_of(key)
    if not others:
        return first & probing.MASK
    code = SymbolicScalar(cast(lift(first), INT64))
    for number in others:
        # NumPy's integers wrap around.
        code = code * np.int64(probing.FACTOR) ^ SymbolicScalar(cast(lift(number), INT64))
    return SymbolicScalar(to_weak(lift(code), INT64)) & probing.MASK


@implements(probing.number_at)
def _number_at(table: Any, slot: Any) -> Any:
    # A slot is one of those that there are.
    (number,) = table.slots.leaves_at(as_dim(slot))
    return number


@implements(probing.set_number)
def _set_number(table: Any, slot: Any, number: Any) -> None:
    table.slots.write_leaf(0, as_dim(slot), number)


@implements(probing.keep_first)
def _keep_first(table: Any, count: Any) -> None:
    for things in (table.entries, table.held):
        first, _ = things.span()
        things.cut(first, first + as_dim(count))


@implements(probing.goes_on)
def _goes_on(table: Any, number: Any, key: Any) -> Any:
    was = number == -2
    row = table.entries.row
    if row is None:
        return was
    # There is a row, of whatever is in memory, although there be no entry.
    entry = built(row, table.entries.leaves_at(as_dim(FUNCTIONS[max](number, 0))))
    return was | ((number >= 0) & (_same(entry, key) == False))  # noqa: E712


@implements(probing.renew)
def renew(table: Any, size: Any) -> None:
    record, count = recorder(), as_dim(size)
    value = record.emit("fill", lift(np.int64(-1)), dims=(count,), order=None)
    table.slots.columns, table.slots.end = [column_of(value)], dim_scalar(count)


def _same(one: Any, other: Any) -> Any:
    if shape_of(one) != shape_of(other):
        return False
    tests = [a == b for a, b in zip(_numbers_of(one), _numbers_of(other), strict=True)]
    return functools.reduce(lambda a, b: a & b, tests)


def shape_of(key: Any) -> Any:
    """Return how numbers lie in a key: keys of different shapes are never equal."""
    parts = items_of(key)
    return int if parts is None else (_class_of(type(key)), *map(shape_of, parts))


def _class_of(kind: type) -> Any:
    """Return the class of keys that may equal those of a class: named tuples equal others."""
    return tuple if issubclass(kind, tuple) else made_as(kind)


def shape_in(row: Row) -> Any:
    """Return how numbers lie in the keys that a row holds; None where they lie in several ways."""
    if isinstance(row, Record):
        return (_class_of(row.kind), *map(shape_in, row.items))
    kinds = row.kinds if isinstance(row, Mixed) else (row,)
    return int if all(isinstance(kind, ScalarType) for kind in kinds) else None


def slots_of(keys: list[Any]) -> list[int]:
    """Return the slots of a table of known keys."""
    table = probing.KnownTable(SLOTS)
    for key in keys:
        probing.add(table, key)
    return table.slots
