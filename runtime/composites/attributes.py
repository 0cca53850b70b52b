"""Attributes of arrays and NumPy scalars."""

from __future__ import annotations

from typing import Any

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh, size
from transpile.runtime.arrays.functions import attribute_of, implements
from transpile.runtime.arrays.recorder import recorder

import numpy as np


@attribute_of("shape")
def shape(array: Any) -> tuple[Any, ...]:
    """Stand for `array.shape`."""
    return tuple(map(dim_scalar, array.dims)) if isinstance(array, SymbolicArray) else ()


@attribute_of("size")
def size_of(array: Any) -> Any:
    """Stand for `array.size`."""
    return dim_scalar(size(array)) if isinstance(array, SymbolicArray) else 1


@attribute_of("T")
def transposed(array: Any) -> Any:
    """Stand for `array.T`."""
    return (
        array.view(array.whole().transpose(tuple(reversed(range(array.ndim)))))
        if isinstance(array, SymbolicArray)
        else array
    )


@attribute_of("itemsize")
def itemsize(array: Any) -> int:
    """Stand for `array.itemsize`."""
    return int(dtype(array).itemsize)


@attribute_of("dtype")
def dtype(array: Any) -> Any:
    """Stand for `scalar.dtype`."""
    return array.dtype if isinstance(array, SymbolicArray) else array.type.dtype


@attribute_of("ndim")
def ndim(array: Any) -> int:
    """Stand for `scalar.ndim`."""
    return array.ndim if isinstance(array, SymbolicArray) else 0


@implements(np.copy, method="copy")
def copy(array: Any, order: Any = "C", subok: Any = False) -> Any:
    """Stand for `array.copy()`."""
    if not isinstance(array, SymbolicArray):
        return array
    return fresh(recorder().emit("copy", array.read(), order=None if order == "C" else array.type.order))
