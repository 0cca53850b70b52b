"""Attributes of arrays and NumPy scalars."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh, size
from transpile.runtime.arrays.functions import ATTRIBUTES, attribute_of, implements
from transpile.runtime.arrays.indexing import assign
from transpile.runtime.arrays.numbers import lift
from transpile.runtime.arrays.parts import Part
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.strides import strides_of

from .arguments import normal_axis
from .layout import is_packed, reversed_axes
from .scalars import part
from .sequences import as_array
from .ufuncs import ufunc_call


@attribute_of("shape")
def shape(array: Any) -> tuple[Any, ...]:
    """Stand for `array.shape`."""
    return tuple(map(dim_scalar, array.dims)) if isinstance(array, SymbolicArray) else ()


@attribute_of("size")
def size_of(array: Any) -> Any:
    """Stand for `array.size`."""
    return dim_scalar(size(array)) if isinstance(array, SymbolicArray) else 1


@attribute_of("itemsize")
def itemsize(array: Any) -> int:
    """Stand for `array.itemsize`."""
    return int(dtype(array).itemsize)


@attribute_of("nbytes")
def nbytes(array: Any) -> Any:
    """Stand for `array.nbytes`."""
    return size_of(array) * itemsize(array)


@attribute_of("dtype")
def dtype(array: Any) -> Any:
    """Stand for `scalar.dtype`."""
    return array.dtype if isinstance(array, SymbolicArray) else array.type.dtype


@attribute_of("device")
def device(array: Any) -> str:
    """Stand for `array.device`."""
    return "cpu"


@implements(method="to_device")
def to_device(array: Any, device: Any, /, *, stream: Any = None) -> Any:
    """Stand for `array.to_device()`."""
    if stream is not None:
        raise ValueError("The stream argument in to_device() is not supported")
    if device != "cpu":
        raise ValueError(f"Unsupported device: {device}. Only 'cpu' is accepted.")
    return array


@attribute_of("ndim")
def ndim(array: Any) -> int:
    """Stand for `scalar.ndim`."""
    return array.ndim if isinstance(array, SymbolicArray) else 0


@attribute_of("strides")
def strides(array: Any) -> tuple[Any, ...]:
    """Stand for `array.strides`, of memory that is known to have no gaps."""
    if not isinstance(array, SymbolicArray):
        return ()
    found, storage = strides_of(array), array.storage
    # Of an empty one they say nothing, and are what somebody made them.
    if found is None or not all(recorder().speculate(dim - 1) for dim in array.dims):
        recorder().unstageable("S171-strides", "the strides of an array with unknown gaps in memory")
    # So do those along an axis of length 1.
    if storage.input is not None and 1 in storage.dims and not recorder().lies_packed(storage.input):
        recorder().unstageable("S171-strides", "the strides of an array along an axis of length 1")
    return tuple(dim_scalar(stride * array.dtype.itemsize) for stride in found)


@implements(np.shape)
def shape_function(a: Any) -> Any:
    """Stand for `numpy.shape`."""
    return shape(as_array(a))


@implements(np.ndim)
def ndim_function(a: Any) -> Any:
    """Stand for `numpy.ndim`."""
    return as_array(a).ndim


@implements(np.size)
def size_function(a: Any, axis: Any = None) -> Any:
    """Stand for `numpy.size`."""
    array = as_array(a)
    return size_of(array) if axis is None else shape(array)[normal_axis(axis, array.ndim)]


# -- complex numbers ----------------------------------------------------------------------------------------------


def _part(name: str) -> Any:
    def implementation(thing: Any) -> Any:
        if isinstance(thing, SymbolicScalar):
            return part(thing, name)
        if thing.dtype.kind != "c":
            if name == "real":
                return thing
            return _no_imaginary(thing)
        return thing.part(Part(name, np.empty(0, thing.dtype).real.dtype, thing.dtype))

    return implementation


def _no_imaginary(array: SymbolicArray) -> Any:
    """Return the imaginary part of real numbers: zeros in Fortran's order only where they lie so without gaps, which cannot be written."""
    order = None
    if array.type.order is not None:
        turned = is_packed(reversed_axes(array))
        if turned is None:
            recorder().unstageable("S185-order", "the strides at run time decide how .imag lies in memory")
        order = tuple(reversed(range(array.ndim))) if turned else None
    zeros: Any = fresh(recorder().emit("fill", _zero(array.dtype), dims=array.dims, order=order))
    return zeros.locked()


def _zero(dtype: np.dtype[Any]) -> Any:
    return lift(dtype.type(0))


ATTRIBUTES["real"] = _part("real")
ATTRIBUTES["imag"] = _part("imaginary")


def _set_part(array: SymbolicArray, name: str, value: Any) -> None:
    """Do `array.real = value` or `array.imag = value`."""
    if name == "imag" and array.dtype.kind != "c":
        raise TypeError("array does not have imaginary part to set")
    target = ATTRIBUTES[name](array)
    # `z.real += v` ends with storing what was just updated in place.
    if not (isinstance(value, SymbolicArray) and value.shows_same(target)):
        assign(target, value)


# Python looks for the properties on the class before it asks `__getattr__`.
SymbolicArray.real = property(ATTRIBUTES["real"], lambda array, value: _set_part(array, "real", value))  # type: ignore[attr-defined]
SymbolicArray.imag = property(ATTRIBUTES["imag"], lambda array, value: _set_part(array, "imag", value))  # type: ignore[attr-defined]


@implements(np.real)
def real(val: Any) -> Any:
    """Stand for `numpy.real`."""
    return val.real if hasattr(val, "real") else as_array(val).real


@implements(np.imag)
def imag(val: Any) -> Any:
    """Stand for `numpy.imag`."""
    return val.imag if hasattr(val, "imag") else as_array(val).imag


@implements(method="conj")
def conj(array: Any, out: Any = None, /) -> Any:
    """Stand for `array.conj()`: a real one is given back itself."""
    if out is not None:
        return ufunc_call(np.conjugate, "__call__", array, out=out)
    return array if dtype(array).kind != "c" else ufunc_call(np.conjugate, "__call__", array)


implements(method="conjugate")(conj)


@implements(np.angle)
def angle(z: Any, deg: Any = False) -> Any:
    """Stand for `numpy.angle`."""
    array = z if isinstance(z, (SymbolicArray, SymbolicScalar)) else as_array(z)
    is_complex = (array.type.dtype).kind == "c"
    imaginary, real_part = (array.imag, array.real) if is_complex else (0, array)
    result = ufunc_call(np.arctan2, "__call__", imaginary, real_part)
    return result * (180 / np.pi) if deg else result


@implements(np.isreal)
def isreal(x: Any) -> Any:
    """Stand for `numpy.isreal`."""
    return imag(x) == 0


@implements(np.iscomplex)
def iscomplex(x: Any) -> Any:
    """Stand for `numpy.iscomplex`."""
    array = as_array(x)
    if array.dtype.kind == "c":
        return array.imag != 0
    zeros: Any = fresh(recorder().emit("fill", _zero(np.dtype(np.bool)), dims=array.dims))
    return zeros[()]
