"""Arrays made of blocks."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.lists import StagedList

from .calls import refuse
from .joining import concatenate
from .layout import kept_order
from .sequences import array as new_array
from .sequences import as_array


@implements(np.block)
def block(arrays: Any) -> Any:
    """Stand for `numpy.block`: what is in the innermost lists is joined along the last axis, those along the one before."""
    depth, rank = _depth(arrays), max(_ranks(arrays), default=0)
    rank = max(rank, depth)
    if any(array.ndim > 1 and kept_order(array) is not None for array in _leaves(arrays)):
        # For larger results NumPy asks whether all are in Fortran's order, for smaller ones for strides.
        refuse("block", "of arrays in another order than C")
    if not depth:
        return new_array(arrays, ndmin=rank)
    return _joined(arrays, rank, -depth)


def _joined(thing: Any, rank: int, axis: int) -> SymbolicArray:
    if not isinstance(thing, list):
        found: SymbolicArray = new_array(thing, copy=None, ndmin=rank)
        return found
    parts = [_joined(item, rank, axis + 1) for item in thing]
    joined: SymbolicArray = concatenate(parts, axis)
    return joined


def _leaves(thing: Any) -> list[SymbolicArray]:
    if isinstance(thing, list):
        return [leaf for item in thing for leaf in _leaves(item)]
    return [as_array(thing)]


def _ranks(thing: Any) -> list[int]:
    return [leaf.ndim for leaf in _leaves(thing)]


def _depth(thing: Any) -> int:
    """Return how deep lists lie in one another, which must be the same for all; NumPy says it where that is not so."""
    if isinstance(thing, (tuple, StagedList)):
        refuse("block", "of tuples, or of lists whose length run time gives")
    if not isinstance(thing, list):
        return 0
    depths = {_depth(item) for item in thing}
    if len(depths) != 1:
        refuse("block", "of lists that are empty, or not equally deep")
    return depths.pop() + 1
