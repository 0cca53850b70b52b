"""Views by strides that the program gives."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.views.view import View

from .arguments import NOTHING
from .layout import strides_of
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
    for place, (dim, stride) in enumerate(zip(dims, asked, strict=True)):
        _refuse_unless(recorder().assume_nonnegative(dim))
        if stride == 0:
            # What repeats could be written in NumPy.
            _refuse_unless(not writeable)
            continue
        axis, step = _along(own, stride)
        terms[axis].append((place, step))
        ends[axis] = ends[axis] - step * (dim - 1)
    _refuse_unless(all(recorder().assume_nonnegative(end - 1) for end in ends))
    view = View(array.dims, dims, tuple((0, tuple(moving)) for moving in terms))
    return array.through(view) if writeable else array.through(view).locked()


def _along(own: tuple[DimLike, ...], stride: DimLike) -> tuple[int, int]:
    """Return the axis that a stride goes along, and by how many of its elements."""
    for axis, each in enumerate(own):
        if recorder().same(stride, each):
            return axis, 1
    for axis, each in enumerate(own):
        if (
            isinstance(each, int)
            and isinstance(stride, int)
            and each > 0
            and stride > 0
            and not stride % each
        ):
            return axis, stride // each
    _refuse_unless(False)
    return 0, 0


def _refuse_unless(holds: bool) -> None:
    if not holds:
        recorder().unstageable(
            "S296-strided", "a view by strides may leave the axes of its array", "use sliding_window_view"
        )
