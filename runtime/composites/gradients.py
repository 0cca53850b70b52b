"""Differences divided by distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh
from transpile.runtime.arrays.elementwise import operate
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.numbers import cast, raise_if

from .arguments import normal_axes
from .calls import Part, called, refuse
from .creation import empty_like_dims
from .layout import kept_order
from .quantiles import known_axes
from .sequences import as_array


@implements(np.gradient)
def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    """Stand for `numpy.gradient`: over equal distances in ops, over others by NumPy, which looks whether they are equal."""
    array = as_array(f)
    axes = normal_axes(known_axes(axis, array.ndim), array.ndim)
    if edge_order not in (1, 2) or array.dtype.kind not in "iufc" or not axes:
        refuse("gradient", "of other than numbers, or with this edge_order")
    if len(varargs) not in (0, 1, len(axes)):
        raise TypeError("invalid number of arguments")
    distances = [as_array(d) if isinstance(d, (list, tuple)) else d for d in varargs or (1.0,)]
    several = any(isinstance(d, SymbolicArray) and d.ndim for d in distances)
    if several:
        if len(distances) != len(axes):
            raise ValueError("when 1d, distances must match the length of the corresponding dimension")
        return _by_numpy(array, distances, axes, edge_order)
    for along in axes:
        _check_size(array, along, edge_order)
    if len(distances) == 1:
        distances *= len(axes)
    if array.dtype.kind in "iu":
        array = fresh(cast(array.read(), np.dtype(np.float64)))
    found = [_over(array, d, along, edge_order) for d, along in zip(distances, axes, strict=True)]
    return found[0] if len(axes) == 1 else tuple(found)


def _check_size(array: SymbolicArray, axis: int, edge_order: int) -> None:
    size = dim_scalar(array.dims[axis])
    raise_if(
        operate("less", size, edge_order + 1),
        lambda: ValueError(
            "Shape of array too small to calculate a numerical gradient, "
            "at least (edge_order + 1) elements are required."
        ),
    )


def _by_numpy(array: SymbolicArray, distances: list[Any], axes: tuple[int, ...], edge_order: int) -> Any:
    dtype = array.dtype if array.dtype.kind in "fc" else np.dtype(np.float64)
    part = Part(array.dims, dtype, kept_order(array))
    found = called("gradient", [array, *distances], [part] * len(axes), axis=axes, edge_order=edge_order)
    return found[0] if len(axes) == 1 else found


def _over(array: SymbolicArray, distance: Any, axis: int, edge_order: int) -> SymbolicArray:
    """Return the gradient along one axis, over equal distances."""
    before = (slice(None),) * axis

    def at(*bounds: Any) -> Any:
        return array[(*before, slice(*bounds) if len(bounds) > 1 else bounds[0])]

    result = empty_like_dims(array.dims, array.dtype, kept_order(array))
    middle = operate(
        "divide", operate("subtract", at(2, None), at(None, -2)), operate("multiply", 2.0, distance)
    )
    result[(*before, slice(1, -1))] = middle
    if edge_order == 1:
        result[(*before, 0)] = operate("divide", operate("subtract", at(1), at(0)), distance)
        result[(*before, -1)] = operate("divide", operate("subtract", at(-1), at(-2)), distance)
        return result
    for place, parts, weights in ((0, (0, 1, 2), (-1.5, 2.0, -0.5)), (-1, (-3, -2, -1), (0.5, -2.0, 1.5))):
        terms = [
            operate("multiply", operate("divide", weight, distance), at(part))
            for weight, part in zip(weights, parts, strict=True)
        ]
        result[(*before, place)] = operate("add", operate("add", terms[0], terms[1]), terms[2])
    return result
