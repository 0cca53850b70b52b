"""Functions that make arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.numbers import as_scalar, cast, lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.records import RecordArray
from transpile.runtime.arrays.storing import cast_for_store
from transpile.runtime.graph.bounds import LARGEST_SIZE
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import FLOAT64, ArrayType, ScalarType

from .arguments import Order, as_dims, as_dtype, as_order, dtype_of, is_of_records, no_device
from .layout import kept_order, settled_order
from .sequences import as_array

# As many elements no memory has room for: NumPy raises what it does where an array of so many is asked for, whether or not anything is done with it.
_TOO_MANY = 2**40
# The logarithm of how many elements an array of several axes may have in later calls.
_LARGE = 48


def _sizes(shape: Any) -> tuple[DimLike, ...]:
    """Return the dims of a new array; one that is too large for any memory is left to NumPy, which refuses it."""
    record, dims = recorder(), as_dims(shape)
    total: int | None = 1
    # As large as an array that is there each may be: of that it is known already.
    given = {dim for dim in dims if not record.bounds.nonnegative(LARGEST_SIZE - dim)}
    # A product is not assumed to stay within a bound, but each factor is.
    most = _TOO_MANY if len(dims) < 2 else 2 ** (_LARGE // len(dims))
    for dim in dims:
        sample = dim if isinstance(dim, int) else record.sample_of(dim)
        total = None if total is None or sample is None else total * max(sample, 1)
        if sample is not None and sample < _TOO_MANY and dim in given:
            record.speculate((most if sample <= most else _TOO_MANY) - dim)
    if total is not None and total >= _TOO_MANY:
        raise record.unsure(MemoryError("Unable to allocate an array"))
    return dims


@implements(np.ndarray)
def ndarray(
    shape: Any, dtype: Any = None, buffer: Any = None, offset: Any = 0, strides: Any = None, order: Any = None
) -> Any:
    """Stand for `numpy.ndarray(shape)`."""
    if buffer is not None or strides is not None:
        recorder().unstageable("S144-keyword", "numpy.ndarray(buffer=...) and strides= are not staged")
    return empty(shape, dtype, order or "C")


@implements(np.empty)
def empty(shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None) -> Any:
    """Stand for `numpy.empty`."""
    no_device(like, device)
    dims = _sizes(shape)
    if is_of_records(dtype):
        return _records(np.empty, dims, np.dtype(dtype), order)
    return fresh(recorder().emit("empty", dtype=as_dtype(dtype), dims=dims, order=as_order(order, dims)))


def _records(function: Any, dims: tuple[DimLike, ...], dtype: np.dtype[Any], order: Any = "C") -> RecordArray:
    """Return a new array of records, as one of NumPy's functions makes it."""
    if order != "C" and not (order == "K" and len(dims) < 2):
        recorder().unstageable("S144-keyword", "order= of an array of records is not staged")
    made: RecordArray = recorder().make_records(function, dims, dtype)
    return made


def _filled(value: Any, dims: tuple[DimLike, ...], dtype: np.dtype[Any], order: Order) -> Any:
    number = as_scalar(lift(value))
    if number.type == ScalarType(FLOAT64, True) and dtype.kind in "iu":
        # Here a Python float is an array first, which wraps.
        number = cast(number, FLOAT64)
    number = cast_for_store(number, dtype)
    if isinstance(number.type, ArrayType):
        array = empty_like_dims(dims, dtype, order)
        array[...] = fresh(number)
        return array
    return fresh(recorder().emit("fill", number, dims=dims, order=order))


def empty_like_dims(dims: tuple[DimLike, ...], dtype: np.dtype[Any], order: Order = None) -> SymbolicArray:
    """Return a new array whose contents are not set."""
    result = fresh(recorder().emit("empty", dtype=dtype, dims=dims, order=order))
    assert isinstance(result, SymbolicArray)
    return result


@implements(np.zeros)
def zeros(shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None) -> Any:
    """Stand for `numpy.zeros`."""
    no_device(like, device)
    dims = _sizes(shape)
    if is_of_records(dtype):
        return _records(np.zeros, dims, np.dtype(dtype), order)
    return _filled(0, dims, as_dtype(dtype), as_order(order, dims))


@implements(np.ones)
def ones(shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None) -> Any:
    """Stand for `numpy.ones`."""
    no_device(like, device)
    dims = _sizes(shape)
    if is_of_records(dtype):
        return _records(np.ones, dims, np.dtype(dtype), order)
    return _filled(1, dims, as_dtype(dtype), as_order(order, dims))


@implements(np.full)
def full(
    shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None
) -> Any:
    """Stand for `numpy.full`."""
    no_device(like, device)
    dims = _sizes(shape)
    value = as_array(fill_value) if isinstance(fill_value, (list, tuple)) else fill_value
    return _filled(value, dims, as_dtype(dtype, dtype_of(value)), as_order(order, dims))


def _like(
    prototype: Any, dtype: Any, order: Any, shape: Any
) -> tuple[tuple[DimLike, ...], np.dtype[Any], Order]:
    array = as_array(prototype)
    dims = array.dims if shape is None else _sizes(shape)
    own = kept_order(array) if len(dims) == array.ndim else None
    return dims, as_dtype(dtype, array.dtype), as_order(settled_order(array, order), dims, own)


@implements(np.empty_like)
def empty_like(
    prototype: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: Any = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Any:
    """Stand for `numpy.empty_like`."""
    no_device(None, device)
    if type(prototype) is RecordArray and dtype is None and shape is None:
        return _records(np.empty, prototype.dims, prototype.dtype, order)
    return empty_like_dims(*_like(prototype, dtype, order, shape))


@implements(np.zeros_like)
def zeros_like(
    a: Any, dtype: Any = None, order: Any = "K", subok: Any = True, shape: Any = None, *, device: Any = None
) -> Any:
    """Stand for `numpy.zeros_like`."""
    no_device(None, device)
    if type(a) is RecordArray and dtype is None and shape is None:
        return _records(np.zeros, a.dims, a.dtype, order)
    return _filled(0, *_like(a, dtype, order, shape))


@implements(np.ones_like)
def ones_like(
    a: Any, dtype: Any = None, order: Any = "K", subok: Any = True, shape: Any = None, *, device: Any = None
) -> Any:
    """Stand for `numpy.ones_like`."""
    no_device(None, device)
    if type(a) is RecordArray and dtype is None and shape is None:
        return _records(np.ones, a.dims, a.dtype, order)
    return _filled(1, *_like(a, dtype, order, shape))


@implements(np.full_like)
def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: Any = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Any:
    """Stand for `numpy.full_like`."""
    no_device(None, device)
    return _filled(fill_value, *_like(a, dtype, order, shape))
