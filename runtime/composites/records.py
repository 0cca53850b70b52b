"""Functions and methods of arrays of records: those of `numpy.lib.recfunctions`, which is not imported for them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar
from transpile.runtime.arrays.functions import implements_named
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.records import RECORD_METHODS, Fields, RecordArray, Seen, Viewed
from transpile.runtime.graph.records import Names, leaves_of, offsets_of
from transpile.runtime.views.view import View

from .arguments import as_dtype
from .calls import known_integer
from .creation import empty_like_dims

_HOME = "numpy.lib.recfunctions"


def _new(array: RecordArray, dtype: np.dtype[Any], order: Any) -> RecordArray:
    """Return a new array of records of the shape of another one."""
    if order not in ("C", "K") or (order == "K" and array.ndim > 1):
        recorder().unstageable("S144-keyword", "order= of an array of records is not staged")
    made: RecordArray = recorder().make_records(np.empty, array.dims, dtype)
    return made


def copy(array: RecordArray, order: Any = "C") -> RecordArray:
    """Stand for `array.copy()`."""
    made = _new(array, array.dtype, order)
    made[...] = array
    return made


def astype(
    array: RecordArray,
    dtype: Any,
    order: Any = "K",
    casting: Any = "unsafe",
    subok: Any = True,
    copy: Any = True,
) -> RecordArray:
    """Stand for `array.astype()`, to records whose fields have the same names."""
    wanted = np.dtype(dtype)
    if not copy and wanted == array.dtype:
        return array
    if casting != "unsafe" or not _are_alike(array.dtype, wanted):
        recorder().unstageable(
            "S323-records", "an array of records is cast to others, or in a way of its own"
        )
    made = _new(array, wanted, order)
    for mine, new in zip(array.leaves(), made.leaves(), strict=True):
        new[...] = mine
    return made


def _are_alike(one: np.dtype[Any], other: np.dtype[Any]) -> bool:
    """Whether dtypes have fields of the same names and shapes."""
    return [(names, field.shape) for names, field in leaves_of(one)] == [
        (names, field.shape) for names, field in leaves_of(other)
    ]


def view(array: RecordArray, dtype: Any = None, type: Any = None) -> RecordArray:
    """Stand for `array.view()`, as records whose fields lie as they did and have other names."""
    wanted = np.dtype(dtype)
    old, new = ([(at, field) for _, field, at in offsets_of(d)] for d in (array.dtype, wanted))
    if type is not None or wanted.names is None or wanted.itemsize != array.dtype.itemsize or old != new:
        recorder().unstageable("S323-records", "an array of records is seen as something else")
    pairs = zip(leaves_of(wanted), leaves_of(array.dtype), strict=True)
    renamed = {names: before for (names, _), (before, _) in pairs}
    if any(len(names) != len(before) for names, before in renamed.items()):
        recorder().unstageable("S323-records", "an array of records is seen as records in others")
    return Viewed(array, renamed, wanted, lambda shown: shown.view(wanted)).whole


RECORD_METHODS |= {"copy": copy, "astype": astype, "view": view}


def _flat(dtype: np.dtype[Any]) -> list[tuple[Names, tuple[int, ...], np.dtype[Any], int]]:
    """Return the numbers in a record, in order: the names of the field of each, its place there, its dtype and its offset."""
    return [
        (names, place, field.base, at + count * field.base.itemsize)
        for names, field, at in offsets_of(dtype)
        for count, place in enumerate(np.ndindex(field.shape))
    ]


def _step(dtype: np.dtype[Any]) -> int | None:
    """Return how many bytes lie between each number in a record and the next, where it is as many everywhere and their dtype is one."""
    numbers = _flat(dtype)
    steps = {two[3] - one[3] for one, two in itertools.pairwise(numbers)}
    same = len({number[2] for number in numbers}) == 1
    return (steps.pop() if steps else dtype.itemsize) if same and len(steps) < 2 else None


def _leaf(array: RecordArray, names: Names) -> SymbolicArray:
    leaf: Any = array
    for name in names:
        leaf = leaf[name]
    assert isinstance(leaf, SymbolicArray)
    return leaf


def _refuse_repeated(dtype: np.dtype[Any]) -> None:
    for name in dtype.names or ():
        field = dtype[name]
        if field.base.names is not None:
            if field.shape:
                recorder().unstageable("S323-records", "records hold arrays of records")
            _refuse_repeated(field)


@implements_named(_HOME, "structured_to_unstructured")
def structured_to_unstructured(
    arr: Any, dtype: Any = None, copy: Any = False, casting: Any = "unsafe"
) -> SymbolicArray:
    """Stand for `structured_to_unstructured`, where it gives a new array."""
    if type(arr) is not RecordArray or casting != "unsafe" or arr.ndim > 1:
        recorder().unstageable("S144-keyword", "structured_to_unstructured() of this is not staged")
    _refuse_repeated(arr.dtype)
    numbers = _flat(arr.dtype)
    if not numbers:
        recorder().unstageable("S323-records", "records have no fields")
    wanted = as_dtype(np.result_type(*(base for _, _, base, _ in numbers)) if dtype is None else dtype)
    if not copy and _step(arr.dtype) is not None and numbers[0][2] == wanted:
        recorder().unstageable(
            "S323-records", "structured_to_unstructured() gives a view of the records", "ask for copy=True"
        )
    found = empty_like_dims((*arr.dims, len(numbers)), wanted)
    for column, (names, place, *_) in enumerate(numbers):
        found[..., column] = _leaf(arr, names)[(..., *place)]
    return found


class _Columns(Fields):
    """The columns of an array in C order, as the fields of records that lie in it."""

    def __init__(self, array: SymbolicArray, dtype: np.dtype[Any]) -> None:
        self._array, self._dtype = array, dtype
        self.whole = RecordArray(self, (), View.identity(array.dims[:-1]), dtype)

    def leaf(self, names: Names) -> SymbolicArray:
        """Return the columns of a field."""
        places = [column for column, (own, *_) in enumerate(_flat(self._dtype)) if own == names]
        field = next(field for own, field, _ in offsets_of(self._dtype) if own == names)
        if len(field.shape) > 1:
            recorder().unstageable("S323-records", "columns are seen as fields of several axes")
        found: Any = self._array
        found = found[..., places[0] : places[-1] + 1] if field.shape else found[..., places[0]]
        assert isinstance(found, SymbolicArray)
        return found

    def leaves(self) -> Iterator[SymbolicArray]:
        """Yield the array."""
        yield self._array

    def seen(self, names: Names) -> Seen:
        """Return where the records lie."""
        dtype = self._dtype
        if names:
            recorder().unstageable("S323-records", "records in others, which lie in an array, are returned")
        return Seen(self._array, (), None, (lambda array: array.view(dtype)[..., 0],))


@implements_named(_HOME, "unstructured_to_structured")
def unstructured_to_structured(
    arr: Any,
    dtype: Any = None,
    names: Any = None,
    align: Any = False,
    copy: Any = False,
    casting: Any = "unsafe",
) -> RecordArray:
    """Stand for `unstructured_to_structured`: a view where the numbers lie as the records do, else a new array."""
    if not isinstance(arr, SymbolicArray) or casting != "unsafe" or align or not arr.ndim:
        recorder().unstageable("S144-keyword", "unstructured_to_structured() of this is not staged")
    count = known_integer(dim_scalar(arr.dims[-1]))
    if dtype is None:
        wanted = np.dtype([(name, arr.dtype) for name in names or [f"f{n}" for n in range(count)]])
    else:
        wanted = np.dtype(dtype)
    _refuse_repeated(wanted)
    numbers = _flat(wanted)
    if not count or len(numbers) != count or (dtype is not None and names is not None):
        recorder().unstageable("S323-records", "the numbers of an array do not fit the fields of records")
    is_packed = _step(wanted) == arr.dtype.itemsize and wanted.itemsize == count * arr.dtype.itemsize
    if is_packed and numbers[0][2:] == (arr.dtype, 0) and not copy:
        if not arr.contiguous:
            recorder().unstageable("S323-records", "the strides of an array decide whether records lie in it")
        return _Columns(arr, wanted).whole
    made: RecordArray = recorder().make_records(np.empty, arr.dims[:-1], wanted)
    for column, (path, place, *_) in enumerate(numbers):
        _leaf(made, path)[(..., *place)] = arr[..., column]
    return made
