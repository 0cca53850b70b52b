"""`reduce` and `reduceat` of any ufunc: in a loop where that adds up in NumPy's own order, and otherwise by NumPy's routine."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.elementwise import UFUNCS
from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.numbers import cast
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.types import DType

from .accumulations import VECTORS
from .arguments import NOTHING, as_dtype, is_given, keeps_axes, normal_axes
from .axes import moveaxis
from .creation import empty_like_dims
from .reductions import not_empty, with_axes
from .routines import dtype_of_out, reduced, stored
from .sequences import as_array


def fold(
    ufunc: np.ufunc,
    array: Any,
    axis: Any = 0,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = NOTHING,
    where: Any = True,
) -> Any:
    """Stand for `ufunc.reduce`."""
    source = as_array(array)
    axes = normal_axes(axis, source.ndim)
    keep = keeps_axes(keepdims)
    dtype = dtype_of_out(ufunc, source, dtype, out)
    wanted = None if dtype is None else as_dtype(dtype)
    loop = None if initial is not NOTHING or is_given(where, True) else _loop(ufunc, source, axes, wanted)
    if loop is None:
        result = reduced(ufunc, source, axes, wanted, keep, initial, where)
    else:
        result = _looped(ufunc, source, axes[0], loop)
        result = with_axes(result, axes, source.ndim) if keep else result
    return result if out is None else stored(ufunc.__name__, out, result)


def _loop(ufunc: np.ufunc, source: SymbolicArray, axes: tuple[int, ...], dtype: DType | None) -> DType | None:
    """Return the dtype of a loop that does what NumPy does, element after element; None where NumPy may go another way."""
    if len(axes) != 1 or ufunc.nin != 2 or ufunc not in UFUNCS:
        return None
    signature = (dtype, None, None)
    loop = ufunc.resolve_dtypes(
        (None, source.dtype, None), signature=signature, reduction=True, casting="unsafe"
    )
    if (
        (dtype is not None and not np.can_cast(source.dtype, dtype, "same_kind"))
        or any(one != loop[0] for one in loop)
        or loop[0].kind in VECTORS.get(ufunc.__name__, "")
    ):
        return None
    # What may be reordered goes through memory as it lies.
    ordered = ufunc.identity is None or loop[0].kind not in "fc"
    return loop[0] if ordered or (source.contiguous and source.type.order is None) else None


def _number(combine: Any, values: Any, begin: Any, first: Any) -> Any:
    total = begin if first == 0 else values[0]
    for place in range(first, len(values)):
        total = combine(total, values[place])
    return total


def _rows(combine: Any, values: Any, result: Any, first: Any) -> None:
    for place in range(first, len(values)):
        combine(result, values[place], out=result)


def _looped(ufunc: np.ufunc, source: SymbolicArray, axis: int, dtype: DType) -> Any:
    begin = None if ufunc.identity is None else dtype.type(ufunc.identity)
    if begin is None:
        message = f"zero-size array to reduction operation {ufunc.__name__} which has no identity"
        not_empty(source, (axis,), message)
    values: Any = fresh(cast(source.read(), dtype)) if dtype != source.dtype else source
    values = moveaxis(values, axis, 0)
    first = int(begin is None)
    convert = recorder().convert
    assert convert is not None
    if source.ndim == 1:
        return convert(_number)(ufunc, values, begin, first)
    dims = tuple(dim for place, dim in enumerate(source.dims) if place != axis)
    result = empty_like_dims(dims, dtype, _order_of(source, axis))
    result[...] = values[0] if begin is None else begin
    convert(_rows)(ufunc, values, result, first)
    return result


def _order_of(source: SymbolicArray, axis: int) -> tuple[int, ...] | None:
    """Return the order in memory of what is left of an array without an axis."""
    if source.type.order is None:
        return None
    left = [place - (place > axis) for place in source.type.order if place != axis]
    return None if left == sorted(left) else tuple(left)


FUNCTIONS["fold"] = fold
