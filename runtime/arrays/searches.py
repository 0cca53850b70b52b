"""Which items of a list whose length run time gives equal a thing."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from transpile.runtime.graph.types import BOOL, FLOAT64, INT64, ScalarType

from .array import SymbolicArray
from .functions import FUNCTIONS
from .lists import StagedList
from .numbers import COMPLEX, lift
from .operand import Operand
from .recorder import recorder
from .rows import (
    NUMBERS,
    Instances,
    Mixed,
    Only,
    Record,
    Row,
    columns_of,
    items_of,
    leaves_of,
    pools_of,
    row_of,
)
from .scalar import SymbolicScalar
from .union import Union

# Python's numbers, and NumPy's of the same range.
_WIDE = (BOOL, INT64, FLOAT64, COMPLEX)
# Below it floats tell all integers apart.
_EXACT = 2.0**53


def holds(things: StagedList, item: Any) -> SymbolicArray:
    """Return, for each item of a staged list, whether it equals a number, None, text, or a tuple of such."""
    row = things.home.row
    assert row is not None
    if isinstance(item, Union) and all(isinstance(way, SymbolicScalar) for way in item.alternatives):
        return item.on_each_way(lambda way: holds(things, way))  # type: ignore[no-any-return]
    item = item.resolved() if isinstance(item, Union) else item
    if isinstance(row, Instances) and row.pool.has_identity:
        return _same(things, row, item)
    if pools_of(row):
        things.refuse("whether a list is in, of the lists")
    if not all(leaf is None or isinstance(leaf, (str, *NUMBERS)) for leaf in leaves_of(item)):
        things.refuse("whether something else than a number is in, of the items")
    if not all(isinstance(type_, ScalarType) for type_ in columns_of(row)):
        things.refuse("whether something is in, of the arrays")
    found = _equal(things, row, iter(things.rows()), item)
    if isinstance(found, bool):
        return FUNCTIONS[np.full](things.length, found)  # type: ignore[no-any-return]
    return found  # type: ignore[no-any-return]


def _same(things: StagedList, row: Instances, item: Any) -> SymbolicArray:
    """Return which objects are one with a thing."""
    (numbers,) = things.rows()
    if Operand.pool_of(item) is None and not isinstance(item, (str, type(None), *NUMBERS)):
        things.refuse("whether something that may decide itself what it equals is in, of the objects")
    _, pool, handle = recorder().pooled.get(id(item), (None, None, None))
    if pool is row.pool:
        return Operand.operate("equal", numbers, handle)  # type: ignore[no-any-return]
    return FUNCTIONS[np.full](things.length, False)  # type: ignore[no-any-return]


def _equal(things: StagedList, row: Row, columns: Iterator[SymbolicArray], item: Any) -> Any:
    """Return which items of a row, which lie in the next ones of some columns, equal a thing; a truth where all do, or none."""
    if isinstance(row, Only):
        has_text = isinstance(item, (str, type(None))) or hasattr(type(item), "__parts__")
        return row.thing == item if has_text else False
    if isinstance(row, Mixed):
        tags = next(columns)
        held = [[next(columns) for _ in columns_of(slot)] for slot in row.slots]
        found: Any = False
        for place, kind in enumerate(row.kinds):
            own = _equal(things, kind, iter(held[row.slot(place)]), item)
            found = _both(
                "logical_or", found, _both("logical_and", own, Operand.operate("equal", tags, place))
            )
        return found
    if isinstance(row, Record):
        own = [[next(columns) for _ in columns_of(part)] for part in row.items]
        if hasattr(row.kind, "taken"):
            item = row.kind.taken(item)
        item = items_of(item)
        if item is None or len(item) != len(row.items):
            return False
        parts = [_equal(things, *parts) for parts in zip(row.items, map(iter, own), item, strict=True)]
        return functools.reduce(functools.partial(_both, "logical_and"), parts, True)
    column = next(columns)
    if not isinstance(item, NUMBERS):
        return False
    assert isinstance(row, ScalarType)
    return _equal_numbers(things, row, column, item)


def _equal_numbers(things: StagedList, row: ScalarType, column: SymbolicArray, item: Any) -> Any:
    own = row_of(item)
    assert isinstance(own, ScalarType)
    # A number of Python's is taken as one of the type of NumPy's beside it, as it is beside an array of those.
    alike = row.dtype == own.dtype or (own.weak and not row.weak)
    if not alike and not (row.dtype in _WIDE and own.dtype in _WIDE):
        things.refuse("whether a number of another type is in")
    if own.dtype.kind in "fc":
        # Python finds a NaN that is the very object in the list.
        recorder().deoptimise_if(
            lift(Operand.operate("not_equal", item, item)), "a NaN is looked for in a list"
        )
    if {row.dtype.kind, own.dtype.kind} >= {"i"} and {row.dtype.kind, own.dtype.kind} & set("fc"):
        # Python compares them exactly.
        size = FUNCTIONS[np.ufunc](np.absolute, "__call__", item)
        inexact = Operand.operate("logical_not", Operand.operate("less", size, _EXACT))
        recorder().deoptimise_if(
            lift(inexact), "a float is compared with integers that it may not tell apart"
        )
    return Operand.operate("equal", column, item)


def _both(name: str, one: Any, other: Any) -> Any:
    """Return `logical_and` or `logical_or` of truths that may be known."""
    ends = name == "logical_or"
    for truth, rest in ((one, other), (other, one)):
        if isinstance(truth, bool):
            return truth if truth is ends else rest
    return Operand.operate(name, one, other)
