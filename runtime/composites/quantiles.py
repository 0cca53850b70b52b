"""Medians and quantiles, and what passes over NaN that is written with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.elementwise import apply
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.numbers import as_scalar, lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import INT64

from .arguments import NOTHING, is_given, normal_axes
from .calls import Part, called_once, dtype_of_call, known_integer, refuse
from .reductions import reduce
from .sequences import as_array


def known_axes(axis: Any, ndim: int) -> Any:
    """Return `axis=` as NumPy takes it, with all numbers known; NumPy's AxisError where one is out of range."""
    if axis is None:
        return None
    if isinstance(axis, (tuple, list)):
        found = tuple(map(known_integer, axis))
        normal_axes(found, ndim)
        return found
    found_one = known_integer(axis)
    normal_axes(found_one, ndim)
    return found_one


def reduced_dims(array: SymbolicArray, axis: Any, keepdims: Any) -> tuple[DimLike, ...]:
    """Return the dims of what is left of an array when axes are reduced."""
    axes = normal_axes(axis, array.ndim)
    kept = bool(is_given(keepdims, False) and keepdims)
    return tuple(1 if p in axes else dim for p, dim in enumerate(array.dims) if kept or p not in axes)


def _options(array: SymbolicArray, axis: Any, keepdims: Any) -> dict[str, Any]:
    given = {"keepdims": True} if is_given(keepdims, False) and keepdims else {}
    return {"axis": known_axes(axis, array.ndim), **given}


def some_missing(array: SymbolicArray, axis: Any, least: int, what: str) -> None:
    """Leave a call to the original where fewer than `least` elements of a slice are not NaN, of which NumPy warns."""
    if array.dtype.kind not in "fc":
        return
    there = apply("logical_not", apply("isnan", array))
    count = reduce("add", there, axis, INT64)
    few = apply("less", count, np.int64(least))
    any_few = reduce("logical_or", few, None) if isinstance(few, SymbolicArray) else few
    recorder().deoptimise_if(lift(any_few), what)


def _real(function: str, a: Any, *refused: Any) -> SymbolicArray:
    array: SymbolicArray = as_array(a)
    if any(is_given(option, False) and option is not None for option in refused):
        refuse(function, "with out=, overwrite_input= or weights=")
    if array.dtype.kind not in "iuf" or not array.ndim:
        refuse(function, "of other than real numbers in an array")
    return array


def _of_middle(function: str) -> None:
    def middle(
        a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False
    ) -> Any:
        array = _real(function, a, out, overwrite_input)
        options = _options(array, axis, keepdims)
        if function == "nanmedian":
            some_missing(array, options["axis"], 1, "a slice is all NaN")
        part = Part(reduced_dims(array, options["axis"], keepdims), dtype_of_call(function, array))
        return called_once(function, [array], part, certain=not part.dims, **options)

    implements(getattr(np, function))(middle)


def _of_quantiles(function: str) -> None:
    def quantile(
        a: Any,
        q: Any,
        axis: Any = None,
        out: Any = None,
        overwrite_input: Any = False,
        method: Any = "linear",
        keepdims: Any = False,
        *,
        weights: Any = None,
    ) -> Any:
        array = _real(function, a, out, overwrite_input, weights)
        options = _options(array, axis, keepdims)
        if not isinstance(method, str):
            refuse(function, "with a method that run time gives")
        if function.startswith("nan"):
            some_missing(array, options["axis"], 1, "a slice is all NaN")
        share = as_array(q) if isinstance(q, (list, tuple)) else q
        several = share.dims if isinstance(share, SymbolicArray) else ()
        dtype = _quantile_dtype(function, array, share, method)
        part = Part((*several, *reduced_dims(array, options["axis"], keepdims)), dtype)
        return called_once(
            function,
            [array, share],
            part,
            certain=len(part.dims) < 2 and axis is None,
            method=method,
            **options,
        )

    implements(getattr(np, function))(quantile)


def _quantile_dtype(function: str, array: SymbolicArray, share: Any, method: str) -> np.dtype[Any]:
    value = as_scalar(lift(share)).type
    weak = isinstance(share, SymbolicScalar) and share.weak
    zero = np.zeros((), value.dtype)  # type: ignore[union-attr]
    given = zero.item() if weak or isinstance(share, (int, float)) else zero[None]
    result = getattr(np, function)(np.ones(1, array.dtype), given, method=method)
    return np.asarray(result).dtype


for _function in ("median", "nanmedian"):
    _of_middle(_function)
for _function in ("quantile", "percentile", "nanquantile", "nanpercentile"):
    _of_quantiles(_function)


def _spread(function: str) -> None:
    def spread(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: Any = NOTHING,
        **refused: Any,
    ) -> Any:
        array = _real(function, a, out, dtype)
        if any(is_given(option, True) for option in refused.values()) or not isinstance(ddof, (int, float)):
            refuse(function, "with where=, mean= or correction=")
        options = _options(array, axis, keepdims)
        some_missing(array, options["axis"], int(ddof) + 1, "the variance of too few elements")
        dims = reduced_dims(array, options["axis"], keepdims)
        part = Part(dims, dtype_of_call(function, array))
        return called_once(function, [array], part, ddof=ddof, **options)

    implements(getattr(np, function))(spread)


for _function in ("nanvar", "nanstd"):
    _spread(_function)
