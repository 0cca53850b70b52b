"""Guards: what must hold on a later call for a trace to serve it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .path import Path


@dataclass(frozen=True, eq=False)
class Guard:
    """A condition on the value at a path.

    `kind` is "type" (exactly), "is", "equals" (and of the same type), "length", "keys", "array" (an `ArrayKey`), "not" (is another object than
    the one at the path `expected`), "same" (is the object at the path `expected`), "apart" (shares no memory with the array at the path
    `expected`; with itself: no element is met twice) or "dim" (`expected` is an axis and its size).
    """

    path: Path
    kind: str
    expected: Any


@dataclass(frozen=True)
class ArrayKey:
    """What a trace depends on in an array: which dims are 1, and how it lies in memory, besides dtype and rank."""

    dtype: np.dtype[Any]
    ones: tuple[bool, ...]
    order: tuple[int, ...] | None
    contiguous: bool
    writable: bool

    @staticmethod
    def of(array: np.ndarray[Any, Any]) -> ArrayKey:
        """Return the key of an array."""
        flags = array.flags
        rank = array.ndim
        if flags.c_contiguous:
            order, contiguous = None, True
        else:
            axes = axes_of(array)
            order = None if axes == list(range(rank)) else tuple(axes)
            contiguous = bool(flags.f_contiguous)
        return ArrayKey(
            array.dtype, tuple(dim == 1 for dim in array.shape), order, contiguous, bool(flags.writeable)
        )


def axes_of(array: np.ndarray[Any, Any]) -> list[int]:
    """Return the axes of an array from slowest to fastest, as NumPy's iterator sorts them.

    An axis is moved before those with a smaller stride; a stride of 0, of a repeated axis, says nothing.
    """
    strides = [
        0 if size == 1 else abs(stride) for size, stride in zip(array.shape, array.strides, strict=True)
    ]
    if all(strides):
        return sorted(range(array.ndim), key=lambda axis: -strides[axis])
    axes: list[int] = []
    for axis in range(array.ndim - 1, -1, -1):
        place = 0
        for k, other in enumerate(axes):
            if strides[other] and strides[axis]:
                if strides[other] <= strides[axis]:
                    break
                place = k + 1
        axes.insert(place, axis)
    return axes


# How hard to look for an element that two arrays with interleaved elements share, before it is taken that they do.
_WORK = 100


def apart(array: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> bool:
    """Whether two arrays share no memory; for an array and itself: whether it has no element twice."""
    if array is not other:
        return not np.may_share_memory(array, other, max_work=_WORK)
    reach = array.itemsize
    steps = sorted(
        (abs(stride), size) for stride, size in zip(array.strides, array.shape, strict=True) if size > 1
    )
    for stride, size in steps:
        if stride < reach:
            return array.size == 0
        reach += stride * (size - 1)
    return True
