"""Arrays with something around them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib import _arraypad_impl

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh
from transpile.runtime.arrays.elementwise import operate
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.graph.dim import DimLike

from .arguments import dtype_of, is_zero
from .calls import Part, called_once, refuse
from .creation import empty_like_dims
from .factors import least
from .sequences import as_array

_internals: Any = _arraypad_impl
_STATISTICS = {"maximum": np.amax, "minimum": np.amin, "mean": np.mean, "median": np.median}
# The option of each mode that is not called of NumPy.
_OPTIONS = dict.fromkeys(_STATISTICS, "stat_length") | {
    "constant": "constant_values", "linear_ramp": "end_values", "reflect": "reflect_type", "symmetric": "reflect_type",
    "edge": "", "wrap": "", "empty": "",
}  # fmt: skip


@implements(np.pad)
def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    """Stand for `numpy.pad`: what is around is put there axis by axis, the axes behind it only as long as the array is."""
    source = as_array(array)
    if not isinstance(mode, str) or kwargs.keys() - {_OPTIONS.get(mode)}:
        refuse("pad", "with a function, or with an option of another mode")
    if not source.ndim:
        refuse("pad", "of a number")
    pairs = [tuple(map(_width, pair)) for pair in _pairs(pad_width, source.ndim)]
    if mode not in ("constant", "empty"):
        for dim in source.dims:
            if not recorder().assume_nonnegative(dim - 1):
                recorder().deoptimise_if(is_zero(dim), "nothing is padded")
    if kwargs.get("reflect_type", "even") != "even":
        return _called(source, pad_width, pairs, mode, kwargs)
    dims = tuple(dim + before + behind for dim, (before, behind) in zip(source.dims, pairs, strict=True))
    result = empty_like_dims(tuple(map(recorder().normal, dims)), source.dtype, _order(source))
    inner = tuple(_span(pair[0], pair[0] + dim) for dim, pair in zip(source.dims, pairs, strict=True))
    result[inner] = source
    if mode == "empty":
        return result
    option = kwargs.get(_OPTIONS[mode], None if mode in _STATISTICS else 0)
    options = Operand.call(_internals._as_pairs, option, source.ndim, as_index=mode in _STATISTICS)
    for axis, (pair, given) in enumerate(zip(pairs, options, strict=True)):
        region = result[(slice(None),) * (axis + 1) + inner[axis + 1 :]]
        _surround(region, axis, source.dims[axis], pair, mode, given)
    return result


def _surround(
    region: SymbolicArray, axis: int, dim: DimLike, pair: tuple[DimLike, ...], mode: str, given: Any
) -> None:
    """Write what is before and behind the `dim` elements that are there along an axis."""
    before, behind = pair
    widths = tuple(map(dim_scalar, pair))
    ends = _span(0, before), _span(before + dim, before + dim + behind)
    places = [(*(slice(None),) * axis, end) for end in ends]
    if mode == "constant":
        found = given
    elif mode == "linear_ramp":
        found = Operand.call(_internals._get_linear_ramps, region, axis, widths, given)
    elif mode in _STATISTICS:
        found = [
            _statistic(region, axis, dim, before, length, mode, front)
            for length, front in zip(given, (True, False), strict=True)
        ]
    else:
        wanted = [
            _inner_places(mode, start, width, dim) for start, width in ((-before, before), (dim, behind))
        ]
        inner = region[(*(slice(None),) * axis, _span(before, before + dim))]
        found = [inner[(*(slice(None),) * axis, index)] for index in wanted]
    for place, values in zip(places, found, strict=True):
        region[place] = values


def _statistic(
    region: SymbolicArray, axis: int, dim: DimLike, before: DimLike, given: Any, mode: str, front: bool
) -> Any:
    """Return a statistic of the elements along an axis, or of so many at its front or end."""
    length = dim if given is None else least(as_dim(given), dim)
    if not recorder().assume_nonnegative(length - 1):
        recorder().deoptimise_if(is_zero(length), "a statistic of nothing")
    start = before if front else before + dim - length
    chunk = region[(*(slice(None),) * axis, _span(start, start + length))]
    found = Operand.call(_STATISTICS[mode], chunk, axis=axis, keepdims=True)
    return Operand.call(np.round, found) if region.dtype.kind in "iu" else found


def _inner_places(mode: str, start: DimLike, width: DimLike, dim: DimLike) -> Any:
    """Return for places outside of an array, from `start` on, the places in it that they show."""
    places = operate(
        "add", fresh(recorder().emit("iota", dims=(recorder().normal(width),))), dim_scalar(start)
    )
    count, last = dim_scalar(dim), dim_scalar(recorder().normal(dim - 1))
    if mode == "edge":
        return operate("minimum", operate("maximum", places, 0), last)
    if mode == "wrap":
        return operate("remainder", places, count)
    # Forth and back again: in `reflect`, without the ends a second time, which for one element is that element.
    turn = 2 * last + (last == 0) if mode == "reflect" else 2 * count
    place = operate("remainder", places, turn)
    back = operate("subtract", turn if mode == "reflect" else turn - 1, place)
    return operate("minimum", place, back)


def _span(start: DimLike, stop: DimLike) -> slice:
    normal = recorder().normal
    return slice(dim_scalar(normal(start)), dim_scalar(normal(stop)))


def _called(
    source: SymbolicArray, pad_width: Any, pairs: list[tuple[DimLike, ...]], mode: str, known: dict[str, Any]
) -> Any:
    """Return what NumPy itself gives."""
    if is_symbolic(known):
        refuse("pad", "with an option that run time gives")
    dims = tuple(
        recorder().normal(dim + before + behind)
        for dim, (before, behind) in zip(source.dims, pairs, strict=True)
    )
    part = Part(dims, source.dtype, _order(source), number=False)
    return called_once("pad", [source, as_array(pad_width)], part, mode=mode, **known)


def _pairs(width: Any, ndim: int) -> list[tuple[Any, Any]]:
    """Return how much is put before and behind along each axis."""
    if isinstance(width, SymbolicArray):
        refuse("pad", "by an array of widths")
    if isinstance(width, dict):
        found = [(0, 0)] * ndim
        for axis, item in width.items():
            found[axis] = item if isinstance(item, tuple) else (item, item)
            if not all(
                one.weak if isinstance(one, SymbolicScalar) else type(one) is int for one in found[axis]
            ):
                refuse("pad", "by other widths than Python's integers for the names of axes")
        return found
    if not isinstance(width, (tuple, list)):
        return [(width, width)] * ndim
    items = [tuple(item) if isinstance(item, (tuple, list)) else item for item in width]
    if all(isinstance(item, tuple) for item in items):
        if {*map(len, items)} not in ({1}, {2}):
            refuse("pad", "by widths of another shape")
        pairs = [(item[0], item[-1]) for item in items]
        pairs = pairs * ndim if len(pairs) == 1 else pairs
    elif len(items) > 2 or any(isinstance(item, tuple) for item in items):
        refuse("pad", "by widths of another shape")
    else:
        pairs = [(items[0], items[-1])] * ndim
    if len(pairs) != ndim or any(len(pair) != 2 for pair in pairs):
        refuse("pad", "by widths of another shape")
    return pairs


def _width(width: Any) -> DimLike:
    """Return how much is put somewhere; NumPy takes no other integers than those with a sign."""
    record = recorder()
    kind = dtype_of(width).kind
    if kind in "fc":
        # Whatever else is among the widths. NumPy raises its own error.
        np.pad(np.zeros(1), np.array(0.5))
    if kind != "i":
        refuse("pad", "by other widths than integers with a sign")
    found = as_dim(width)
    if not record.assume_nonnegative(found):
        negative = record.emit("less", record.dim_value(found), record.dim_value(0))
        record.deoptimise_if(negative, "a width is negative")
    return found


def _order(array: SymbolicArray) -> tuple[int, ...] | None:
    """Return Fortran's order for an array that has it, as functions do that make a new one like it."""
    fortran = tuple(reversed(range(array.ndim)))
    return fortran if array.ndim > 1 and array.type.order == fortran else None
