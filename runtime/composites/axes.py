"""Views with other axes: transposed, moved, new, dropped, flipped, broadcast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar
from transpile.runtime.arrays.broadcasting import agree, broadcast_error, require_one
from transpile.runtime.arrays.countable import Countable
from transpile.runtime.arrays.functions import attribute_of, implements
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import MOST_AXES

from .arguments import as_dims, normal_axes, normal_axis
from .layout import reversed_axes
from .sequences import as_array


def transposed(array: SymbolicArray, axes: Sequence[int]) -> SymbolicArray:
    """Return an array with its axes in this order."""
    return array.through(array.whole().transpose(axes))


def _is_numpys_number(thing: Any) -> bool:
    return isinstance(thing, np.generic) or (isinstance(thing, SymbolicScalar) and not thing.type.weak)


@attribute_of("T")
def attribute_t(array: Any) -> Any:
    """Stand for `array.T`."""
    return reversed_axes(array) if isinstance(array, SymbolicArray) else array


@attribute_of("mT")
def attribute_mt(array: Any) -> Any:
    """Stand for `array.mT`."""
    if array.ndim < 2:
        raise ValueError("matrix transpose with ndim < 2 is undefined")
    return swapaxes(array, -1, -2)


@implements(np.transpose, np.permute_dims)
def transpose(a: Any, axes: Any = None) -> Any:
    """Stand for `numpy.transpose`."""
    if axes is None and isinstance(a, SymbolicScalar) and not a.weak:
        return a
    array = as_array(a)
    if axes is None:
        return reversed_axes(array)
    if len(axes) != array.ndim:
        raise ValueError("axes don't match array")
    places = [normal_axis(axis, array.ndim) for axis in axes]
    if len(set(places)) < len(places):
        raise ValueError("repeated axis in transpose")
    return transposed(array, places)


@implements(method="transpose")
def transpose_method(a: Any, *axes: Any) -> Any:
    """Stand for `array.transpose`, of which a NumPy scalar gives itself."""
    if not isinstance(a, SymbolicArray) and axes in ((), (None,), ((),)):
        return a
    if not axes or axes == (None,):
        return transpose(a)
    return transpose(a, axes[0] if len(axes) == 1 and isinstance(axes[0], (tuple, list)) else axes)


@implements(np.swapaxes, method="swapaxes")
def swapaxes(a: Any, axis1: Any, axis2: Any) -> Any:
    """Stand for `numpy.swapaxes`."""
    array = as_array(a)
    axes = list(range(array.ndim))
    one, two = normal_axis(axis1, array.ndim, "axis1"), normal_axis(axis2, array.ndim, "axis2")
    axes[one], axes[two] = two, one
    return transposed(array, axes)


@implements(np.matrix_transpose)
def matrix_transpose(x: Any, /) -> Any:
    """Stand for `numpy.matrix_transpose`."""
    array = as_array(x)
    if array.ndim < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {array.ndim}")
    return swapaxes(array, -1, -2)


def _axes_named(axis: Any, ndim: int, name: str) -> list[int]:
    axes: Any = axis if isinstance(axis, (tuple, list, Countable)) else (axis,)
    places = [normal_axis(a, ndim, name) for a in axes]
    if len(set(places)) < len(places):
        raise ValueError(f"repeated axis in `{name}` argument")
    return places


@implements(np.moveaxis)
def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """Stand for `numpy.moveaxis`."""
    array = as_array(a)
    sources = _axes_named(source, array.ndim, "source")
    destinations = _axes_named(destination, array.ndim, "destination")
    if len(sources) != len(destinations):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    order = [axis for axis in range(array.ndim) if axis not in sources]
    for place, axis in sorted(zip(destinations, sources, strict=True)):
        order.insert(place, axis)
    return a if _is_numpys_number(a) else transposed(array, order)


@implements(np.rollaxis)
def rollaxis(a: Any, axis: Any, start: Any = 0) -> Any:
    """Stand for `numpy.rollaxis`."""
    if not (isinstance(a, (SymbolicArray, np.ndarray)) or _is_numpys_number(a)):
        raise recorder().unsure(AttributeError(f"'{type(a).__name__}' object has no attribute 'ndim'"))
    array = as_array(a)
    place, start = normal_axis(axis, array.ndim), start.__index__()
    if start < 0:
        start += array.ndim
    if not 0 <= start < array.ndim + 1:
        raise np.exceptions.AxisError(
            f"'start' arg requires {-array.ndim} <= start < {array.ndim + 1}, but {start} was passed in"
        )
    order = [other for other in range(array.ndim) if other != place]
    order.insert(start - (place < start), place)
    return transposed(array, order)


@implements(np.expand_dims)
def expand_dims(a: Any, axis: Any) -> Any:
    """Stand for `numpy.expand_dims`."""
    array = as_array(a)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    view = array.whole()
    ndim = array.ndim + len(axes)
    places = [normal_axis(a, ndim) for a in axes]
    if len(set(places)) < len(places):
        raise ValueError("repeated axis")
    for place in sorted(places):
        view = view.insert(place)
    return array.through(view)


def _squeeze_error(shapes: Any) -> ValueError:
    return ValueError("cannot select an axis to squeeze out which has size not equal to one")


@implements(np.squeeze, method="squeeze")
def squeeze(a: Any, axis: Any = None) -> Any:
    """Stand for `numpy.squeeze`."""
    if axis is None and _is_numpys_number(a):
        return a
    array = as_array(a)
    record = recorder()
    if axis is None:
        axes = [place for place, dim in enumerate(array.dims) if dim == 1]
        for dim in array.dims:
            if dim != 1 and not record.of_arguments(dim) and not isinstance(dim, int):
                test = record.emit("equal", record.dim_value(dim), record.dim_value(1))
                record.deoptimise_if(test, "numpy.squeeze drops an axis whose size run time gives")
            elif (
                not isinstance(dim, int)
                and dim not in map(_of_size, record.bounds.sizes)
                and not record.speculate(dim - 2)
            ):
                record.unstageable(
                    "S155-squeeze", "sizes that are computed may be 1", "name the axes to squeeze"
                )
    else:
        axes = list(normal_axes(axis, array.ndim))
        for place in axes:
            require_one(array.dims[place], [], _squeeze_error)
    if not axes and (isinstance(a, SymbolicArray) or _is_numpys_number(a)):
        # Methods of NumPy's numbers give numbers.
        return a
    view = array.whole()
    for place in sorted(axes, reverse=True):
        view = view.take(place, 0)
    return array.through(view)


def _of_size(value: Any) -> DimLike:
    return recorder().dim(value)


@implements(np.broadcast_to)
def broadcast_to(array: Any, shape: Any, subok: Any = False) -> Any:
    """Stand for `numpy.broadcast_to`: a view that is not written."""
    source = as_array(array)
    dims = tuple(map(as_dim, shape)) if isinstance(shape, (tuple, list)) else (as_dim(shape),)
    if any(isinstance(dim, int) and dim < 0 for dim in dims):
        raise ValueError("all elements of broadcast shape must be non-negative")
    dims = as_dims(shape)
    if len(dims) < source.ndim:
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")

    def error(shapes: Any) -> ValueError:
        own, asked = (str(tuple(s)).replace(" ", "") for s in shapes)
        return ValueError(
            f"operands could not be broadcast together with remapped shapes [original->remapped]: {own}  and requested shape {asked}"
        )

    for own, asked in zip(reversed(source.dims), reversed(dims), strict=False):
        if own != 1 and asked == 1:
            require_one(own, [source.dims, dims], error)
    agree([source.dims, dims], error)
    return source.through(source.whole().broadcast(dims)).locked()


@implements(np.broadcast_arrays)
def broadcast_arrays(*args: Any, subok: Any = False) -> Any:
    """Stand for `numpy.broadcast_arrays`."""
    arrays = [as_array(arg) for arg in args]
    dims = agree([array.dims for array in arrays], broadcast_error)
    # What has these dims already is handed back itself.
    return tuple(
        array if array.dims == dims else array.through(array.whole().broadcast(dims)) for array in arrays
    )


@implements(np.broadcast_shapes)
def broadcast_shapes(*shapes: Any) -> Any:
    """Stand for `numpy.broadcast_shapes`."""

    def error(found: Any) -> Exception:
        return recorder().unsure(ValueError("shape mismatch: objects cannot be broadcast to a single shape."))

    dims = agree([as_dims(shape) for shape in shapes], error)
    if len(dims) > MOST_AXES:
        raise error(dims)
    return tuple(map(dim_scalar, dims))


# -- flipping -----------------------------------------------------------------------------------------------------


@implements(np.flip)
def flip(m: Any, axis: Any = None) -> Any:
    """Stand for `numpy.flip`."""
    array = as_array(m)
    # Of an array without axes none can be named.
    places = normal_axes(
        axis if array.ndim or axis is None or isinstance(axis, tuple) else (axis,), array.ndim
    )
    if not array.ndim:
        return array[()]
    view = array.whole()
    for place in places:
        dim = array.dims[place]
        view = view.slice(place, dim - 1, dim, -1)
    return array.through(view)


@implements(np.flipud)
def flipud(m: Any) -> Any:
    """Stand for `numpy.flipud`."""
    array = as_array(m)
    if array.ndim < 1:
        raise ValueError("Input must be >= 1-d.")
    return flip(array, 0)


@implements(np.fliplr)
def fliplr(m: Any) -> Any:
    """Stand for `numpy.fliplr`."""
    array = as_array(m)
    if array.ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return flip(array, 1)


@implements(np.rot90)
def rot90(m: Any, k: Any = 1, axes: Any = (0, 1)) -> Any:
    """Stand for `numpy.rot90`."""
    array = as_array(m)
    axes = tuple(axes)
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    one, two = axes
    if one == two or abs(one - two) == array.ndim:
        raise ValueError("Axes must be different.")
    if not all(-array.ndim <= axis < array.ndim for axis in axes):
        raise ValueError(f"Axes={axes} out of range for array of ndim={array.ndim}.")
    turns = k.__index__() % 4
    if turns == 0:
        return array.through(array.whole())
    if turns == 2:
        return flip(flip(array, one), two)
    if turns == 1:
        return swapaxes(flip(array, two), one, two)
    return flip(swapaxes(array, one, two), two)


def _at_least(ndim: int) -> Any:
    def one(thing: Any) -> Any:
        array = as_array(thing)
        view = array.whole()
        if ndim == 3 and array.ndim == 2:
            return array.through(view.insert(2))
        if ndim == 3 and array.ndim == 1:
            return array.through(view.insert(0).insert(2))
        for _ in range(ndim - array.ndim):
            view = view.insert(0)
        return array.through(view) if array.ndim < ndim else array

    def implementation(*arys: Any) -> Any:
        return one(arys[0]) if len(arys) == 1 else tuple(map(one, arys))

    return implementation


for _ndim, _function in ((1, np.atleast_1d), (2, np.atleast_2d), (3, np.atleast_3d)):
    implements(_function)(_at_least(_ndim))
