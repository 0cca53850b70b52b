"""Functions that are calls of NumPy itself, on whole arrays: the shape and dtype of what they return are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.functions import METHODS, implements
from transpile.runtime.arrays.numbers import DTYPES
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import COMPLEX128, FLOAT64, INT64, DType

from .arguments import normal_axis
from .factors import several_matrices, solved
from .sequences import as_array


def hosted(
    function: str,
    operands: Sequence[SymbolicArray],
    dims: Sequence[DimLike] | None,
    dtype: DType,
    named: tuple[str, ...] = (),
    **known: Any,
) -> Any:
    """Return what a function of NumPy's gives: an array of `dims`, or a scalar where they are None.

    The last operands are handed over under the names `named`.
    """
    if dtype not in DTYPES:
        recorder().unstageable("S122-dtype", f"numpy.{function} gives {dtype}, which is not compiled")
    result = recorder().emit(
        "numpy",
        *(operand.read() for operand in operands),
        function=function,
        known=tuple(known.items()),
        dims=() if dims is None else tuple(dims),
        dtype=np.dtype(dtype),
        scalar=dims is None,
        **({"named": named} if named else {}),
    )
    return fresh(result)


def _refuse(function: str, what: str) -> None:
    recorder().unstageable("S147-hosted", f"numpy.{function} {what}")


def _inexact(array: SymbolicArray) -> DType:
    """Return the dtype in which NumPy's linear algebra computes."""
    return array.dtype if array.dtype.kind in "fc" else FLOAT64


# -- sorting ------------------------------------------------------------------------------------------------------


def _sorting(function: str, array: Any, axis: Any, kind: Any, options: dict[str, Any]) -> Any:
    array = as_array(array)
    if axis is None or any(value is not None for value in options.values()) or not array.ndim:
        _refuse(function, "with these arguments")
    if array.type.order is not None or not array.contiguous:
        array = as_array(array, copy=True, order="C") if function == "argsort" else array
    place = normal_axis(axis, array.ndim)
    dtype = INT64 if function == "argsort" else array.dtype
    return hosted(function, [array], array.dims, dtype, axis=place, kind=kind)


@implements(np.sort)
def sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    """Stand for `numpy.sort`."""
    array = as_array(a)
    if array.type.order is not None or not array.contiguous:
        # The copy that it sorts has the order of the array in memory, which a result of a call has not.
        _refuse("sort", "of an array that is not in C order")
    return _sorting("sort", array, axis, kind, {"order": order, "stable": stable})


@implements(np.argsort, method="argsort")
def argsort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    """Stand for `numpy.argsort`."""
    return _sorting("argsort", a, axis, kind, {"order": order, "stable": stable})


def sort_in_place(
    array: SymbolicArray, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None
) -> None:
    """Stand for `ndarray.sort`."""
    array.write(_sorting("sort", array, axis, kind, {"order": order, "stable": stable}).read())


METHODS["sort"] = sort_in_place


@implements(np.searchsorted)
def searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Any:
    """Stand for `numpy.searchsorted`."""
    array, wanted = as_array(a), as_array(v)
    if sorter is not None or array.dtype != wanted.dtype or array.ndim != 1:
        _refuse("searchsorted", "with a sorter, or for another dtype than the array's")
    return hosted("searchsorted", [array, wanted], wanted.dims or None, INT64, side=side)


METHODS["searchsorted"] = searchsorted


@implements(np.interp)
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    """Stand for `numpy.interp`."""
    operands = [as_array(operand) for operand in (x, xp, fp)]
    if (
        left is not None
        or right is not None
        or period is not None
        or any(o.dtype.kind == "c" for o in operands)
    ):
        _refuse("interp", "with left, right or period, or of complex numbers")
    return hosted("interp", operands, operands[0].dims or None, FLOAT64)


@implements(np.median)
def median(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False
) -> Any:
    """Stand for `numpy.median`."""
    array = as_array(a)
    if out is not None or overwrite_input or keepdims or array.dtype.kind not in "iuf" or not array.ndim:
        _refuse("median", "with out, overwrite_input or keepdims, or of other than real numbers")
    dims: list[DimLike] | None = None
    if axis is not None:
        place = normal_axis(axis, array.ndim)
        dims = [dim for p, dim in enumerate(array.dims) if p != place] or None
        axis = place
    return hosted("median", [array], dims, _inexact(array), axis=axis)


# -- linear algebra -----------------------------------------------------------------------------------------------


def _matrix(function: str, a: Any) -> SymbolicArray:
    array: SymbolicArray = as_array(a)
    if array.ndim < 2:
        _refuse(f"linalg.{function}", "of other than matrices")
    recorder().assume_equal(*array.dims[-2:])
    return array


@implements(np.linalg.inv)
def inv(a: Any) -> Any:
    """Stand for `numpy.linalg.inv`."""
    array = _matrix("inv", a)
    if array.ndim > 2:
        return several_matrices("inv", array, array.dims)
    return hosted("linalg.inv", [array], array.dims, _inexact(array))


@implements(np.linalg.cholesky)
def cholesky(a: Any, /, *, upper: Any = False) -> Any:
    """Stand for `numpy.linalg.cholesky`."""
    array = _matrix("cholesky", a)
    if array.ndim > 2:
        return several_matrices("cholesky", array, array.dims, upper=bool(upper))
    return hosted("linalg.cholesky", [array], array.dims, _inexact(array), upper=bool(upper))


@implements(np.linalg.det)
def det(a: Any) -> Any:
    """Stand for `numpy.linalg.det`."""
    array = _matrix("det", a)
    if array.ndim > 2:
        return several_matrices("det", array, array.dims[:-2])
    return hosted("linalg.det", [array], None, _inexact(array))


@implements(np.linalg.solve)
def solve(a: Any, b: Any) -> Any:
    """Stand for `numpy.linalg.solve`."""
    array, right = _matrix("solve", a), as_array(b)
    if array.ndim > 2:
        return solved(array, right)
    if right.ndim not in (1, 2):
        _refuse("linalg.solve", "for other than a vector or a matrix")
    recorder().assume_equal(array.dims[0], right.dims[0])
    dtype = np.result_type(_inexact(array), _inexact(right))
    return hosted("linalg.solve", [array, right], right.dims, dtype)


@implements(np.linalg.eigvalsh)
def eigvalsh(a: Any, UPLO: Any = "L") -> Any:
    """Stand for `numpy.linalg.eigvalsh`."""
    array = _matrix("eigvalsh", a)
    if array.ndim > 2:
        return several_matrices("eigvalsh", array, array.dims[:-1], UPLO=UPLO)
    dtype = _inexact(array)
    real = np.empty(0, dtype).real.dtype
    return hosted("linalg.eigvalsh", [array], array.dims[:1], real, UPLO=UPLO)


# -- transforms ---------------------------------------------------------------------------------------------------


def _transform(name: str, length: Callable[[DimLike], DimLike], gives: str) -> Callable[..., Any]:
    function = getattr(np.fft, name)

    @implements(function)
    def transform(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
        array = as_array(a)
        if (
            n is not None
            or out is not None
            or not array.ndim
            or normal_axis(axis, array.ndim) != array.ndim - 1
        ):
            _refuse(f"fft.{name}", "with n or out, or along another axis than the last")
        if array.dtype.kind == "f" and array.dtype.itemsize < 4:
            _refuse(f"fft.{name}", "of float16")
        single = array.dtype in (np.dtype(np.float32), np.dtype(np.complex64))
        dtype = np.dtype(np.complex64) if single else COMPLEX128
        value = array
        if name == "rfft" and array.dtype.kind == "c":
            _refuse("fft.rfft", "of complex numbers")
        if gives == "real":
            dtype = np.empty(0, dtype).real.dtype
        dims = (*array.dims[:-1], recorder().normal(length(array.dims[-1])))
        return hosted(f"fft.{name}", [value], dims, dtype, norm=norm)

    transform.__doc__ = f"Stand for `numpy.fft.{name}`."
    return transform


for _name in ("fft", "ifft"):
    _transform(_name, lambda size: size, "complex")


@implements(np.convolve)
def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    """Stand for `numpy.convolve`."""
    return _slide("convolve", a, v, mode)


@implements(np.correlate)
def correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    """Stand for `numpy.correlate`."""
    return _slide("correlate", a, v, mode)


def _slide(function: str, a: Any, v: Any, mode: Any) -> Any:
    one, other = as_array(a), as_array(v)
    if one.ndim != 1 or other.ndim != 1 or mode not in ("full", "valid", "same"):
        _refuse(function, "of other than vectors")
    # NumPy slides the shorter along the longer.
    if not recorder().speculate(one.dims[0] - other.dims[0]):
        _refuse(function, "with a longer second operand")
    recorder().assume_nonnegative(other.dims[0] - 1)
    n, m = one.dims[0], other.dims[0]
    size = {"full": n + m - 1, "valid": n - m + 1, "same": n}[mode]
    dtype = np.result_type(one.dtype, other.dtype)
    if dtype.kind == "b":
        _refuse(function, "of truths")
    return hosted(function, [one, other], (recorder().normal(size),), dtype, mode=mode)
