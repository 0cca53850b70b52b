"""What looks at the bits of numbers: packed truths, bytes swapped, numbers of one dtype seen as those of another."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar
from transpile.runtime.arrays.elementwise import operate
from transpile.runtime.arrays.functions import METHODS, implements
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.dim import DimLike, product

from .arguments import as_dtype, normal_axis
from .calls import Part, called_once, refuse
from .layout import kept_order
from .memory import field
from .sequences import as_array

_BYTES = np.dtype(np.uint8)


@implements(np.packbits)
def packbits(a: Any, /, axis: Any = None, bitorder: Any = "big") -> Any:
    """Stand for `numpy.packbits`."""
    return _packed("packbits", as_array(a), axis, lambda dim: (dim + 7, 8), bitorder=bitorder)


@implements(np.unpackbits)
def unpackbits(a: Any, /, axis: Any = None, count: Any = None, bitorder: Any = "big") -> Any:
    """Stand for `numpy.unpackbits`."""
    if count is not None:
        refuse("unpackbits", "of so many bits")
    return _packed("unpackbits", as_array(a), axis, lambda dim: (8 * dim, 1), bitorder=bitorder)


def _packed(function: str, array: SymbolicArray, axis: Any, length: Any, **known: Any) -> Any:
    """Return what a function gives whose length along an axis, or in all, is a quotient."""
    if not array.ndim:
        refuse(function, "of a number")
    dims: tuple[DimLike, ...] = array.dims
    if axis is None:
        dims, place = (product(dims),), 0
    else:
        place = normal_axis(axis, array.ndim)
        known["axis"] = place
    over, by = length(dims[place])
    quotient = as_dim(operate("floor_divide", dim_scalar(recorder().normal(over)), by))
    part = Part((*dims[:place], quotient, *dims[place + 1 :]), _BYTES)
    return called_once(function, [array], part, **known)


@implements(method="byteswap")
def byteswap(array: Any, inplace: Any = False) -> Any:
    """Stand for `array.byteswap()`."""
    if not isinstance(array, SymbolicArray):
        refuse("byteswap", "of a number")
    part = Part(array.dims, array.dtype, kept_order(array), number=False)
    swapped = called_once("ndarray.byteswap", [array], part)
    if not inplace:
        return swapped
    array.write(swapped.read())
    return array


@implements(method="getfield")
def getfield(array: Any, dtype: Any, offset: Any = 0) -> Any:
    """Stand for `array.getfield()`, a view."""
    wanted, own = as_dtype(dtype), array.type.dtype
    if isinstance(array, SymbolicArray) and wanted.itemsize < own.itemsize and type(offset) is int:
        return field(array, wanted, offset)
    if wanted.itemsize != own.itemsize or offset != 0:
        refuse("getfield", "of a part of a number")
    return METHODS["view"](array, dtype)


@implements(method="setfield")
def setfield(array: Any, val: Any, dtype: Any, offset: Any = 0) -> None:
    """Stand for `array.setfield()`, of whole numbers."""
    getfield(array, dtype, offset)[...] = val
