"""Functions that pass over NaN, which stands for what is missing."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.elementwise import apply
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.numbers import as_scalar, cast, lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.graph.types import INT64

from .arguments import NOTHING, copying
from .calls import Part, called_once
from .layout import kept_order
from .reductions import reduce
from .selection import where as chosen
from .sequences import as_array, copied, rearranged
from .statistics import mean


def _replaced(array: SymbolicArray, number: float) -> SymbolicArray:
    """Return a copy with NaN replaced, in the order of the array's memory."""
    array = rearranged(array)
    result = chosen(apply("isnan", array), array.dtype.type(number), array)
    assert isinstance(result, SymbolicArray)
    return result


def _summing(ufunc: str, name: str, neutral: float) -> None:
    def implementation(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = NOTHING,
        initial: Any = NOTHING,
        where: Any = True,
    ) -> Any:
        array = as_array(a)
        if array.dtype.kind in "fc":
            array = _replaced(array, neutral)
        return reduce(ufunc, array, axis, dtype, out, keepdims, initial, where)

    implements(getattr(np, name))(implementation)


_summing("add", "nansum", 0)
_summing("multiply", "nanprod", 1)


def _no_nan(result: Any, what: str) -> None:
    """Leave a call to the original where a result is NaN, of which NumPy warns."""
    leave_where(apply("isnan", result), what)


def leave_where(test: Any, what: str) -> None:
    """Leave a call to the original where a test is true, or that of any element is."""
    some = reduce("logical_or", test, None) if isinstance(test, SymbolicArray) else test
    recorder().deoptimise_if(lift(some), what)


def _extreme(ufunc: str, name: str) -> None:
    def implementation(
        a: Any,
        axis: Any = None,
        out: Any = None,
        keepdims: Any = NOTHING,
        initial: Any = NOTHING,
        where: Any = True,
    ) -> Any:
        array = as_array(a)
        result = reduce(ufunc, array, axis, None, out, keepdims, initial, where)
        if array.dtype.kind in "fc":
            _no_nan(result, "a slice is all NaN")
        return result

    implements(getattr(np, name))(implementation)


_extreme("fmax", "nanmax")
_extreme("fmin", "nanmin")


@implements(np.nanmean)
def nanmean(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = NOTHING,
    *,
    where: Any = NOTHING,
) -> Any:
    """Stand for `numpy.nanmean`."""
    array = as_array(a)
    if array.dtype.kind not in "fc":
        return mean(array, axis, dtype, out, keepdims, where=where)
    if out is not None or dtype is not None or where is not NOTHING:
        recorder().unstageable("S144-keyword", "numpy.nanmean with dtype=, out= or where=")
    there = apply("logical_not", apply("isnan", array))
    count = reduce("add", there, axis, INT64, None, keepdims)
    total = reduce("add", _replaced(array, 0), axis, None, None, keepdims)
    leave_where(apply("equal", count, np.int64(0)), "a slice is all NaN")
    return _quotient(total, count)


def _of_spread(name: str) -> None:
    def spread(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: Any = NOTHING,
        *,
        where: Any = NOTHING,
        mean: Any = NOTHING,
        correction: Any = NOTHING,
    ) -> Any:
        array = as_array(a)
        if array.dtype.kind not in "fc":
            return FUNCTIONS[getattr(np, name.removeprefix("nan"))](
                array, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction
            )
        if out is not None or dtype is not None or where is not NOTHING or mean is not NOTHING:
            recorder().unstageable("S144-keyword", f"numpy.{name} with dtype=, out=, where= or mean=")
        if correction is not NOTHING:
            if ddof != 0:
                raise ValueError("ddof and correction can't be provided simultaneously.")
            ddof = correction
        missing = apply("isnan", array)
        there = apply("logical_not", missing)
        count = reduce("add", there, axis, INT64, None, True)
        centre = _quotient(reduce("add", _replaced(array, 0), axis, None, None, True), count)
        distance = chosen(missing, array.dtype.type(0), apply("subtract", _replaced(array, 0), centre))
        if array.dtype.kind == "c":
            squares = FUNCTIONS[np.real](apply("multiply", distance, apply("conjugate", distance)))
        else:
            squares = apply("multiply", distance, distance)
        freedom = apply("subtract", reduce("add", there, axis, INT64, None, keepdims), ddof)
        leave_where(apply("less_equal", freedom, 0), "the variance of too few elements")
        found = _quotient(reduce("add", squares, axis, None, None, keepdims), freedom)
        if name == "nanvar":
            return found
        return fresh(cast(lift(apply("sqrt", found)), found.type.dtype))

    implements(getattr(np, name))(spread)


def _quotient(total: Any, count: Any) -> Any:
    """Return sums divided by counts, in the dtype of the sums."""
    return fresh(cast(lift(apply("divide", total, count)), total.type.dtype))


_of_spread("nanvar")
_of_spread("nanstd")


@implements(np.nan_to_num)
def nan_to_num(x: Any, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """Stand for `numpy.nan_to_num`."""
    copy = copying(copy)
    if copy is False and not isinstance(x, (SymbolicArray, np.ndarray)):
        # NumPy's own error: what is no array is copied.
        np.array(0, copy=False)
    array = as_array(x)
    if not copy and array is x:
        if array.dtype.kind in "fc":
            array.write(lift(nan_to_num(array, True, nan, posinf, neginf)))
        return x if array.ndim else x[()]
    if array.dtype.kind == "c":
        options = {"nan": nan, "posinf": posinf, "neginf": neginf}
        given = {name: option for name, option in options.items() if option is not None}
        part = Part(array.dims, array.dtype, kept_order(array))
        return called_once("nan_to_num", [array, *given.values()], part, named=tuple(given))
    if array.dtype.kind != "f":
        return copied(array, "K") if array.ndim else SymbolicScalar(as_scalar(array.read()))
    array = rearranged(array)
    dtype: Any = array.dtype
    info = np.finfo(dtype)
    high, low = (info.max if posinf is None else posinf), (info.min if neginf is None else neginf)
    infinite = apply("isinf", array)
    negative = apply("signbit", array)
    ends = chosen(negative, cast_to(low, array), cast_to(high, array))
    result = chosen(apply("isnan", array), cast_to(nan, array), chosen(infinite, ends, array))
    return result if result.ndim else SymbolicScalar(as_scalar(result.read()))


def cast_to(number: Any, array: SymbolicArray) -> Any:
    """Return a number in an array's dtype."""
    value = as_scalar(lift(number))
    if hasattr(value.type, "dims"):
        recorder().unstageable("S144-keyword", "numpy.nan_to_num with arrays of replacements")
    return SymbolicScalar(cast(value, array.dtype))
