"""Views by strides that the program gives."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.strides import strides_of
from transpile.runtime.graph.dim import DimLike, quotient
from transpile.runtime.views.view import View

from .arguments import NOTHING
from .sequences import as_array


@implements(np.lib.stride_tricks.as_strided)
def as_strided(
    x: Any,
    shape: Any = None,
    strides: Any = None,
    subok: Any = False,
    writeable: Any = True,
    *,
    check_bounds: Any = NOTHING,
) -> Any:
    """Stand for `numpy.lib.stride_tricks.as_strided`, where each axis of the result moves along one of the array's, and stays in it."""
    if check_bounds is not NOTHING:
        recorder().unstageable("S147-hosted", "numpy.lib.stride_tricks.as_strided with check_bounds=")
    array: SymbolicArray = as_array(x)
    own = strides_of(array)
    if own is None:
        recorder().unstageable("S171-strides", "the strides of an array with unknown gaps in memory")
        return None
    own = tuple(stride * array.dtype.itemsize for stride in own)
    dims = array.dims if shape is None else tuple(map(as_dim, shape))
    asked = own if strides is None else tuple(map(as_dim, strides))
    if len(dims) != len(asked):
        raise ValueError("mismatch in length of strides and shape")
    terms: list[list[tuple[int, int]]] = [[] for _ in own]
    ends = list(array.dims)
    # What repeats could be written in NumPy.
    _refuse_unless(not writeable or 0 not in asked)
    moves = [_along(own, stride) if stride != 0 else None for stride in asked]
    for place, (dim, move) in enumerate(zip(dims, moves, strict=True)):
        _refuse_unless(_holds(dim))
        if move is not None:
            axis, step = move
            terms[axis].append((place, step))
            ends[axis] = ends[axis] - step * (dim - 1)
    _refuse_unless(all(_holds(end - 1) for end in ends))
    view = View(array.dims, dims, tuple((0, tuple(moving)) for moving in terms))
    return (array.through(view) if writeable else array.through(view).locked()).apart()


def _along(own: tuple[DimLike, ...], stride: DimLike) -> tuple[int, int]:
    """Return the axis that a stride goes along, and by how many of its elements."""
    for axis, each in enumerate(own):
        if recorder().same(stride, each):
            return axis, 1
    for axis, each in enumerate(own):
        step = quotient(stride, each) if stride != 0 and each != 0 else None
        if step is not None:
            # What run time gives has to be known: views have steps that are.
            number = step if isinstance(step, int) else int(dim_scalar(step).__index__())
            if number > 0:
                return axis, number
    _refuse_unless(False)
    return 0, 0


def _holds(dim: DimLike) -> bool:
    """Whether a dim is not negative: proved, assumed, or so for the arguments at hand."""
    return recorder().assume_nonnegative(dim) or recorder().speculate(dim)


def _refuse_unless(holds: bool) -> None:
    if not holds:
        recorder().unstageable(
            "S296-strided", "a view by strides may leave the axes of its array", "use sliding_window_view"
        )
