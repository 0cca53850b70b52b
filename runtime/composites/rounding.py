"""Rounding to decimals."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.elementwise import apply
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.numbers import as_scalar, cast, lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar

from .copies import copy_method
from .layout import is_packed, reversed_axes
from .routines import check_out, stored
from .sequences import as_array, copied
from .ufuncs import ufunc_call


@implements(np.round, np.around, method="round")
def round_(a: Any, decimals: Any = 0, out: Any = None) -> Any:
    """Stand for `numpy.round` and the method."""
    digits = decimals.__index__()
    if isinstance(out, tuple):
        raise recorder().unsure(TypeError("output must be an array"))
    is_scalar = isinstance(a, SymbolicScalar)
    array = a if is_scalar and not a.weak else as_array(a)
    dtype = array.type.dtype
    if dtype.kind == "c" or dtype == np.bool:
        recorder().unstageable("S183-round", f"numpy.round of {dtype}")
    if out is not None and (dtype.kind == "f" or digits < 0):
        return _rounded_into(out, array, digits)
    result: Any
    if dtype.kind in "iu":
        result = _rounded_integers(array, digits)
    elif digits == 0:
        result = apply("rint", array)
    else:
        power = _power(abs(digits))
        array = _turned(array)
        first, last = ("multiply", "divide") if digits > 0 else ("divide", "multiply")
        result = apply(last, apply("rint", apply(first, array, power)), power)
    return result if out is None else stored("round", out, result)


def _rounded_into(out: Any, array: Any, digits: int) -> Any:
    """Round into `out`, which holds what is computed in between, with what its dtype loses of it."""
    check_out("round", out, array.dims if isinstance(array, SymbolicArray) else ())
    if digits == 0:
        return ufunc_call(np.rint, "__call__", array, out=out)
    power = _power(abs(digits))
    first, last = (np.multiply, np.divide) if digits > 0 else (np.divide, np.multiply)
    scaled = ufunc_call(first, "__call__", array, power, out=out)
    return ufunc_call(last, "__call__", ufunc_call(np.rint, "__call__", scaled, out=out), power, out=out)


def _turned(array: Any) -> Any:
    """Return an array in C order, unless it is packed in Fortran's: NumPy rounds to decimals into one or the other."""
    if not isinstance(array, SymbolicArray) or array.type.order is None:
        return array
    packed = is_packed(reversed_axes(array))
    if packed is None:
        recorder().unstageable(
            "S185-order", "numpy.round of an array whose strides run time decides", "use a copy"
        )
    return array if packed else copied(array, "C")


def _power(digits: int) -> float:
    """Return a power of ten as NumPy computes it, by one product after the other, which round from the 23rd on."""
    power = 1.0
    for _ in range(min(digits, 309)):
        power *= 10.0
    return power


def _rounded_integers(array: Any, digits: int) -> Any:
    """Round integers, which only negative decimals change."""
    if digits >= 0:
        return copy_method(array, "K") if isinstance(array, SymbolicArray) and array.ndim else _scalar(array)
    power = _power(-digits)
    rounded = apply("multiply", apply("rint", apply("divide", array, power)), power)
    return fresh(cast(lift(rounded), array.type.dtype))


def _scalar(array: Any) -> Any:
    return SymbolicScalar(as_scalar(lift(array)))
