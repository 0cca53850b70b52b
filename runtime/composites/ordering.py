"""Parts of arrays in order: partitions, orders by several keys, sorted flat copies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import METHODS, implements
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.graph.types import INT64

from .arguments import normal_axis
from .calls import Part, called_once, refuse
from .layout import kept_order
from .reshaping import ravel
from .sequences import as_array, copied


def _placed(function: str, a: Any, kth: Any, axis: Any, kind: Any, order: Any) -> Any:
    array = as_array(a)
    if order is not None or kind != "introselect" or (isinstance(kth, (tuple, list)) and is_symbolic(kth)):
        refuse(function, "with these arguments")
    if axis is None:
        array, axis = copied(ravel(array)), -1
    along = normal_axis(axis, array.ndim)
    indices = function == "argpartition"
    dtype, layout = (INT64, None) if indices else (array.dtype, kept_order(array))
    part = Part(array.dims, dtype, layout)
    if isinstance(kth, (tuple, list)):
        return called_once(function, [array], part, kth=tuple(kth), axis=along)
    return called_once(function, [array, kth], part, axis=along)


@implements(np.partition)
def partition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
    """Stand for `numpy.partition`."""
    return _placed("partition", a, kth, axis, kind, order)


@implements(np.argpartition, method="argpartition")
def argpartition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
    """Stand for `numpy.argpartition`."""
    return _placed("argpartition", a, kth, axis, kind, order)


def partition_in_place(
    array: SymbolicArray, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None
) -> None:
    """Stand for `ndarray.partition`."""
    array.write(_placed("partition", array, kth, axis, kind, order).read())


METHODS["partition"] = partition_in_place


@implements(np.lexsort)
def lexsort(keys: Any, axis: Any = -1) -> Any:
    """Stand for `numpy.lexsort` of several arrays, or of the rows of one."""
    if isinstance(keys, SymbolicArray):
        if keys.ndim < 2:
            refuse("lexsort", "of one vector")
        along = normal_axis(axis, keys.ndim - 1)
        return called_once("lexsort", [keys], Part(keys.dims[1:], INT64), axis=along)
    arrays: Sequence[SymbolicArray] = [as_array(key) for key in keys]
    first = arrays[0]
    for other in arrays[1:]:
        if other.ndim != first.ndim:
            raise ValueError("all keys need to be the same shape")
        for one, two in zip(first.dims, other.dims, strict=True):
            recorder().assume_equal(one, two)
    along = normal_axis(axis, first.ndim)
    part = Part(first.dims, INT64)
    return called_once("lexsort", arrays, part, together=len(arrays), axis=along)
