"""The same elements in other dims: reshape, ravel, flatten, and `array.shape = ...`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from transpile.runtime.arrays.array import Reshape, SymbolicArray, dim_scalar, fresh, size
from transpile.runtime.arrays.elementwise import operate
from transpile.runtime.arrays.functions import ATTRIBUTES, implements
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.numbers import raise_if
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.signals import NeedsValue
from transpile.runtime.errors import StagingError
from transpile.runtime.graph.dim import DimLike, product, quotient

from .arguments import copying, given_sizes, listed
from .layout import is_packed, reversed_axes, settled_order, still_axes
from .regrouping import regrouped
from .sequences import as_array, may_share

Dims = tuple[DimLike, ...]


def reshape_error(total: Any, shape: Sequence[Any]) -> ValueError:
    """Return NumPy's error for a shape, -1 where unknown, that an array of so many elements does not have."""
    known = list(shape)
    while known and known[0] < 0:
        known.pop(0)
    text = ",".join("newaxis" if s < 0 else str(s) for s in known)
    return ValueError(
        f"cannot reshape array of size {total} into shape ({text}{',' if len(shape) == 1 else ''})"
    )


def new_dims(array: SymbolicArray, shape: Any) -> Dims:
    """Return the dims that `shape`, with at most one -1, means for an array; NumPy's ValueError where it has others."""
    record = recorder()
    asked = listed(shape)
    # One that is negative in the call at hand is looked at.
    given = [
        dim if isinstance(dim, int) or not record.speculate(-1 - dim) else int(size.__index__())
        for size, dim in zip(asked, given_sizes(asked), strict=True)
    ]
    unknown = [place for place, dim in enumerate(given) if isinstance(dim, int) and dim < 0]
    if len(unknown) > 1:
        raise ValueError("can only specify one unknown dimension")
    for place, dim in enumerate(given):
        if place not in unknown and not record.assume_nonnegative(dim):
            record.deoptimise_if(
                record.emit("less", record.dim_value(dim), record.dim_value(0)),
                "a size in reshape is negative",
            )
    total = size(array)
    known = product(tuple(dim for place, dim in enumerate(given) if place not in unknown))

    def error(found: int, *numbers: int) -> ValueError:
        return reshape_error(found, numbers)

    def check(test: Any) -> None:
        raise_if(
            test,
            error,
            dim_scalar(total),
            *(dim_scalar(-1 if p in unknown else d) for p, d in enumerate(given)),
        )

    if unknown:
        (place,) = unknown
        # An assumption, where it can be made, spares the check.
        if not record.assume_nonnegative(known - 1):
            check(operate("equal", dim_scalar(known), 0))
        rest = quotient(total, known) if known != 0 else None
        if rest is None:
            check(operate("not_equal", operate("remainder", dim_scalar(total), dim_scalar(known)), 0))
            rest = as_dim(operate("floor_divide", dim_scalar(total), dim_scalar(known)))
        given[place] = rest
    elif not record.assume_equal(known, total):
        check(operate("not_equal", dim_scalar(known), dim_scalar(total)))
    return tuple(map(record.normal, given))


def reshaped(array: SymbolicArray, dims: Dims, in_place: bool = False) -> SymbolicArray:
    """Return an array in other dims of the same size: a view wherever NumPy gives one."""
    found = view_or_copy(array, dims)
    if in_place and (found is None or found.storage is not array.storage):
        recorder().unstageable("S145-shape", "the shape is set of an array that may not be contiguous")
    if found is not None:
        return found
    if len(dims) > 1:
        _refuse_or_ask(array, dims)
    copied = _copy_unless_empty(array)
    may_share(array, copied)
    return copied.through(Reshape(copied.dims, dims))


def _refuse_or_ask(array: SymbolicArray, dims: Dims) -> NoReturn:
    """Refuse to tell whether there is a view, or ask for the length of a part into which an axis is split: views have steps that are known."""
    record = recorder()
    parts = [dim for dim in dims if not isinstance(dim, int) and dim not in array.dims]
    try:
        record.unstageable(
            "S184-reshape",
            "the strides at run time decide whether a reshaped array is a view, and in which order it lies in memory",
            "reshape a copy, or numpy.ascontiguousarray of it",
        )
    except StagingError as error:
        if not parts:
            raise
        reason = error
    raise NeedsValue(record.dim_value(parts[-1]), reason)


def view_or_copy(array: SymbolicArray, dims: Dims) -> SymbolicArray | None:
    """Return an array in other dims of the same size; None where run time decides whether NumPy gives a view."""
    view = _without_ones(array, dims)
    if view is not None:
        return view
    if is_packed(array):
        return array.through(Reshape(array.dims, dims))
    found = regrouped(array, dims)
    if found is not False:
        return found
    copied = _copy_unless_empty(array)
    return copied.through(Reshape(copied.dims, dims))


def _without_ones(array: SymbolicArray, dims: Dims) -> SymbolicArray | None:
    """Return the view where the dims differ in axes of length 1 only."""
    own = array.dims
    kept, wanted = [d for d in own if d != 1], [d for d in dims if d != 1]
    if len(kept) != len(wanted) or not all(map(recorder().same, kept, wanted)):
        return None
    if len(own) == len(dims) and all((a == 1) == (b == 1) for a, b in zip(own, dims, strict=True)):
        return array.through(array.whole())
    view = array.whole()
    for axis in reversed(range(len(own))):
        if own[axis] == 1:
            view = view.take(axis, 0)
    for axis, dim in enumerate(dims):
        if dim == 1:
            view = view.insert(axis)
    return array.through(view)


def packed_copy(array: SymbolicArray) -> SymbolicArray:
    """Return a copy in C order."""
    copied = fresh(recorder().emit("copy", array.read(), order=None))
    assert isinstance(copied, SymbolicArray)
    return copied


def _copy_unless_empty(array: SymbolicArray) -> SymbolicArray:
    """Return a copy in C order of what NumPy gives a view of where it is empty."""
    check_copied(array)
    return packed_copy(array)


def check_copied(array: SymbolicArray) -> None:
    """Refuse what NumPy gives a copy of, but where it is empty a view: that shows where the array cannot be written."""
    if not array.may_be_written and not all(recorder().speculate(dim - 1) for dim in array.dims):
        recorder().unstageable(
            "S184-reshape",
            "whether an array that cannot be written is empty decides whether it is copied",
            "reshape a copy",
        )


def _shape_of(args: tuple[Any, ...]) -> Any:
    if len(args) == 1:
        return args[0]
    return args


def _check_order(order: Any, known: str = "CFAK") -> None:
    """Leave an order to NumPy that it does not know."""
    if order is not None and (not isinstance(order, str) or order.upper() not in tuple(known)):
        recorder().unstageable("S144-keyword", f"the order is none of {', '.join(known)}")


@implements(method="reshape")
def reshape_method(a: Any, *shape: Any, order: Any = "C", copy: Any = None) -> Any:
    """Stand for `array.reshape`."""
    if not shape:
        raise TypeError("reshape() takes exactly 1 argument (0 given)")
    return reshape(a, _shape_of(shape), order, copy=copy)


@implements(np.reshape)
def reshape(a: Any, /, shape: Any, order: Any = "C", *, copy: Any = None) -> Any:
    """Stand for `numpy.reshape`."""
    array = as_array(a)
    _check_order(order, "CFA")
    copy = copying(copy)
    if isinstance(a, SymbolicScalar) and not a.weak and not new_dims(array, shape):
        # Methods of NumPy's numbers give numbers.
        return a
    if copy is False and (order not in ("C", "c") or is_packed(array) is not True):
        recorder().unstageable("S184-reshape", "reshape(copy=False) of an array that may not be contiguous")
    order = settled_order(array, order)
    if order in ("F", "f"):
        dims = new_dims(array, shape)
        result = reshaped(reversed_axes(array), dims[::-1])
        result = reversed_axes(result)
        return fresh(recorder().emit("copy", result.read(), order=result.type.order)) if copy else result
    result = reshaped(array, new_dims(array, shape))
    return packed_copy(result) if copy else result


def _gone_through(array: SymbolicArray, order: Any) -> SymbolicArray:
    """Return an array with its axes turned so that C order goes through its elements in the order asked for."""
    order = settled_order(array, order)
    if order in ("F", "f"):
        return reversed_axes(array)
    if order in ("K", "k") and array.type.order is not None:
        if any(array.dims[axis] != 1 for axis in still_axes(array)):
            recorder().unstageable(
                "S185-order", "an array of which some axes lie still in memory is gone through as it lies"
            )
        return array.through(array.whole().transpose(array.type.axes))
    return array


@implements(np.ravel, method="ravel")
def ravel(a: Any, order: Any = "C") -> Any:
    """Stand for `numpy.ravel`: a view of what is contiguous, else a copy."""
    array = as_array(a)
    _check_order(order)
    array = _gone_through(array, order)
    if array.ndim == 1:
        packed = is_packed(array)
        if packed:
            return array.through(array.whole())
        copied = _copy_unless_empty(array)
        if packed is None:
            may_share(array, copied, fits=True)
        return copied
    packed = is_packed(array)
    dims = (size(array),)
    if packed:
        return reshaped(array, dims)
    copied = _copy_unless_empty(array)
    if packed is None:
        may_share(array, copied, fits=True)
    return copied.through(Reshape(copied.dims, dims))


@implements(method="flatten")
def flatten(a: Any, order: Any = "C") -> Any:
    """Stand for `array.flatten`, which copies."""
    array = as_array(a)
    _check_order(order)
    copied = packed_copy(_gone_through(array, order))
    return copied if array.ndim == 1 else copied.through(Reshape(copied.dims, (size(array),)))


def _set_shape(array: SymbolicArray, shape: Any) -> None:
    """Do `array.shape = shape`."""
    record = recorder()
    if array.region is not record.frame:
        record.unstageable(
            "S145-shape",
            "the shape is set of the caller's own array, or in a branch or loop of an array made outside it",
            "use reshape, or set the shape of a view: y = x[:]; y.shape = ...",
        )
    array.chain = reshaped(array, new_dims(array, shape), in_place=True).chain


# Python looks for the property on the class before it asks `__getattr__`.
SymbolicArray.shape = property(lambda array: ATTRIBUTES["shape"](array), _set_shape)  # type: ignore[attr-defined]
