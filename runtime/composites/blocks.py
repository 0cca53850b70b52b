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
    depth, leaves = _depth(arrays), _leaves(arrays)
    rank = max([depth, *(leaf.ndim for leaf in leaves)])
    if any(leaf.ndim > 1 and kept_order(leaf) is not None for leaf in leaves):
        # For larger results NumPy asks whether all are in Fortran's order, for smaller ones for strides.
        refuse("block", "of arrays in another order than C")
    return _joined(arrays, rank, -depth) if depth else new_array(arrays, ndmin=rank)


def _joined(thing: Any, rank: int, axis: int) -> Any:
    if not isinstance(thing, list):
        return new_array(thing, copy=None, ndmin=rank)
    return concatenate([_joined(item, rank, axis + 1) for item in thing], axis)


def _leaves(thing: Any) -> list[SymbolicArray]:
    return (
        [leaf for item in thing for leaf in _leaves(item)] if isinstance(thing, list) else [as_array(thing)]
    )


def _depth(thing: Any) -> int:
    """Return how deep lists lie in one another; NumPy says it where that is not the same for all."""
    if isinstance(thing, (tuple, StagedList)):
        refuse("block", "of tuples, or of lists whose length run time gives")
    if not isinstance(thing, list):
        return 0
    depths = {_depth(item) for item in thing}
    if len(depths) != 1:
        refuse("block", "of lists that are empty, or not equally deep")
    return depths.pop() + 1
