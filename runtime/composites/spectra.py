"""Fourier transforms."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar
from transpile.runtime.arrays.elementwise import operate
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.numbers import raise_if
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.dim import DimLike

from .arguments import normal_axis
from .calls import Part, called_once, known_integer, refuse
from .layout import kept_order
from .routines import stored
from .sequences import as_array

# How many numbers a transform gives of so many, or of as many as `n=` asks for.
_HALVED, _DOUBLED = ("rfft", "ihfft"), ("irfft", "hfft")


def _length(kind: str, size: DimLike, asked: bool) -> DimLike:
    """Return how many numbers a transform gives along its last axis; `asked` for so many, or of so many."""
    if kind in _HALVED:
        return 1 + as_dim(operate("floor_divide", dim_scalar(size), 2))
    if kind in _DOUBLED:
        return size if asked else 2 * (size - 1)
    return size


def _checked(function: str, a: Any) -> SymbolicArray:
    array: SymbolicArray = as_array(a)
    if not array.ndim:
        refuse(function, "of a number")
    if array.dtype.kind == "c" and function.split(".")[1] in ("rfft", "ihfft", "rfft2", "rfftn"):
        refuse(function, "of complex numbers")
    return array


def _dtype(kind: str, array: SymbolicArray, alone: bool = True) -> np.dtype[Any]:
    """Return the dtype of a transform: of the width that the numbers have, or double. That of float16 to real numbers, where it stands `alone`, gives float16 again."""
    if kind in _DOUBLED and alone and array.dtype == np.float16:
        return array.dtype
    single = array.dtype in (np.dtype(np.float32), np.dtype(np.complex64), np.dtype(np.float16))
    if kind in _DOUBLED:
        return np.dtype(np.float32 if single else np.float64)
    return np.dtype(np.complex64 if single else np.complex128)


def _of_some(function: str, length: DimLike) -> DimLike:
    """Return a length that is speculated to be positive; NumPy says what is wrong with others."""
    if not recorder().speculate(length - 1):
        refuse(function, "of nothing")
    return length


def _stored(function: str, out: Any, found: Any) -> Any:
    """Return `out`, of the dtype of what was found, with that in it."""
    if not isinstance(out, SymbolicArray) or out.dtype != found.dtype:
        refuse(function, "with out= of another dtype")
    return stored(function, out, found)


def _transform(kind: str) -> None:
    function = f"fft.{kind}"

    def transform(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
        array = _checked(function, a)
        if not isinstance(norm, (str, type(None))):
            refuse(function, "with norm= of run time")
        along = normal_axis(axis, array.ndim)
        size = array.dims[along] if n is None else as_dim(n)
        if n is not None and not recorder().assume_nonnegative(size - 1):
            raise_if(
                dim_scalar(size) < 1,
                lambda number: ValueError(f"Invalid number of FFT data points ({number}) specified."),
                dim_scalar(size),
            )
        length = _of_some(function, recorder().normal(_length(kind, size, n is not None)))
        dims = (*array.dims[:along], length, *array.dims[along + 1 :])
        part = Part(dims, _dtype(kind, array), kept_order(array))
        if array.ndim == 1 and part.dtype == np.complex128 and kind in ("fft", "ifft"):
            # The loop that transforms takes complex numbers alone.
            array = as_array(array, part.dtype)
        if n is None:
            found = called_once(function, [array], part, certain=array.contiguous, axis=along, norm=norm)
        else:
            found = called_once(function, [array, n], part, named=("n",), axis=along, norm=norm)
        return found if out is None else _stored(function, out, found)

    implements(getattr(np.fft, kind))(transform)


def _transform_of_axes(kind: str, one: str, axes_known: tuple[int, ...] | None) -> None:
    function = f"fft.{kind}"

    def transform(a: Any, s: Any = None, axes: Any = axes_known, norm: Any = None, out: Any = None) -> Any:
        array = _checked(function, a)
        if s is not None or out is not None or not isinstance(norm, (str, type(None))):
            refuse(function, "with s= or out=")
        places = (
            range(array.ndim) if axes is None else [normal_axis(known_integer(x), array.ndim) for x in axes]
        )
        dims = list(array.dims)
        last = places[-1]
        dims[last] = _of_some(function, recorder().normal(_length(one, dims[last], False)))
        part = Part(tuple(dims), _dtype(one, array, len(places) == 1), kept_order(array))
        return called_once(function, [array], part, axes=tuple(places), norm=norm)

    implements(getattr(np.fft, kind))(transform)


for _kind in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    _transform(_kind)
for _stem in ("fft", "ifft", "rfft", "irfft"):
    _transform_of_axes(f"{_stem}2", _stem, (-2, -1))
    _transform_of_axes(f"{_stem}n", _stem, None)
