"""Arrays cut into views along an axis."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar
from transpile.runtime.arrays.elementwise import operate
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.numbers import raise_if
from transpile.runtime.arrays.recorder import recorder

from .arguments import normal_axis
from .sequences import as_array


def _between(array: SymbolicArray, axis: int, points: list[Any]) -> list[Any]:
    before = (slice(None),) * axis
    return [array[(*before, slice(*ends))] for ends in itertools.pairwise(points)]


@implements(np.array_split)
def array_split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """Stand for `numpy.array_split`."""
    array = as_array(ary)
    along = normal_axis(axis, array.ndim)
    total = dim_scalar(array.dims[along])
    if isinstance(indices_or_sections, (tuple, list)):
        return _between(array, along, [0, *indices_or_sections, total])
    sections = indices_or_sections.__index__()
    if sections <= 0:
        raise ValueError("number sections must be larger than 0.")
    each, extra = operate("floor_divide", total, sections), operate("remainder", total, sections)
    # The first sections, as many as are left over, have one element more.
    points = [
        operate("add", operate("multiply", each, place), _least(extra, place)) for place in range(sections)
    ]
    return _between(array, along, [*points, total])


def _least(extra: Any, place: int) -> Any:
    """Return the smaller of two integers."""
    if isinstance(extra, int):
        return min(extra, place)
    rest = operate("subtract", extra, place)
    return operate("add", place, operate("multiply", rest, operate("less", rest, 0)))


@implements(np.split)
def split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """Stand for `numpy.split`."""
    if isinstance(indices_or_sections, (tuple, list)):
        return array_split(ary, indices_or_sections, axis)
    if isinstance(ary, (list, tuple)):
        # NumPy asks for the shape, which a list has not.
        raise AttributeError(
            f"'{'list' if isinstance(ary, list) else 'tuple'}' object has no attribute 'shape'"
        )
    array = as_array(ary)
    along = normal_axis(axis, array.ndim)
    sections = indices_or_sections.__index__()
    if sections < 0:
        raise recorder().unsure(ValueError("number sections must be larger than 0."))
    left = operate("remainder", dim_scalar(array.dims[along]), sections)
    raise_if(
        operate("not_equal", left, 0), lambda: ValueError("array split does not result in an equal division")
    )
    length = as_dim(operate("floor_divide", dim_scalar(array.dims[along]), sections))
    points = [dim_scalar(length * place) for place in range(sections)]
    return _between(array, along, [*points, dim_scalar(array.dims[along])])


def _along(name: str, least: int, axis: int) -> None:
    def implementation(ary: Any, indices_or_sections: Any) -> Any:
        array = as_array(ary)
        if array.ndim < least:
            raise ValueError(f"{name} only works on arrays of {least} or more dimensions")
        if name == "hsplit" and isinstance(ary, (list, tuple)):
            # NumPy asks which axis it is to split along.
            raise AttributeError(
                f"'{'list' if isinstance(ary, list) else 'tuple'}' object has no attribute 'ndim'"
            )
        return split(array, indices_or_sections, 0 if name == "hsplit" and array.ndim == 1 else axis)

    implements(getattr(np, name))(implementation)


for _name, _least_ndim, _axis in (("hsplit", 1, 1), ("vsplit", 2, 0), ("dsplit", 3, 2)):
    _along(_name, _least_ndim, _axis)
