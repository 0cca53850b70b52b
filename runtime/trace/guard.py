"""Guards: what must hold on a later call for a trace to serve it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .path import Path


@dataclass(frozen=True, eq=False)
class Guard:
    """A condition on the value at a path.

    `kind` is "type" (exactly), "is", "equals" (and of the same type), "length", "keys", "array" (an `ArrayKey`), "flags" (of an array, the bits `LIES`), "not" (is another object than
    the one at the path `expected`), "distinct" (neither it nor the objects at the paths `expected` are one), "same" (is the object at the path `expected`), "apart" (shares no memory with the array at the path
    `expected`; with itself: no element is met twice), "rows" (the lists in the lists at the first paths, and the lists at the others, are no two of them one), "members" (none of the objects at the paths `expected` is in the list), "held" (the objects in
    lists, at the first paths, hold arrays under the names that come with each that are no two of them one, and the arrays at the other paths lie in the memory of none), "dim" (`expected` is an axis and its size), "backwards" (`expected` is an axis, and whether the stride along it is negative), "goes on" (`expected` is two axes, and whether the stride along the first is that along the second times its length), "packed" (axes of length 1, too, have the strides of a new array with its axes in the order `expected`) or "missing" (no global has the name).
    """

    path: Path
    kind: str
    expected: Any


# Bits of `flags.num`: the attributes that tell of them one by one warn where an array warns when it is written.
C_CONTIGUOUS, F_CONTIGUOUS, OWNS, ALIGNED, WRITEABLE, WARNS = 0x1, 0x2, 0x4, 0x100, 0x400, -0x80000000
# Those that say how a field lies in an array of records of which the rest is known.
LIES = C_CONTIGUOUS | F_CONTIGUOUS | ALIGNED


def writable(array: np.ndarray[Any, Any]) -> bool | None:
    """Whether an array can be written; None where NumPy warns of it, as of what numpy.broadcast_arrays gives."""
    flags = array.flags.num
    return None if flags & WARNS else bool(flags & WRITEABLE)


@dataclass(frozen=True)
class ArrayKey:
    """What a trace depends on in an array, besides dtype and rank: which dims are 1, along which axes the same elements are repeated, how
    it lies in memory, and whether it can be written.
    """

    dtype: np.dtype[Any]
    ones: tuple[bool, ...]
    order: tuple[int, ...] | None
    contiguous: bool
    writable: bool | None
    repeated: tuple[int, ...] = ()
    # The class, of arrays of records.
    kind: type = np.ndarray

    @staticmethod
    def of(array: np.ndarray[Any, Any]) -> ArrayKey:
        """Return the key of an array."""
        flags = array.flags
        ones = tuple(dim == 1 for dim in array.shape)
        order: tuple[int, ...] | None = None
        repeated: tuple[int, ...] = ()
        contiguous = True
        if not flags.c_contiguous:
            contiguous = bool(flags.f_contiguous)
            axes = sorted(range(array.ndim), key=lambda axis: -abs(array.strides[axis]))
            if contiguous:
                # Strides along axes of length 1 say nothing.
                axes = list(reversed(range(array.ndim)))
            order = None if axes == list(range(array.ndim)) else tuple(axes)
            if 0 in array.strides:
                repeated = tuple(
                    axis for axis, stride in enumerate(array.strides) if not stride and not ones[axis]
                )
        return ArrayKey(array.dtype, ones, order, contiguous, writable(array), repeated, type(array))


# How hard to look for an element that two arrays with interleaved elements share, before it is taken that they do.
_WORK = 100


def apart(array: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> bool:
    """Whether two arrays share no memory; for an array and itself: whether it has no element twice."""
    if array is not other:
        return not np.may_share_memory(array, other, max_work=_WORK)  # type: ignore[arg-type]
    reach = array.itemsize
    steps = sorted(
        (abs(stride), size) for stride, size in zip(array.strides, array.shape, strict=True) if size > 1
    )
    for stride, size in steps:
        if stride < reach:
            return array.size == 0
        reach += stride * (size - 1)
    return True


def goes_on(array: np.ndarray[Any, Any], outer: int, inner: int) -> bool:
    """Whether the stride along an axis is that along another one times its length."""
    return bool(array.strides[outer] == array.strides[inner] * array.shape[inner])


def packed(array: np.ndarray[Any, Any], order: Iterable[int]) -> bool:
    """Whether an array without gaps, with its axes in an order, has the strides of a new one along axes of length 1, too."""
    stride = array.itemsize
    for axis in reversed(tuple(order)):
        if array.strides[axis] != stride:
            return False
        stride *= array.shape[axis]
    return True


def one_each(tables: Iterable[list[Any]], lists: Iterable[Any]) -> bool:
    """Whether no list is in two of the tables, or in one twice, or in one and itself among the lists."""
    met = [id(row) for table in tables for row in table]
    met.extend(map(id, lists))
    return len(set(met)) == len(met)


def none_in(things: Iterable[Any], others: Iterable[Any]) -> bool:
    """Whether none of some objects is among others."""
    return set(map(id, things)).isdisjoint(map(id, others))


def own_memory(arrays: Iterable[np.ndarray[Any, Any]]) -> bool:
    """Whether no two arrays are, or are views of, one that owns its memory, and each is or does: then all are apart."""
    owners = set()
    count = 0
    for array in arrays:
        owner = array if array.base is None else array.base
        if type(owner) is not np.ndarray or not owner.flags.owndata:
            return False
        owners.add(id(owner))
        count += 1
    return len(owners) == count
