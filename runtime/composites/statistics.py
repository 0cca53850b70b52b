"""Means, variances and standard deviations, in the steps that NumPy computes them in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh
from transpile.runtime.arrays.elementwise import apply, operate
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.indexing import broadcast_to
from transpile.runtime.arrays.numbers import cast, lift
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.graph.dim import DimLike, product
from transpile.runtime.graph.types import FLOAT64, INT, INT64

from .arguments import NOTHING, as_dtype, is_given, is_zero, keeps_axes, normal_axes, normal_axis
from .reductions import reduce
from .routines import stored
from .sequences import as_array

_HALF, _SINGLE = np.dtype(np.float16), np.dtype(np.float32)


def _count(array: SymbolicArray, axes: tuple[int, ...], least: int, what: str) -> DimLike:
    """Return how many elements are reduced; where they are fewer than `least`, of which NumPy warns, the original runs."""
    record = recorder()
    count: DimLike = 1
    for axis in axes:
        count = count * array.dims[axis]
    if not record.assume_nonnegative(count - least):
        test = record.emit("less", record.dim_value(count), record.constant(least, INT))
        record.deoptimise_if(test, f"the {what} of too few elements")
    return count


def _as_number(count: DimLike) -> Any:
    """Return a count as NumPy's integer."""
    return SymbolicScalar(cast(lift(dim_scalar(count)), INT64))


def _no_options(name: str, out: Any, **options: Any) -> None:
    for option, value in options.items():
        if is_given(value) and value is not True:
            recorder().unstageable("S144-keyword", f"numpy.{name}({option}=...) is not staged")
    if out is not None and not isinstance(out, SymbolicArray):
        raise recorder().unsure(TypeError("return arrays must be of ArrayType"))


def _divided(total: Any, count: Any, final: np.dtype[Any] | None = None) -> Any:
    """Return a total divided by a count, in the total's dtype or, of a scalar, at once in the final one."""
    own = total.type.dtype
    quotient = lift(apply("divide", total, count))
    if isinstance(total, SymbolicScalar):
        return fresh(cast(quotient, final or own))
    quotient = cast(quotient, own)
    return fresh(quotient if final is None else cast(quotient, final))


@implements(np.mean, method="mean")
def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True
) -> Any:
    """Stand for `numpy.mean`."""
    _no_options("mean", out)
    array = as_array(a)
    axes = normal_axes(axis, array.ndim)
    if is_given(where, True):
        return _mean_where(array, axes, dtype, out, keepdims, where)
    if not array.ndim and axis not in (None, ()):
        # Counting elements is stricter than summing them.
        normal_axis(axis[0] if isinstance(axis, tuple) else axis, 0)
    count = _as_number(_count(array, axes, 1, "mean"))
    half = array.dtype == _HALF and dtype is None
    wide = _SINGLE if half else FLOAT64 if array.dtype.kind in "biu" and dtype is None else dtype
    total = reduce("add", array, axes, wide, None, keepdims)
    if out is not None and out.dtype != total.type.dtype:
        recorder().unstageable(
            "S144-keyword", "numpy.mean into an array of another dtype, which is summed there"
        )
    result = _divided(total, count, _HALF if half else None)
    return result if out is None else stored("mean", out, result)


def _mean_where(
    array: SymbolicArray, axes: tuple[int, ...], dtype: Any, out: Any, keepdims: Any, where: Any
) -> Any:
    """Return the mean of the elements where a mask is true, of which there must be some."""
    if out is not None or not array.ndim:
        recorder().unstageable("S144-keyword", "numpy.mean of a number with where=, or with out=")
    half = array.dtype == _HALF and dtype is None
    wide = _SINGLE if half else FLOAT64 if array.dtype.kind in "biu" and dtype is None else dtype
    mask = FUNCTIONS[np.broadcast_to](where, array.shape)
    count = reduce("add", mask, axes, INT64, None, keepdims)
    nothing = operate("equal", count, 0)
    some = reduce("logical_or", nothing, None) if isinstance(nothing, SymbolicArray) else nothing
    recorder().deoptimise_if(lift(some), "the mean of no elements")
    total = reduce("add", array, axes, wide, None, keepdims, where=where)
    return _divided(total, count, _HALF if half else None)


@implements(np.average)
def average(
    a: Any, axis: Any = None, weights: Any = None, returned: Any = False, *, keepdims: Any = NOTHING
) -> Any:
    """Stand for `numpy.average`, with weights of the array's shape or along one axis of it."""
    array = as_array(a)
    keep = keeps_axes(keepdims)
    if axis is not None and not array.ndim:
        # It looks at `axis=` by itself; sums take 0 and -1 for no axis.
        raise recorder().unsure(np.exceptions.AxisError(0, 0, "axis"))
    if weights is None:
        result = mean(array, axis, keepdims=keep)
        # It divides by how many numbers it gives.
        for dim in result.dims if isinstance(result, SymbolicArray) else ():
            if not recorder().assume_nonnegative(dim - 1):
                recorder().deoptimise_if(is_zero(dim), "numpy.average gives nothing")
        if not returned:
            return result
        axes = normal_axes(axis, array.ndim)
        count = product(tuple(array.dims[place] for place in axes))
        # It divides one size by the other, as floats.
        scale = SymbolicScalar(cast(cast(lift(dim_scalar(count)), FLOAT64), result.type.dtype))
        return result, _spread_over(scale, result)
    weight = _fitting(array, as_array(weights), axis)
    wanted = np.result_type(array.dtype, weight.dtype)
    if array.dtype.kind in "biu":
        wanted = np.result_type(wanted, "f8")
    scale = reduce("add", weight, axis, wanted, None, keep)
    zero = operate("equal", scale, wanted.type(0))
    some = reduce("logical_or", zero, None) if isinstance(zero, SymbolicArray) else zero
    recorder().deoptimise_if(lift(some), "weights sum to zero")
    products = apply("multiply", array, weight, dtype=wanted)
    result = apply("divide", reduce("add", products, axis, None, None, keep), scale)
    return (result, _spread_over(scale, result)) if returned else result


def _fitting(array: SymbolicArray, weight: SymbolicArray, axis: Any) -> SymbolicArray:
    """Return weights of the array's rank; those along one axis stand there, and are spread where that is what NumPy does."""
    record = recorder()
    if weight.ndim == array.ndim:
        for one, two in zip(weight.dims, array.dims, strict=True):
            if not record.assume_equal(one, two):
                record.unstageable("S144-keyword", "numpy.average with weights of another shape")
        return weight
    if axis is None or isinstance(axis, tuple) or weight.ndim != 1:
        record.unstageable("S144-keyword", "numpy.average with weights of another shape")
    along = normal_axis(axis, array.ndim)
    if not record.assume_equal(weight.dims[0], array.dims[along]):
        record.unstageable("S144-keyword", "numpy.average with weights of another shape")
    view = weight.whole()
    for place in range(array.ndim):
        if place != along:
            view = view.insert(place)
    return weight.through(view)


def _spread_over(scale: Any, result: Any) -> Any:
    """Return a sum of weights as an array of the dims of the averages."""
    if not isinstance(result, SymbolicArray):
        return scale
    if isinstance(scale, SymbolicArray) and scale.dims == result.dims:
        return scale
    value = broadcast_to(lift(scale), result.dims)
    return fresh(recorder().emit("copy", value, order=None))


_var: Any = np.var
_std: Any = np.std


def _variance(
    name: str, a: Any, axis: Any, dtype: Any, out: Any, ddof: Any, keepdims: Any, **options: Any
) -> Any:
    if out is not None or is_given(options["where"], True):
        # NumPy's own Python is traced.
        written = (_var if name == "var" else _std)._implementation
        return Operand.call(written, a, axis, dtype, out, ddof, keepdims, **options)
    correction, given = options.pop("correction"), options.pop("mean")
    if is_given(correction):
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = correction
    array = as_array(a)
    if not array.ndim:
        recorder().unstageable("S144-keyword", f"numpy.{name} of a number")
    axes = normal_axes(axis, array.ndim)
    if not isinstance(ddof, (int, float)):
        ddof = ddof.__index__()
    count = _count(array, axes, max(int(ddof), 0) + 1, "variance")
    number = _as_number(count)
    wide = FLOAT64 if array.dtype.kind in "biu" and dtype is None else dtype
    wide = None if wide is None else as_dtype(wide)
    # One mean of all is a number, with which nothing has to be broadcast.
    several = len(axes) < array.ndim
    centre = (
        as_array(given)
        if is_given(given)
        else _divided(reduce("add", array, axes, wide, None, several), number)
    )
    distance = apply("subtract", array, centre)
    if distance.dtype.kind == "c" and array.dtype.kind == "c":
        parts = (fresh(recorder().emit(part, distance.read())) for part in ("real", "imaginary"))
        squares = apply("add", *(apply("square", part) for part in parts))
    elif array.dtype.kind in "fiu":
        squares = apply("square", distance)
    else:
        squares = apply("multiply", distance, apply("conjugate", distance))
    total = reduce("add", squares, axes, wide, None, keepdims)
    return _divided(total, number if ddof == 0 else apply("maximum", apply("subtract", number, ddof), 0))


@implements(np.var)
def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Any = True,
    mean: Any = NOTHING,
    correction: Any = NOTHING,
) -> Any:
    """Stand for `numpy.var`."""
    return _variance(
        "var", a, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction
    )


@implements(np.std)
def std(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Any = True,
    mean: Any = NOTHING,
    correction: Any = NOTHING,
) -> Any:
    """Stand for `numpy.std`."""
    variance = _variance(
        "std", a, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction
    )
    if out is not None or is_given(where, True):
        return variance
    if isinstance(variance, SymbolicArray) and variance.dtype.kind not in "fc":
        # NumPy's own error: roots are no integers.
        np.sqrt(np.ones(1, variance.dtype), out=np.ones(1, variance.dtype))
    return fresh(cast(lift(apply("sqrt", variance)), variance.type.dtype))


def _method(name: str, function: Callable[..., Any]) -> None:
    """Declare what stands for a method of arrays, which knows of no `correction=`."""

    @implements(method=name)
    def implementation(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: Any = False,
        *,
        where: Any = True,
        mean: Any = NOTHING,
    ) -> Any:
        return function(a, axis, dtype, out, ddof, keepdims, where=where, mean=mean)


_method("var", var)
_method("std", std)
