"""`sorted`, and `list.sort`."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.elementwise import operate
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.hash_tables import HashedSet
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.arrays.rows import Lists, Mixed, Record, columns_of, join_rows, row_of
from transpile.runtime.composites.tables import numbers_of
from transpile.runtime.graph.types import BOOL, FLOAT64, INT64, ScalarType

from .call import call
from .comprehensions import list_comp
from .protocols import counted


@implements(builtins.sorted)
def in_order(things: Any, /, *, key: Any = None, reverse: Any = False) -> list[Any]:
    """Stand for `sorted`."""
    things = things.entries if isinstance(things, HashedSet) else things
    if isinstance(things, SymbolicArray) and things.ndim == 1 and key is None:
        array = FUNCTIONS[np.array](things[::-1], order="C") if reverse else things
        _refuse_nan(array)
        array = FUNCTIONS[np.sort](array, kind="stable")
        return list_comp(array[::-1] if reverse else array, lambda item: item)
    made = things.copy() if isinstance(things, StagedList) else list_comp(counted(things), lambda item: item)
    assert isinstance(made, StagedList)
    sort(made, key=key, reverse=reverse)
    return made


def sort(things: StagedList, *, key: Any = None, reverse: Any = False) -> None:
    """Stand for `list.sort`."""
    measured = things if key is None else _measured(things, key)
    if not things.is_staged:
        keys = list(list.__iter__(measured)) if not measured.is_staged else None
        if keys is not None and not is_symbolic(keys):
            places = builtins.sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)
            things[:] = [list.__getitem__(things, place) for place in places]
            return
        row = things.row_of_numbers()
        if row is None:
            _refuse()
        things.stage(row)
    if things.home.row is None:
        return
    if not measured.is_staged:
        # It is known how many there are.
        measured.stage(functools.reduce(join_rows, map(row_of, list.__iter__(measured))))
    rows = things.rows()
    columns = measured.rows()
    if reverse:
        # What is equal stays in order.
        rows, columns = ([column[::-1] for column in some] for some in (rows, columns))
    places = _places(measured, columns)
    ordered = [column[places] for column in rows]
    things.home.write_rows(
        things.span()[0], [column[::-1] if reverse else column for column in ordered], things.size()
    )


def _measured(things: StagedList, key: Any) -> StagedList:
    """Return the keys of the items, each of which is asked for once; as long as they are, the list itself is empty, as Python has it."""
    if not things.is_staged:
        items = list(list.__iter__(things))
        list.clear(things)
        try:
            measured = StagedList(call(key, item) for item in items)
            is_empty = things.size() == 0
        finally:
            if not things.is_staged:
                things[:] = items
    elif things.pool is None:
        whole = StagedList.holding(things)
        things.clear()
        try:
            measured = _keys(whole, key)
            is_empty = things.size() == 0
        finally:
            things.begin, things.end = whole.begin, whole.end
    else:
        measured, is_empty = _keys(things, key), True
    if not is_empty:
        recorder().unstageable("S255-sorted", "a list is changed by the key that it is sorted by")
    return measured


def _keys(things: StagedList, key: Any) -> StagedList:
    """Return the keys of the items of a staged list."""
    keys = list_comp(things, lambda item: call(key, item))
    assert isinstance(keys, StagedList)
    return keys


def _places(measured: Any, columns: Sequence[SymbolicArray]) -> Any:
    """Return where the items stand that come one after the other when sorted."""
    row = measured.home.row
    if isinstance(row, Lists):
        return _places_of_lists(row.pool, columns[0])
    if not isinstance(row, Record):
        return _in_order([_key(row, columns)])
    left, keys = iter(columns), []
    for item in row.items:
        own = [next(left) for _ in columns_of(item)]
        if not _has_order(item):
            break
        keys.append(_key(item, own))
    if not keys:
        _refuse()
    places = _in_order(keys)
    if len(keys) < len(row.items):
        _refuse_equal([key[places] for key in keys])
    return places


def _in_order(keys: Sequence[SymbolicArray]) -> Any:
    """Return where things stand in the order of keys, the first of which counts most."""
    for column in keys:
        _refuse_nan(column)
    if len(keys) == 1:
        return FUNCTIONS[np.argsort](keys[0], kind="stable")
    return FUNCTIONS[np.lexsort](tuple(keys[::-1]))


def _refuse_equal(keys: Sequence[SymbolicArray]) -> None:
    """Leave a call to the original in which what follows the keys has to be compared, too."""
    same = [operate("equal", key[1:], key[:-1]) for key in keys]
    equal = functools.reduce(functools.partial(operate, "logical_and"), same)
    recorder().deoptimise_if(lift(FUNCTIONS[np.any](equal)), "things are sorted by what is no number")


def _places_of_lists(pool: Any, numbers: SymbolicArray) -> Any:
    """Return where the lists of a pool stand in order; a call in which they are not of one length is left to the original."""
    row = pool.items.row
    if not isinstance(row, ScalarType) or row.dtype.kind not in "biuf":
        _refuse()
    begins, ends, _ = (column[numbers] for column in pool.spans.rows())
    lengths = operate("subtract", ends, begins)
    width = FUNCTIONS[np.sum](lengths[:1])
    others = operate("logical_or", operate("not_equal", lengths, width), operate("equal", width, 0))
    recorder().deoptimise_if(
        lift(FUNCTIONS[np.any](others)), "lists are sorted that are empty, or not of one length"
    )
    (items,) = pool.items.rows()
    table = items[operate("add", begins, FUNCTIONS[np.arange](width)[:, None])]
    _refuse_nan(table)
    return FUNCTIONS[np.lexsort](table[::-1])


def _has_order(row: Any) -> bool:
    """Whether the items of a row are numbers that have an order."""
    kinds = row.kinds if isinstance(row, Mixed) else (row,)
    return all(isinstance(kind, ScalarType) and kind.dtype.kind in "biuf" for kind in kinds)


def _key(row: Any, columns: Sequence[SymbolicArray]) -> SymbolicArray:
    """Return the numbers by which the items of a row are sorted."""
    if not _has_order(row):
        _refuse()
    if not isinstance(row, Mixed):
        return columns[0]
    held = columns[1:]
    if len(held) == 1:
        return held[0]
    if any(column.dtype not in (BOOL, INT64, FLOAT64) for column in held):
        _refuse()
    for column in held:
        if column.dtype == INT64:
            far = operate("logical_or", operate("greater", column, 2**53), operate("less", column, -(2**53)))
            recorder().deoptimise_if(
                lift(FUNCTIONS[np.any](far)), "integers are sorted that floats do not tell apart"
            )
    return numbers_of(row, iter(columns), FLOAT64)


def _refuse_nan(array: SymbolicArray) -> None:
    """Leave the order of NaN to the original: NumPy takes it to the end, for Python it is nowhere."""
    if array.dtype.kind in "fc":
        test = FUNCTIONS[np.any](FUNCTIONS[np.ufunc](np.isnan, "__call__", array))
        recorder().deoptimise_if(test.value, "what is to be sorted holds NaN")


def _refuse() -> NoReturn:
    recorder().unstageable(
        "S255-sorted",
        "the order of things that are neither numbers nor tuples or lists of them",
        "use an array",
    )


setattr(StagedList, "sort", sort)  # noqa: B010 (Python's own method is another one to mypy)
