"""Cross products, and integrals by trapezoids."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import dim_scalar, fresh
from transpile.runtime.arrays.broadcasting import agree, broadcast_error
from transpile.runtime.arrays.elementwise import operate
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.numbers import cast
from transpile.runtime.arrays.recorder import recorder

from .arguments import normal_axis
from .axes import moveaxis
from .creation import empty_like_dims
from .differences import diff
from .reductions import reduce
from .reshaping import reshape
from .sequences import as_array


@implements(np.cross)
def cross(a: Any, b: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None) -> Any:
    """Stand for `numpy.cross` of vectors of three numbers."""
    if axis is not None:
        axisa = axisb = axisc = axis
    record = recorder()
    vectors = []
    for thing, place in ((a, axisa), (b, axisb)):
        array = as_array(thing)
        if array.ndim < 1:
            raise ValueError("At least one array has zero dimension")
        array = moveaxis(array, normal_axis(place, array.ndim), -1)
        if not record.assume_equal(array.dims[-1], 3):
            record.unstageable("S186-cross", "numpy.cross of vectors that may not have three numbers")
        vectors.append(array)
    wanted = np.promote_types(vectors[0].dtype, vectors[1].dtype)
    dims = (*agree([vector.dims[:-1] for vector in vectors], broadcast_error), 3)
    one, two = ([fresh(cast(vector[..., place].read(), wanted)) for place in range(3)] for vector in vectors)
    result = empty_like_dims(dims, wanted)
    for place, (first, second) in enumerate(((1, 2), (2, 0), (0, 1))):
        difference = (
            operate("multiply", one[first], two[second]),
            operate("multiply", one[second], two[first]),
        )
        result[..., place] = operate("subtract", *difference)
    return moveaxis(result, -1, normal_axis(axisc, result.ndim))


@implements(np.trapezoid)
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    """Stand for `numpy.trapezoid`."""
    array = as_array(y)
    along = normal_axis(axis, array.ndim)
    distance = dx
    if x is not None:
        places = as_array(x)
        if places.ndim == 1:
            distance = diff(places)
            shape: list[Any] = [1] * array.ndim
            shape[along] = dim_scalar(distance.dims[0])
            distance = reshape(distance, tuple(shape))
        else:
            distance = diff(places, axis=along)
    before = (slice(None),) * along
    both = operate("add", array[(*before, slice(1, None))], array[(*before, slice(None, -1))])
    parts = operate("divide", operate("multiply", distance, both), 2.0)
    return reduce("add", parts, along)
