"""`reduce` and `reduceat` of ufuncs by NumPy's own routines, of which the dims and dtypes are known while tracing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import INT64, DType
from transpile.runtime.ops.creation import laid_out
from transpile.runtime.quiet import no_warnings

from .arguments import NOTHING, as_dtype, dtype_of, is_given, normal_axis
from .calls import Part, called_once
from .sequences import as_array
from .ufuncs import store_result, truths


def reduced(
    ufunc: np.ufunc,
    source: SymbolicArray,
    axes: tuple[int, ...],
    dtype: DType | None,
    keep: bool,
    initial: Any = NOTHING,
    where: Any = True,
) -> Any:
    """Return what NumPy's own `reduce` gives."""
    known: dict[str, Any] = {"axis": axes}
    known |= {"dtype": dtype} if dtype is not None else {}
    known |= {"keepdims": True} if keep else {}
    if initial is None:
        # No identity to begin with.
        known["initial"], initial = None, NOTHING
    options = {"where": (where, True), "initial": (initial, NOTHING)}
    given = {
        name: truths(option) if name == "where" else as_array(option)
        for name, (option, default) in options.items()
        if is_given(option, default)
    }
    dims: list[DimLike] = [
        1 if place in axes else dim for place, dim in enumerate(source.dims) if keep or place not in axes
    ]
    part = _part(ufunc.reduce, source, (), dims, known, bool(given))
    operands = [source, *given.values()]
    return called_once(f"{ufunc.__name__}.reduce", operands, part, named=tuple(given), **known)


def reduceat(
    ufunc: np.ufunc, array: Any, indices: Any, axis: Any = 0, dtype: Any = None, out: Any = None
) -> Any:
    """Stand for `ufunc.reduceat`."""
    source, places = as_array(array), as_array(indices)
    if not source.ndim:
        # NumPy looks at `axis=` before.
        raise recorder().unsure(TypeError("cannot reduceat on a scalar"))
    if places.ndim != 1 or not np.can_cast(places.dtype, INT64, "same_kind"):
        recorder().unstageable(
            "S143-ufunc", f"numpy.{ufunc.__name__}.reduceat at other than a list of integers"
        )
    place = normal_axis(axis, source.ndim)
    dtype = dtype_of_out(ufunc, source, dtype, out)
    known: dict[str, Any] = {"axis": place} | ({} if dtype is None else {"dtype": as_dtype(dtype)})
    dims = [places.dims[0] if at == place else dim for at, dim in enumerate(source.dims)]
    part = _part(ufunc.reduceat, source, ([0],), dims, known, False)
    result = called_once(f"{ufunc.__name__}.reduceat", [source, places], part, **known)
    return result if out is None else stored(ufunc.__name__, out, result)


def dtype_of_out(ufunc: np.ufunc, source: SymbolicArray, dtype: Any, out: Any) -> Any:
    """Return the dtype that a method of a ufunc computes in: what is asked for, or what `out=` leads to."""
    if dtype is not None or not isinstance(out, SymbolicArray) or ufunc.__name__.startswith("logical"):
        return dtype
    wanted = ufunc.resolve_dtypes((out.dtype, source.dtype, None))[0]
    if wanted != out.dtype and wanted.kind in "fc":
        recorder().unstageable(
            "S144-keyword", f"numpy.{ufunc.__name__} into out= of a dtype to which it casts in between"
        )
    return wanted


def stored(name: str, out: Any, result: Any) -> Any:
    """Store what a method of a ufunc gives in `out=`, which must have the same dims; NumPy says it where that is not so."""
    check_out(name, out, result.dims if isinstance(result, SymbolicArray) else ())
    if isinstance(out, SymbolicArray) and not np.can_cast(dtype_of(result), out.dtype, "same_kind"):
        # Methods of ufuncs cast whatever they give, other functions do not.
        raise recorder().unsure(TypeError(f"numpy.{name} into out= of {out.dtype}"))
    return store_result(name, out, result)


def check_out(name: str, out: Any, dims: Sequence[DimLike]) -> None:
    """Leave a call to NumPy where `out=` has other dims than the result."""
    if isinstance(out, SymbolicArray):
        record = recorder()
        if len(dims) != out.ndim or not all(map(record.assume_equal, dims, out.dims)):
            record.unstageable("S144-keyword", f"numpy.{name} into out= of other dims")


def accumulated(ufunc: np.ufunc, source: SymbolicArray, axis: int, dtype: DType | None) -> Any:
    """Return what NumPy's own `accumulate` gives."""
    known: dict[str, Any] = {"axis": axis} | ({} if dtype is None else {"dtype": dtype})
    part = _part(ufunc.accumulate, source, (), [*source.dims], known, False)
    return called_once(f"{ufunc.__name__}.accumulate", [source], part, **known)


def _part(
    method: Any,
    source: SymbolicArray,
    behind: tuple[Any, ...],
    dims: list[DimLike],
    known: dict[str, Any],
    begins: bool,
) -> Part:
    """Return what a method gives of an array like this: its dtype and order in memory are those of a small one."""
    if source.dtype.kind == "c" and known.get("dtype", source.dtype).kind in "iuf":
        recorder().unstageable(
            "S146-imaginary", "complex numbers are reduced to real ones, of which NumPy warns", "use .real"
        )
    small = laid_out(range(2, 2 + source.ndim), source.dtype, source.type.order)
    small[...] = 1
    with np.errstate(all="ignore"), no_warnings():
        found = method(small, *behind, **known, **({"initial": 1} if begins else {}))
    if not dims:
        return Part((), found.dtype)
    order = tuple(sorted(range(found.ndim), key=lambda axis: -found.strides[axis]))
    return Part(tuple(dims), found.dtype, None if order == tuple(range(found.ndim)) else order)


FUNCTIONS["reduceat"] = reduceat
