"""Copies of arrays that the caller handed in."""

from __future__ import annotations

from typing import Any

import numpy as np


def copied(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Copy an array that the caller handed in, with the strides that it has: how BLAS adds up depends on them."""
    copy = array.copy("K")
    if copy.strides == array.strides or not array.size or 0 in array.strides:
        return copy
    low, high = np.lib.array_utils.byte_bounds(array)
    start = array.__array_interface__["data"][0] - low
    spread = np.ndarray(array.shape, array.dtype, np.empty(high - low, np.uint8), start, array.strides)
    spread[...] = array
    return spread
