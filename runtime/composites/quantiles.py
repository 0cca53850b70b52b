"""Medians and quantiles: of NumPy's own Python, which is traced, the steps that look at sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib import _function_base_impl, _nanfunctions_impl

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, size
from transpile.runtime.arrays.elementwise import apply
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.numbers import as_scalar, lift, to_weak
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.graph.types import INT64

from .arguments import NOTHING, is_given, is_zero, no_truths, normal_axes, normal_axis
from .calls import Part, called_once, dtype_of_call, known_integer, refuse
from .copies import copyto
from .joining import concatenate
from .missing import leave_where
from .ordering import partition
from .ranges import arange
from .reductions import reduce
from .selection import where
from .sequences import as_array, copied
from .statistics import mean

_internals: Any = _function_base_impl
_missing: Any = _nanfunctions_impl
_nanmedian: Any = np.nanmedian


def known_axes(axis: Any, ndim: int) -> Any:
    """Return `axis=` as NumPy takes it, with all numbers known; NumPy's AxisError where one is out of range."""
    if axis is None:
        return None
    if isinstance(axis, (tuple, list)):
        found = tuple(map(known_integer, axis))
        normal_axes(found, ndim)
        return found
    found_one = known_integer(axis)
    normal_axes(found_one, ndim)
    return found_one


def _some_numbers(array: SymbolicArray, axis: Any) -> None:
    """Leave a call to the original where all of a slice is NaN, of which NumPy warns."""
    if array.dtype.kind not in "fc":
        return
    there = apply("logical_not", apply("isnan", array))
    count = reduce("add", there, axis, INT64)
    leave_where(apply("equal", count, np.int64(0)), "a slice is all NaN")


@implements(_internals._median)
def _median(a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False) -> Any:
    """Stand for what `numpy.median` does along an axis, or with all elements."""
    array = as_array(a)
    if overwrite_input:
        refuse("median", "with overwrite_input=")
    along = 0 if axis is None else normal_axis(axis, array.ndim)
    length = size(array) if axis is None else array.dims[along]
    if not recorder().assume_nonnegative(length - 1):
        recorder().deoptimise_if(is_zero(length), "the median of nothing")
        if length == 0:
            return mean(array, axis, out=out)
    count: Any = dim_scalar(length)
    first, behind = (count - 1) // 2, count // 2 + 1
    found_nan = array.dtype.kind in "fc"
    places = arange(first, behind)
    part = partition(array, concatenate((places, [-1])) if found_nan else places, axis)
    before = (slice(None),) * along
    result = mean(part[(*before, slice(first, behind))], along, out=out)
    if not found_nan:
        return result
    last = part[(*before, -1)]
    if out is None:
        found = where(apply("isnan", last), last, result)
        return found if found.ndim else SymbolicScalar(as_scalar(found.read()))
    copyto(out, last, where=apply("isnan", last))
    return out


@implements(_missing._remove_nan_1d)
def without_nan(
    arr1d: Any, second_arr1d: Any = None, overwrite_input: Any = False
) -> tuple[SymbolicArray, None, bool]:
    """Stand for what takes NaN out of a vector: numbers from its end take their places."""
    array = as_array(arr1d)
    if second_arr1d is not None or overwrite_input:
        refuse("nanquantile", "with overwrite_input= or weights=")
    _some_numbers(array, None)
    missing = apply("isnan", array)
    there = apply("logical_not", missing)
    count = SymbolicScalar(to_weak(lift(reduce("add", there, None, INT64)), INT64))
    recorder().bounds.sizes.add(count.value)
    found = copied(array[:count], "C")
    found[missing[:count]] = array[count:][there[count:]]
    return found, None, False


@implements(np.nanmedian)
def nanmedian(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = NOTHING
) -> Any:
    """Stand for `numpy.nanmedian`: of a vector, or all elements, NumPy's own Python is traced."""
    array = as_array(a)
    if out is not None or overwrite_input or array.dtype.kind not in "iuf" or not array.ndim:
        refuse("nanmedian", "with out= or overwrite_input=, or of other than real numbers in an array")
    no_truths(axis)
    if axis is None or array.ndim == 1:
        return Operand.call(_nanmedian._implementation, array, axis, keepdims=keepdims)
    axis, keeps = known_axes(axis, array.ndim), bool(is_given(keepdims, False) and keepdims)
    _some_numbers(array, axis)
    axes = normal_axes(axis, array.ndim)
    dims = tuple(1 if p in axes else dim for p, dim in enumerate(array.dims) if keeps or p not in axes)
    part = Part(dims, dtype_of_call("nanmedian", array))
    return called_once("nanmedian", [array], part, certain=not dims, axis=axis, keepdims=keeps)
