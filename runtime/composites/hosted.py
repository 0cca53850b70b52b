"""Functions that are calls of NumPy itself, on whole arrays: the shape and dtype of what they return are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.functions import METHODS, implements
from transpile.runtime.arrays.numbers import DTYPES, lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import COMPLEX128, FLOAT64, INT64, DType

from .arguments import NOTHING, is_zero, normal_axis
from .calls import Part, called_once
from .factors import least, matrices, several_matrices, solved, square
from .layout import kept_order
from .reshaping import ravel
from .sequences import as_array


def hosted(
    function: str,
    operands: Sequence[Any],
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
        *(operand.read() if isinstance(operand, SymbolicArray) else lift(operand) for operand in operands),
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


def _sorting(
    function: str, array: Any, axis: Any, kind: Any, order: Any, stable: Any, descending: Any
) -> Any:
    if descending is not NOTHING:
        # Before 2.5, NumPy raises its own error.
        getattr(np, function)([0], descending=True)
        _refuse(function, "with descending=")
    array = as_array(array)
    if axis is None:
        array, axis = ravel(array), -1
    if stable is not None:
        if kind is not None:
            raise ValueError(
                "`kind` and keyword parameters can't be provided at the same time. Use only one of them."
            )
        kind = "stable" if stable else None
    if order is not None or not array.ndim:
        _refuse(function, "with these arguments")
    if array.type.order is not None or not array.contiguous:
        array = as_array(array, copy=True, order="C") if function == "argsort" else array
    place = normal_axis(axis, array.ndim)
    dtype = INT64 if function == "argsort" else array.dtype
    return hosted(function, [array], array.dims, dtype, axis=place, kind=kind)


@implements(np.sort)
def sort(
    a: Any,
    axis: Any = -1,
    kind: Any = None,
    order: Any = None,
    *,
    stable: Any = None,
    descending: Any = NOTHING,
) -> Any:
    """Stand for `numpy.sort`."""
    array = as_array(a)
    lies_otherwise = array.ndim > 1 and (array.type.order is not None or not array.contiguous)
    if (
        lies_otherwise
        and axis is not None
        and order is None
        and descending is NOTHING
        and (kind is None or stable is None)
    ):
        kind = "stable" if stable else kind
        # The copy that it sorts has the order of the array in memory.
        part = Part(array.dims, array.dtype, kept_order(array))
        return called_once("sort", [array], part, axis=normal_axis(axis, array.ndim), kind=kind)
    return _sorting("sort", array, axis, kind, order, stable, descending)


@implements(np.argsort, method="argsort")
def argsort(
    a: Any,
    axis: Any = -1,
    kind: Any = None,
    order: Any = None,
    *,
    stable: Any = None,
    descending: Any = NOTHING,
) -> Any:
    """Stand for `numpy.argsort`."""
    return _sorting("argsort", a, axis, kind, order, stable, descending)


def sort_in_place(
    array: SymbolicArray,
    axis: Any = -1,
    kind: Any = None,
    order: Any = None,
    *,
    stable: Any = None,
    descending: Any = NOTHING,
) -> None:
    """Stand for `ndarray.sort`."""
    array.write(_sorting("sort", array, axis, kind, order, stable, descending).read())


METHODS["sort"] = sort_in_place


@implements(np.searchsorted)
def searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Any:
    """Stand for `numpy.searchsorted`."""
    array, wanted = as_array(a), as_array(v)
    if array.ndim != 1:
        _refuse("searchsorted", "in other than a vector")
    if sorter is not None:
        operands, named = [array, wanted, as_array(sorter)], ("sorter",)
        return hosted("searchsorted", operands, wanted.dims or None, INT64, named, side=side)
    return hosted("searchsorted", [array, wanted], wanted.dims or None, INT64, side=side)


METHODS["searchsorted"] = searchsorted


@implements(np.interp)
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    """Stand for `numpy.interp`."""
    operands = [as_array(operand) for operand in (x, xp, fp)]
    if any(operand.dtype.kind == "c" for operand in operands[:2]):
        # What NumPy makes of them depends on whether they are arrays, and its numbers or Python's.
        _refuse("interp", "at complex numbers")
    dtype = COMPLEX128 if operands[2].dtype.kind == "c" else FLOAT64
    options = {"left": left, "right": right, "period": period}
    given = {name: option for name, option in options.items() if option is not None}
    return hosted("interp", [*operands, *given.values()], operands[0].dims or None, dtype, tuple(given))


# -- linear algebra -----------------------------------------------------------------------------------------------


def _matrix(function: str, a: Any) -> SymbolicArray:
    array = matrices(function, a)
    square(array)
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


# -- sliding ---------------------------------------------------------------------------------------------------------


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
    n, m = one.dims[0], other.dims[0]
    for dim in (n, m):
        if not recorder().assume_nonnegative(dim - 1):
            recorder().deoptimise_if(is_zero(dim), "one of two vectors is empty")
    if mode == "full":
        size: DimLike = n + m - 1
    else:
        # NumPy slides the shorter along the longer.
        less = least(n, m)
        size = n + m - less if mode == "same" else n + m - 2 * less + 1
    dtype = np.result_type(one.dtype, other.dtype)
    if dtype.kind == "b":
        _refuse(function, "of truths")
    return hosted(function, [one, other], (recorder().normal(size),), dtype, mode=mode)
