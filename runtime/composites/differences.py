"""Differences of neighbours along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh
from transpile.runtime.arrays.elementwise import apply, operate
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.numbers import cast, lift
from transpile.runtime.arrays.recorder import recorder

from .arguments import is_given, normal_axis
from .joining import concatenate
from .reshaping import ravel
from .sequences import as_array


@implements(np.diff)
def diff(a: Any, n: Any = 1, axis: Any = -1, prepend: Any = None, append: Any = None) -> Any:
    """Stand for `numpy.diff`."""
    turns = n.__index__()
    if turns == 0:
        return a
    if turns < 0:
        raise ValueError(f"order must be non-negative but got {turns!r}")
    array = as_array(a)
    if not array.ndim:
        raise ValueError("diff requires input that is at least one dimensional")
    place = normal_axis(axis, array.ndim)
    ends = [_end(prepend, array, place), array, _end(append, array, place)]
    if any(end is not None for end in (ends[0], ends[2])):
        array = concatenate([end for end in ends if end is not None], place)
    function = "not_equal" if array.dtype == np.bool else "subtract"
    for _ in range(turns):
        later = array[(slice(None),) * place + (slice(1, None),)]
        earlier = array[(slice(None),) * place + (slice(None, -1),)]
        array = apply(function, later, earlier)
    return array


def _end(end: Any, array: SymbolicArray, axis: int) -> Any:
    if not is_given(end):
        return None
    extra = as_array(end)
    if extra.ndim:
        return extra
    dims = (*array.dims[:axis], 1, *array.dims[axis + 1 :])
    return extra.through(extra.whole().broadcast(dims))


@implements(np.ediff1d)
def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """Stand for `numpy.ediff1d`."""
    array = ravel(as_array(ary))
    if not recorder().assume_nonnegative(array.dims[0] - 1):
        recorder().deoptimise_if(
            lift(operate("equal", dim_scalar(array.dims[0]), 0)), "differences of nothing"
        )
    parts = [_differences_end(end, array) for end in (to_begin, None, to_end)]
    parts[1] = apply("subtract", array[1:], array[:-1])
    given = [part for part in parts if part is not None]
    return concatenate(given) if len(given) > 1 else given[0]


def _differences_end(end: Any, array: SymbolicArray) -> Any:
    """Return numbers put before or behind differences, in the dtype of those."""
    if end is None:
        return None
    numbers = ravel(as_array(end))
    if not np.can_cast(numbers.dtype, array.dtype, "same_kind"):
        recorder().unstageable("S144-keyword", "numpy.ediff1d with ends of another kind")
    return fresh(cast(numbers.read(), array.dtype))
