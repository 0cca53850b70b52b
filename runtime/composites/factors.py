"""Factors of matrices: QR, singular values, eigenvalues, and what is found by them."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.elementwise import apply
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.numbers import lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import COMPLEX128

from .arguments import normal_axes
from .calls import Part, called, called_once, dtype_of_call, dtypes_of, known_integer, refuse
from .reductions import reduce
from .sequences import as_array

# What NumPy gives the factors in.
_QR, _SVD, _EIGH = (type(f(np.eye(1))) for f in (np.linalg.qr, np.linalg.svd, np.linalg.eigh))
_SLOGDET: Any = type(np.linalg.slogdet(np.eye(1)))


def matrices(function: str, a: Any) -> SymbolicArray:
    """Return an array of matrices; NumPy's LinAlgError where it has too few axes."""
    array: SymbolicArray = as_array(a)
    if array.ndim < 2:
        raise np.linalg.LinAlgError(
            f"{array.ndim}-dimensional array given. Array must be at least two-dimensional"
        )
    if array.dtype == np.float16:
        refuse(f"linalg.{function}", "of float16")
    return array


def least(one: DimLike, other: DimLike) -> DimLike:
    """Return the smaller of two dims."""
    record = recorder()
    if record.same(one, other) or record.bounds.nonnegative(other - one):
        return one
    if record.bounds.nonnegative(one - other):
        return other
    return record.dim(record.emit("minimum", record.dim_value(one), record.dim_value(other)))


def square(array: SymbolicArray) -> DimLike:
    recorder().assume_equal(*array.dims[-2:])
    return array.dims[-1]


def _fortran(array: SymbolicArray) -> tuple[int, ...] | None:
    """Return the order of a matrix that is computed in a copy of its own order."""
    return array.type.order if array.ndim == 2 else None


def _turned(rank: int) -> tuple[int, ...]:
    """Return the order of matrices that lie column by column."""
    return (*range(rank - 2), rank - 1, rank - 2)


@implements(np.linalg.qr)
def qr(a: Any, mode: Any = "reduced") -> Any:
    """Stand for `numpy.linalg.qr`."""
    array = matrices("qr", a)
    if mode not in ("reduced", "complete", "r"):
        refuse("linalg.qr", f"with mode={mode!r}")
    *batch, rows, columns = array.dims
    inner = rows if mode == "complete" else least(rows, columns)
    dtype = dtypes_of("linalg.qr", [array], mode="r")[0]
    upper = Part((*batch, inner, columns), dtype, _fortran(array))
    if mode == "r":
        return called_once("linalg.qr", [array], upper, mode=mode)
    upper = Part((*batch, inner, columns), dtype)
    return _QR(*called("linalg.qr", [array], [Part((*batch, rows, inner), dtype), upper], mode=mode))


@implements(np.linalg.svd)
def svd(a: Any, full_matrices: Any = True, compute_uv: Any = True, hermitian: Any = False) -> Any:
    """Stand for `numpy.linalg.svd`."""
    array = matrices("svd", a)
    if hermitian:
        square(array)
        if not compute_uv:
            values = apply("absolute", FUNCTIONS[np.linalg.eigvalsh](array))
            return FUNCTIONS[np.sort](values)[..., ::-1]
    *batch, rows, columns = array.dims
    inner = least(rows, columns)
    known: dict[str, Any] = {"full_matrices": bool(full_matrices), "hermitian": bool(hermitian)}
    if not compute_uv:
        dtype = dtype_of_call("linalg.svdvals", array)
        return called_once("linalg.svd", [array], Part((*batch, inner), dtype), compute_uv=False, **known)
    left, middle, right = dtypes_of("linalg.svd", [array])
    m, n = (rows, columns) if full_matrices else (inner, inner)
    parts = [
        Part((*batch, rows, m), left),
        Part((*batch, inner), middle),
        # Of eigenvectors it is made by turning them.
        Part((*batch, n, columns), right, _turned(array.ndim) if hermitian else None),
    ]
    return _SVD(*called("linalg.svd", [array], parts, certain=array.ndim == 2, **known))


@implements(np.linalg.svdvals)
def svdvals(x: Any, /) -> Any:
    """Stand for `numpy.linalg.svdvals`."""
    return svd(x, compute_uv=False)


@implements(np.linalg.eigh)
def eigh(a: Any, UPLO: Any = "L") -> Any:
    """Stand for `numpy.linalg.eigh`."""
    array = matrices("eigh", a)
    square(array)
    values, vectors = dtypes_of("linalg.eigh", [array])
    parts = [Part(array.dims[:-1], values), Part(array.dims, vectors)]
    return _EIGH(*called("linalg.eigh", [array], parts, certain=array.ndim == 2, UPLO=UPLO))


def complex_eigen(name: str, array: SymbolicArray) -> tuple[Any, ...]:
    """Return what LAPACK gives for matrices that are not symmetric, always in complex numbers; the original runs a call where it fails."""
    signature = f"{'D' if array.dtype.kind == 'c' else 'd'}->{'D' if name == 'eigvals' else 'DD'}"
    dims = (array.dims[:-1],) if name == "eigvals" else (array.dims[:-1], array.dims)
    finite = apply("isfinite", array)
    recorder().deoptimise_if(
        lift(apply("logical_not", reduce("logical_and", finite, None))), "a matrix is not finite"
    )
    parts = [Part(part, COMPLEX128) for part in dims]
    found = called(f"linalg._umath_linalg.{name}", [array], parts, certain=True, signature=signature)
    failed = reduce("logical_or", apply("isnan", found[0]), None)
    recorder().deoptimise_if(lift(failed), "eigenvalues do not converge")
    return found


def _is_for_polyfit() -> bool:
    """Whether `numpy.polyfit` asks: without residuals it warns, or it raises, which the original does."""
    calls = recorder().calls
    return bool(calls) and calls[-1][0] is np.polyfit.__wrapped__.__code__  # type: ignore[attr-defined]


@implements(np.linalg.lstsq)
def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    """Stand for `numpy.linalg.lstsq`."""
    array, right = as_array(a), as_array(b)
    if array.ndim != 2 or right.ndim not in (1, 2):
        refuse("linalg.lstsq", "of other than a matrix, and a vector or matrix")
    recorder().assume_equal(array.dims[0], right.dims[0])
    rows, columns = array.dims
    solution, residuals, rank, values = dtypes_of("linalg.lstsq", [array, right])
    several = right.dims[1:]
    parts = [
        Part((columns, *several), solution),
        Part(several or (1,), residuals, counted=not _is_for_polyfit()),
        Part((), rank),
        Part((least(rows, columns),), values),
    ]
    operands, named = _optional([array, right], rcond=rcond)
    return called("linalg.lstsq", operands, parts, named=named)


def _optional(operands: list[Any], **options: Any) -> tuple[list[Any], tuple[str, ...]]:
    """Return operands with the options behind them that are not None, and the names of those."""
    given = {name: option for name, option in options.items() if option is not None}
    return [*operands, *given.values()], tuple(given)


@implements(np.linalg.pinv)
def pinv(a: Any, rcond: Any = None, hermitian: Any = False, *, rtol: Any = np._NoValue) -> Any:
    """Stand for `numpy.linalg.pinv`."""
    array = matrices("pinv", a)
    if rtol is not np._NoValue:
        refuse("linalg.pinv", "with rtol")
    *batch, rows, columns = array.dims
    if array.ndim == 2 and array.dtype.char in "dD" and type(rcond) in (float, type(None)) and not hermitian:
        if all(recorder().assume_nonnegative(dim - 1) for dim in array.dims):
            return _inverse_by_singular_values(array, 1e-15 if rcond is None else rcond)
    dtype = dtype_of_call("linalg.pinv", array)
    operands, named = _optional([array], rcond=rcond)
    part = Part((*batch, columns, rows), dtype)
    return called_once("linalg.pinv", operands, part, named=named, hermitian=bool(hermitian))


def _inverse_by_singular_values(array: SymbolicArray, rcond: float) -> Any:
    """Return what `numpy.linalg.pinv` gives of a matrix of doubles that has elements, as it computes it."""
    left, values, right = svd(
        apply("conjugate", array) if array.dtype.kind == "c" else array, full_matrices=False
    )
    is_large = apply("greater", values, apply("multiply", rcond, reduce("maximum", values, None)))
    select = FUNCTIONS[np.where]
    inverses = select(is_large, apply("divide", 1.0, select(is_large, values, 1.0)), 0.0)
    return FUNCTIONS[np.matmul](right.T, apply("multiply", inverses[:, None], left.T))


@implements(np.linalg.slogdet)
def slogdet(a: Any) -> Any:
    """Stand for `numpy.linalg.slogdet`."""
    array = matrices("slogdet", a)
    square(array)
    sign, size = dtypes_of("linalg.slogdet", [array])
    dims = array.dims[:-2]
    return _SLOGDET(
        *called("linalg.slogdet", [array], [Part(dims, sign), Part(dims, size)], certain=not dims)
    )


@implements(np.linalg.cond)
def cond(x: Any, p: Any = None) -> Any:
    """Stand for `numpy.linalg.cond`."""
    array = matrices("cond", x)
    if not isinstance(p, (int, float, str, type(None))):
        refuse("linalg.cond", "with an order that run time gives")
    if p not in (None, 2, -2):
        square(array)
    dtype = dtype_of_call("linalg.cond", array)
    part = Part(array.dims[:-2], dtype)
    return called_once("linalg.cond", [array], part, certain=array.ndim == 2, p=p)


@implements(np.linalg.matrix_rank)
def matrix_rank(A: Any, tol: Any = None, hermitian: Any = False, *, rtol: Any = None) -> Any:
    """Stand for `numpy.linalg.matrix_rank`."""
    array = matrices("matrix_rank", A)
    operands, named = _optional([array], tol=tol, rtol=rtol)
    part = Part(array.dims[:-2], np.dtype(np.int64))
    return called_once("linalg.matrix_rank", operands, part, named=named, hermitian=bool(hermitian))


def several_matrices(function: str, array: SymbolicArray, dims: tuple[DimLike, ...], **known: Any) -> Any:
    """Return what a function gives of square matrices that are the last axes of an array."""
    square(array)
    dtype = dtype_of_call(f"linalg.{function}", array, **known)
    return called_once(f"linalg.{function}", [array], Part(dims, dtype), **known)


def solved(array: SymbolicArray, right: SymbolicArray) -> Any:
    """Return what `numpy.linalg.solve` gives of several matrices and right sides of as many axes."""
    square(array)
    if array.ndim != right.ndim:
        refuse("linalg.solve", "for right sides of another number of axes")
    for one, other in zip(array.dims[:-1], right.dims[:-1], strict=True):
        recorder().assume_equal(one, other)
    dtype = dtype_of_call("linalg.solve", array, right)
    return called_once("linalg.solve", [array, right], Part(right.dims, dtype))


def called_norm(array: SymbolicArray, ord: Any, axis: Any, keepdims: Any) -> Any:
    """Return what `numpy.linalg.norm` gives, for orders that it has no short way for."""
    axes = normal_axes(None if axis is None else _axes(axis), array.ndim)
    dims = tuple(
        1 if place in axes else dim for place, dim in enumerate(array.dims) if place not in axes or keepdims
    )
    dtype = np.empty(0, array.dtype).real.dtype
    along = None if axis is None else axes if isinstance(axis, tuple) else axes[0]
    known = {"axis": along, "keepdims": bool(keepdims)}
    if isinstance(ord, (int, float, str, type(None))):
        return called_once("linalg.norm", [array], Part(dims, dtype), certain=not dims, ord=ord, **known)
    return called_once("linalg.norm", [array, ord], Part(dims, dtype), named=("ord",), **known)


def _axes(axis: Any) -> Any:
    return tuple(map(known_integer, axis)) if isinstance(axis, tuple) else known_integer(axis)
