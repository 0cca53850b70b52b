"""Windows that slide along axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.numbers import raise_if
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.views.view import View

from .arguments import no_truths, normal_axis
from .sequences import as_array


@implements(np.lib.stride_tricks.sliding_window_view)
def sliding_window_view(
    x: Any, window_shape: Any, axis: Any = None, *, subok: Any = False, writeable: Any = False
) -> Any:
    """Stand for `numpy.lib.stride_tricks.sliding_window_view`: a view in which elements are met several times, and which is not written."""
    array: SymbolicArray = as_array(x)
    if writeable:
        recorder().unstageable("S112-repeated", "windows that overlap are written")
    sizes = tuple(window_shape) if isinstance(window_shape, (tuple, list)) else (window_shape,)
    no_truths(*sizes)
    windows = tuple(map(as_dim, sizes))
    for window in windows:
        if not recorder().assume_nonnegative(window):
            raise_if(
                dim_scalar(window) < 0, lambda: ValueError("`window_shape` cannot contain negative values")
            )
    if axis is None:
        along = tuple(range(array.ndim))
        if len(windows) != array.ndim:
            raise ValueError(
                "Since axis is `None`, must provide window_shape for all dimensions of `x`; got "
                f"{len(windows)} window_shape elements and `x.ndim` is {array.ndim}."
            )
    else:
        given = axis if isinstance(axis, (tuple, list)) else (axis,)
        along = tuple(normal_axis(at, array.ndim) for at in given)
        if len(windows) != len(along):
            raise ValueError(
                "Must provide matching length window_shape and axis; got "
                f"{len(windows)} window_shape elements and {len(along)} axes elements."
            )
    dims: list[DimLike] = list(array.dims)
    terms: list[list[tuple[int, int]]] = [[(place, 1)] for place in range(array.ndim)]
    for place, (at, window) in enumerate(zip(along, windows, strict=True)):
        dims[at] = dims[at] - window + 1
        terms[at].append((array.ndim + place, 1))
        if not recorder().assume_nonnegative(dims[at] - 1):
            raise_if(
                dim_scalar(dims[at]) < 1,
                lambda: ValueError("window shape cannot be larger than input array shape"),
            )
    axes: tuple[Any, ...] = tuple((0, tuple(moving)) for moving in terms)
    return array.through(View(array.dims, (*dims, *windows), axes)).locked().apart()
