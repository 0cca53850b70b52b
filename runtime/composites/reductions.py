"""Reductions: sums, extrema, logic, means, and the places of extrema."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh
from transpile.runtime.arrays.elementwise import agree, apply, as_scalar, cast, lift
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.indexing import broadcast_to
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import BOOL, FLOAT64, ArrayType

from .sequences import as_array
from .ufuncs import store_result

_NOTHING = np._NoValue  # type: ignore[attr-defined]


def normal_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """Return the axes that `axis=` names, counted from the front; NumPy's AxisError where one is out of range."""
    if axis is None:
        return tuple(range(ndim))
    axes = axis if isinstance(axis, tuple) else (axis,)
    return tuple(np.lib.array_utils.normalize_axis_index(a.__index__(), ndim) for a in axes)


def _reduction_dtype(ufunc: str, dtype: Any, given: Any) -> np.dtype[Any]:
    if given is not None:
        return np.dtype(given)
    if ufunc in ("add", "multiply") and dtype.kind in "biu" and dtype.itemsize < 8:
        return np.dtype(np.uint64 if dtype.kind == "u" else np.int64)
    return np.dtype(dtype)


def reduce(
    ufunc: str,
    array: Any,
    axis: Any = 0,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = _NOTHING,
    where: Any = True,
) -> Any:
    """Stand for `ufunc.reduce`."""
    record = recorder()
    array = as_array(array)
    if where is not True and where is not _NOTHING:
        array, initial = _masked(ufunc, array, where, initial)
    axes = normal_axes(axis, array.ndim)
    value = array.read()
    wanted = BOOL if ufunc.startswith("logical") else _reduction_dtype(ufunc, array.dtype, dtype)
    has_identity = np._core.umath.__dict__[ufunc].identity is not None  # type: ignore[attr-defined]
    if not has_identity and initial is _NOTHING:
        for a in axes:
            if not record.assume_nonnegative(array.dims[a] - 1):
                record.unstageable(
                    "S240-empty", f"{ufunc}.reduce over a size that run time gives, which may be zero"
                )
    if not axes:
        converted = cast(as_scalar(value), wanted)
        result: Any = (
            fresh(record.emit("copy", converted, order=converted.type.order))
            if isinstance(converted.type, ArrayType)
            else SymbolicScalar(converted)
        )
    else:
        result = fresh(record.emit("reduce", value, ufunc=ufunc, axes=axes, dtype=wanted))
    if initial is not _NOTHING and initial is not None:
        result = apply(ufunc, result, initial)
    if keepdims is not False and keepdims is not _NOTHING and keepdims:
        result = _with_axes(result, axes, array.ndim)
    return result if out is None else store_result(ufunc, out, result)


def _masked(ufunc: str, array: SymbolicArray, where: Any, initial: Any) -> tuple[SymbolicArray, Any]:
    identity = np._core.umath.__dict__[ufunc].identity if initial is _NOTHING else initial  # type: ignore[attr-defined]
    if identity is None:
        raise ValueError(
            f"reduction operation '{ufunc}' does not have an identity, so to use a where mask one has to specify 'initial'"
        )
    record = recorder()
    dims = agree([array.dims, as_array(where).dims], lambda shapes: ValueError("where"))
    neutral = cast(lift(identity), array.dtype)
    value = record.emit("select", lift(where), broadcast_to(array.read(), dims), neutral)
    masked = fresh(value)
    assert isinstance(masked, SymbolicArray)
    return masked, initial


def _with_axes(result: Any, axes: tuple[int, ...], ndim: int) -> Any:
    """Return a reduced result with the reduced axes back, of length 1."""
    if isinstance(result, SymbolicArray):
        view = result.whole()
        for axis in sorted(axes):
            view = view.insert(axis)
        return result.view(view)
    return fresh(recorder().emit("fill", lift(result), dims=(1,) * ndim))


def _declare(ufunc: str, function: Any, method: str) -> None:
    def over_axis(
        array: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = _NOTHING,
        where: Any = True,
    ) -> Any:
        return reduce(ufunc, array, axis, dtype, out, keepdims, initial, where)

    def without_dtype(
        array: Any,
        axis: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = _NOTHING,
        where: Any = True,
    ) -> Any:
        return reduce(ufunc, array, axis, None, out, keepdims, initial, where)

    def truth_of_all(
        array: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True
    ) -> Any:
        return reduce(ufunc, array, axis, None, out, keepdims, _NOTHING, where)

    takes = (
        over_axis
        if ufunc in ("add", "multiply")
        else truth_of_all
        if ufunc.startswith("logical")
        else without_dtype
    )
    implements(*function, method=method)(takes)


_declare("add", (np.sum,), "sum")
_declare("multiply", (np.prod,), "prod")
_declare("maximum", (np.max, np.amax), "max")
_declare("minimum", (np.min, np.amin), "min")
_declare("logical_and", (np.all,), "all")
_declare("logical_or", (np.any,), "any")

for _name in (
    "add",
    "multiply",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "logical_and",
    "logical_or",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
):
    FUNCTIONS["reduce", _name] = lambda *args, _name=_name, **kwargs: reduce(_name, *args, **kwargs)


@implements(np.mean, method="mean")
def mean(
    array: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    *,
    where: Any = True,
) -> Any:
    """Stand for `numpy.mean`."""
    array = as_array(array)
    if where is not True and where is not _NOTHING:
        recorder().unstageable("S144-keyword", "numpy.mean(where=...) is not staged")
    axes = normal_axes(axis, array.ndim)
    count: DimLike = 1
    for a in axes:
        count = count * array.dims[a]
    if not recorder().assume_nonnegative(count - 1):
        recorder().unstageable("S240-empty", "the mean of a size that run time gives, which may be zero")
    half = array.dtype == np.float16 and dtype is None
    wide = np.dtype(np.float32) if half else FLOAT64 if array.dtype.kind in "biu" and dtype is None else dtype
    total = reduce("add", array, axes, wide, None, keepdims)
    scalar = isinstance(total, SymbolicScalar)
    own = total.type.dtype
    result = apply("divide", total, dim_scalar(count))
    target = np.dtype(np.float16) if half else np.dtype(dtype) if dtype is not None and scalar else own
    value = cast(lift(result), target)
    result = fresh(value) if not scalar else SymbolicScalar(value)
    return result if out is None else store_result("mean", out, result)


def _argument(function: str, array: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    array = as_array(array)
    if axis is None:
        ndim = array.ndim
        flat = FUNCTIONS[np.ravel](array)
        result = _argreduce(function, flat, 0)
        axes = tuple(range(ndim))
    else:
        ndim = array.ndim
        axes = normal_axes(axis, ndim)
        result = _argreduce(function, array, axes[0])
    if keepdims is not False and keepdims is not _NOTHING and keepdims:
        result = _with_axes(result, axes, ndim)
    return result if out is None else store_result(function, out, result)


def _argreduce(function: str, array: SymbolicArray, axis: int) -> Any:
    record = recorder()
    if not record.assume_nonnegative(array.dims[axis] - 1):
        record.unstageable("S240-empty", f"{function} over a size that run time gives, which may be zero")
    return fresh(record.emit("argreduce", array.read(), function=function, axis=axis))


implements(np.argmax, method="argmax")(lambda *args, **kwargs: _argument("argmax", *args, **kwargs))
implements(np.argmin, method="argmin")(lambda *args, **kwargs: _argument("argmin", *args, **kwargs))
