"""Arrays as sets: what is in them once, and how often."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import size
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.types import BOOL, INT64

from .calls import Part, called, called_once, known_integer, refuse
from .sequences import as_array


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
    """Stand for `numpy.unique`: of all elements, or of the rows along the first axis."""
    array = as_array(ar)
    along = None if axis is None else known_integer(axis)
    if along is not None and (not array.ndim or along % array.ndim):
        refuse("unique", "along another axis than the first")
    most = size(array) if along is None else array.dims[0]
    whole = (most,) if along is None else array.dims
    parts = [Part(whole, array.dtype, counted=True)]
    known: dict[str, Any] = {"axis": along, "equal_nan": bool(equal_nan)}
    if return_index:
        parts.append(Part((most,), INT64, counted=True))
    if return_inverse:
        parts.append(Part(array.dims if along is None else (most,), INT64, number=False))
    if return_counts:
        parts.append(Part((most,), INT64, counted=True))
    asked = {
        "return_index": return_index,
        "return_inverse": return_inverse,
        "return_counts": return_counts,
    }
    known |= {name: True for name, option in asked.items() if option}
    known |= {} if sorted else {"sorted": False}
    found = called("unique", [array], parts, certain=along is None, **known)
    return found if len(parts) > 1 else found[0]


@implements(np.isin)
def isin(
    element: Any, test_elements: Any, assume_unique: Any = False, invert: Any = False, *, kind: Any = None
) -> Any:
    """Stand for `numpy.isin`."""
    operands = [as_array(element), as_array(test_elements)]
    known = {"assume_unique": bool(assume_unique), "invert": bool(invert), "kind": kind}
    if not operands[0].ndim:
        # What it gives here is an array without axes.
        refuse("isin", "of a number")
    return called_once("isin", operands, Part(operands[0].dims, BOOL), certain=operands[0].ndim == 1, **known)


@implements(np.intersect1d)
def intersect1d(ar1: Any, ar2: Any, assume_unique: Any = False, return_indices: Any = False) -> Any:
    """Stand for `numpy.intersect1d`."""
    one, other = as_array(ar1), as_array(ar2)
    most = size(one)
    parts = [Part((most,), np.result_type(one.dtype, other.dtype), counted=True)]
    if return_indices:
        parts += [Part((most,), INT64, counted=True)] * 2
    known: dict[str, Any] = {"assume_unique": bool(assume_unique), "return_indices": bool(return_indices)}
    found = called("intersect1d", [one, other], parts, certain=True, **known)
    return found if return_indices else found[0]


@implements(np.setdiff1d)
def setdiff1d(ar1: Any, ar2: Any, assume_unique: Any = False) -> Any:
    """Stand for `numpy.setdiff1d`."""
    one, other = as_array(ar1), as_array(ar2)
    part = Part((size(one),), one.dtype, counted=True)
    return called_once("setdiff1d", [one, other], part, certain=True, assume_unique=bool(assume_unique))


def _of_both(function: str, ar1: Any, ar2: Any, **known: Any) -> Any:
    """Return what a function gives that may keep all of two arrays."""
    one, other = as_array(ar1), as_array(ar2)
    most = recorder().normal(size(one) + size(other))
    part = Part((most,), np.result_type(one.dtype, other.dtype), counted=True)
    return called_once(function, [one, other], part, certain=True, **known)


@implements(np.union1d)
def union1d(ar1: Any, ar2: Any) -> Any:
    """Stand for `numpy.union1d`."""
    return _of_both("union1d", ar1, ar2)


@implements(np.setxor1d)
def setxor1d(ar1: Any, ar2: Any, assume_unique: Any = False) -> Any:
    """Stand for `numpy.setxor1d`."""
    return _of_both("setxor1d", ar1, ar2, assume_unique=bool(assume_unique))
