"""Arrays as sets: what is in them once, and how often."""

from __future__ import annotations

import functools
import importlib
from typing import Any

import numpy as np
from numpy.lib import _arraysetops_impl

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.graph.types import INT64, DType

from .arguments import normal_axis
from .axes import moveaxis
from .calls import Part, called, called_once, known_integer
from .sequences import as_array

_internals: Any = _arraysetops_impl
_hashing: Any = importlib.import_module("numpy._core._multiarray_umath")


@implements(np.unique)
def unique(
    ar: Any,
    return_index: Any = False,
    return_inverse: Any = False,
    return_counts: Any = False,
    axis: Any = None,
    *,
    equal_nan: Any = True,
    sorted: Any = True,
) -> Any:
    """Stand for `numpy.unique`: of all elements, which is traced into, or of the parts along an axis."""
    array = as_array(ar)
    if axis is None:
        asked = (return_index, return_inverse, return_counts)
        options = {"equal_nan": equal_nan, "inverse_shape": array.shape, "axis": None, "sorted": sorted}
        found = Operand.call(_internals._unique1d, array, *asked, **options)
        return found if len(found) > 1 else found[0]
    along = normal_axis(known_integer(axis), array.ndim)
    array = moveaxis(array, along, 0)
    most = array.dims[0]
    parts = [Part(array.dims, array.dtype, counted=True)]
    known: dict[str, Any] = {"axis": 0, "equal_nan": bool(equal_nan)}
    if return_index:
        parts.append(Part((most,), INT64, counted=True))
    if return_inverse:
        parts.append(Part((most,), INT64, number=False))
    if return_counts:
        parts.append(Part((most,), INT64, counted=True))
    named = {
        "return_index": return_index,
        "return_inverse": return_inverse,
        "return_counts": return_counts,
    }
    known |= {name: True for name, option in named.items() if option}
    known |= {} if sorted else {"sorted": False}
    values, *others = called("unique", [array], parts, **known)
    values = moveaxis(values, 0, along)
    return (values, *others) if others else values


@implements(_hashing._unique_hash)
def unique_by_hash(array: SymbolicArray, **options: bool) -> Any:
    """Stand for the routine that finds the elements of a vector by a hash table, for dtypes that it takes."""
    if not _is_hashed(array.dtype):
        return NotImplemented
    part = Part(array.dims, array.dtype, counted=True)
    name = "_core._multiarray_umath._unique_hash"
    return called_once(name, [array], part, certain=True, **options)


@functools.cache
def _is_hashed(dtype: DType) -> bool:
    return _hashing._unique_hash(np.ones(1, dtype)) is not NotImplemented
