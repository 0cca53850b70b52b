"""Functions that make arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh
from transpile.runtime.arrays.elementwise import (
    DTYPES,
    apply,
    as_scalar,
    cast,
    is_number,
    lift,
    operate,
    raise_if,
)
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.indexing import as_dim, cast_for_store
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.structure import is_symbolic
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import FLOAT64, INT64, ArrayType

Order = tuple[int, ...] | None


def as_dims(shape: Any) -> tuple[DimLike, ...]:
    """Return the dims that `shape=` asks for; NumPy's ValueError where one is negative."""
    sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    dims = tuple(map(as_dim, sizes))
    for dim in dims:
        if not recorder().assume_nonnegative(dim):
            negative = dim_scalar(dim)
            raise_if(
                negative < 0 if not isinstance(negative, int) else negative < 0,
                lambda: ValueError("negative dimensions are not allowed"),
            )
    return dims


def as_dtype(dtype: Any, default: Any = FLOAT64) -> np.dtype[Any]:
    """Return the dtype that `dtype=` asks for; one that is not compiled cannot be staged."""
    result = np.dtype(default if dtype is None else dtype)
    if result not in DTYPES or not result.isnative:
        recorder().unstageable("S122-dtype", f"the dtype {result} is not compiled")
    return result


def as_order(order: Any, dims: tuple[DimLike, ...]) -> Order:
    """Return the order of axes that `order=` asks for."""
    return tuple(reversed(range(len(dims)))) if order == "F" else None


def _no_device(like: Any, device: Any = None) -> None:
    if like is not None or device not in (None, "cpu"):
        recorder().unstageable("S144-keyword", "like= and device= are not staged")


@implements(np.empty, np.ndarray)
def empty(shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None) -> Any:
    """Stand for `numpy.empty` and for `numpy.ndarray(shape)`."""
    _no_device(like, device)
    dims = as_dims(shape)
    return fresh(recorder().emit("empty", dtype=as_dtype(dtype), dims=dims, order=as_order(order, dims)))


def _filled(value: Any, dims: tuple[DimLike, ...], dtype: np.dtype[Any], order: Order) -> Any:
    number = cast_for_store(as_scalar(lift(value)), dtype)
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
    _no_device(like, device)
    dims = as_dims(shape)
    return _filled(0, dims, as_dtype(dtype), as_order(order, dims))


@implements(np.ones)
def ones(shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None) -> Any:
    """Stand for `numpy.ones`."""
    _no_device(like, device)
    dims = as_dims(shape)
    return _filled(1, dims, as_dtype(dtype), as_order(order, dims))


@implements(np.full)
def full(
    shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None
) -> Any:
    """Stand for `numpy.full`."""
    _no_device(like, device)
    dims = as_dims(shape)
    value = as_array(fill_value) if isinstance(fill_value, (list, tuple)) else fill_value
    own = as_scalar(lift(value)).type.dtype  # type: ignore[union-attr]
    return _filled(value, dims, as_dtype(dtype, own), as_order(order, dims))


def _like(
    array: SymbolicArray, dtype: Any, order: Any, shape: Any
) -> tuple[tuple[DimLike, ...], np.dtype[Any], Order]:
    array = as_array(array)
    dims = array.dims if shape is None else as_dims(shape)
    own = array.type.order if order in ("K", "A") and len(dims) == array.ndim else as_order(order, dims)
    if order == "A" and own is not None and own != tuple(reversed(range(len(dims)))):
        own = None
    return dims, as_dtype(dtype, array.dtype), own


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
    return empty_like_dims(*_like(prototype, dtype, order, shape))


@implements(np.zeros_like)
def zeros_like(
    a: Any, dtype: Any = None, order: Any = "K", subok: Any = True, shape: Any = None, *, device: Any = None
) -> Any:
    """Stand for `numpy.zeros_like`."""
    return _filled(0, *_like(a, dtype, order, shape))


@implements(np.ones_like)
def ones_like(
    a: Any, dtype: Any = None, order: Any = "K", subok: Any = True, shape: Any = None, *, device: Any = None
) -> Any:
    """Stand for `numpy.ones_like`."""
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
    return _filled(fill_value, *_like(a, dtype, order, shape))


@implements(np.asarray)
def as_array(
    a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: Any = None, like: Any = None
) -> Any:
    """Stand for `numpy.asarray`: an array as it is, a number as an array without axes, a list as an array."""
    if isinstance(a, SymbolicArray):
        if dtype is None or a.dtype == as_dtype(dtype):
            return a
        return fresh(cast(a.read(), as_dtype(dtype)))
    return array(a, dtype)


@implements(np.array)
def array(
    object: Any,
    dtype: Any = None,
    *,
    copy: Any = True,
    order: Any = "K",
    subok: Any = False,
    ndmin: Any = 0,
    like: Any = None,
) -> Any:
    """Stand for `numpy.array`."""
    record = recorder()
    if isinstance(object, SymbolicArray):
        value = object.read()
        wanted = object.dtype if dtype is None else as_dtype(dtype)
        result = fresh(
            cast(value, wanted)
            if wanted != object.dtype
            else record.emit("copy", value, order=object.type.order)
        )
    elif isinstance(object, (list, tuple)):
        result = _of_sequence(object, dtype)
    else:
        number = as_scalar(lift(object))
        wanted = number.type.dtype if dtype is None else as_dtype(dtype)  # type: ignore[union-attr]
        result = fresh(record.emit("fill", cast_for_store(number, wanted), dims=()))
    missing = ndmin - result.ndim
    if missing > 0:
        view = result.whole()
        for _ in range(missing):
            view = view.insert(0)
        result = result.view(view)
    return result


def _of_sequence(things: Any, dtype: Any) -> Any:
    """Make an array of nested lists of numbers and arrays."""
    if not is_symbolic(things):
        known = np.array(things, dtype)
        as_dtype(known.dtype)
        return fresh(recorder().emit("table", array=known))
    parts = [thing if is_number(thing) else as_array(thing) for thing in things]
    wanted = as_dtype(dtype, np.result_type(*(_dtype_in_list(part) for part in parts)))
    inner = parts[0].dims if isinstance(parts[0], SymbolicArray) else ()
    result = empty_like_dims((len(parts), *inner), wanted)
    for place, part in enumerate(parts):
        result[place] = part
    return result


def _dtype_in_list(part: Any) -> np.dtype[Any]:
    """Return the dtype that an item gives a list: that of a Python number is NumPy's default."""
    if isinstance(part, SymbolicArray):
        return part.dtype
    return lift(part).type.dtype  # type: ignore[union-attr,no-any-return]


@implements(np.arange)
def arange(
    start: Any = None,
    stop: Any = None,
    step: Any = None,
    dtype: Any = None,
    *,
    device: Any = None,
    like: Any = None,
) -> Any:
    """Stand for `numpy.arange`."""
    _no_device(like, device)
    record = recorder()
    if stop is None:
        start, stop = 0, start
    start = 0 if start is None else start
    step = 1 if step is None else step
    parts = [as_scalar(lift(part)) for part in (start, stop, step)]
    kinds = [part.type.dtype for part in parts]  # type: ignore[union-attr]
    if any(kind.kind not in "iub" for kind in kinds):
        return _float_arange(start, stop, step, dtype, kinds)
    wanted = as_dtype(dtype, np.result_type(*kinds) if not all(k == np.bool for k in kinds) else INT64)
    low, high, by = as_dim(start), as_dim(stop), as_dim(step)
    if by == 1 and record.assume_nonnegative(high - low):
        length: DimLike = high - low
    elif isinstance(by, int) and by:
        length = record.dim(
            record.emit("slice_length", record.dim_value(low), record.dim_value(high), step=by)
        )
    else:
        return record.unstageable("S241-arange", "numpy.arange with a step that run time gives")
    places = fresh(record.emit("iota", dims=(length,)))
    values = places if by == 1 else operate("multiply", places, dim_scalar(by))
    values = values if low == 0 else operate("add", values, dim_scalar(low))
    return fresh(cast(lift(values), wanted))


def _float_arange(start: Any, stop: Any, step: Any, dtype: Any, kinds: list[Any]) -> Any:
    record = recorder()
    wanted = as_dtype(dtype, np.result_type(*kinds))
    if wanted.kind != "f":
        record.unstageable("S241-arange", "numpy.arange of floats in a dtype of another kind")
    length = record.emit("arange_length", *(cast(lift(part), FLOAT64) for part in (start, stop, step)))
    places = fresh(record.emit("iota", dims=(record.dim(length),)))
    # NumPy computes the first two elements in the result's dtype, and goes on by their difference.
    first = SymbolicScalar(cast(lift(start), wanted))
    second = SymbolicScalar(cast(lift(operate("add", _float64(start), _float64(step))), wanted))
    steps = apply("multiply", _cast_array(places, wanted), operate("subtract", second, first))
    return apply("add", first, steps)


def _float64(number: Any) -> SymbolicScalar:
    return SymbolicScalar(cast(lift(number), FLOAT64))


def _cast_array(array: Any, dtype: np.dtype[Any]) -> Any:
    """Return an array in another dtype."""
    return fresh(cast(array.read(), dtype))


Operand.as_array = staticmethod(as_array)
