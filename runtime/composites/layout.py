"""How an array lies in memory, as far as tracing can tell."""

from __future__ import annotations

from typing import Any

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.gaps import is_turned
from transpile.runtime.arrays.lengths import never_one, sign_of
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.strides import strides_of
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import INT
from transpile.runtime.views.view import View

# Why the original runs a call that takes a view of an array which is otherwise copied.
RUNS_THROUGH = "an array that is reshaped has one stride throughout"


def is_packed(array: SymbolicArray) -> bool | None:
    """Whether the elements lie in C order without gaps, as `array.flags.c_contiguous` has it; None where run time decides."""
    if not array.storage.contiguous:
        last = array.chain[-1] if array.chain else None
        if isinstance(last, View) and any(never_one(last.dims[axis]) for axis in last.broadcast_axes()):
            return False
        # An argument without gaps in either order would be known to have none; a part of one with gaps may have none by chance.
        return False if array.ndim <= 2 and is_turned(array) else None
    return _runs_through(array, 1)


def holds_nothing(array: SymbolicArray) -> bool | None:
    """Whether an array has no elements, as the arguments at hand have it and from now on assumed; None where run time decides.

    Those of an empty array lie one after the other in every order.
    """
    record = recorder()
    if all(record.speculate(dim - 1) for dim in array.dims):
        return False
    return any(record.speculate(-dim) for dim in array.dims) or None


def is_even(array: SymbolicArray) -> bool | None:
    """Whether one stride runs through all elements in C order, so that a flat view shows them; None where it cannot be told.

    Where run time decides, the original runs a call where it does, unless it is known to do so at the call at hand: see Note [Turns at hand].
    """
    return _runs_through(array, None)


def _runs_through(array: SymbolicArray, expected: DimLike | None) -> bool | None:
    strides = strides_of(array)
    if strides is None:
        return None
    record = recorder()
    innermost: DimLike = 2
    decides = expected is None
    open_: tuple[DimLike, ...] = ()
    for dim, stride in zip(reversed(array.dims), reversed(strides), strict=True):
        if dim == 1:
            continue
        if expected is None:
            expected, innermost = stride, dim
        elif not record.same(stride, expected):
            if _never_equal(stride, record.normal(expected)) and never_one(dim) and never_one(innermost):
                return False
            open_ = (dim, innermost, stride - expected + 1)
        expected = expected * dim
    if open_ and decides:
        if record.may_run_through or any(record.sample_of(dim) == 1 for dim in open_):
            return None
        # The axes run through only where one of them has length 1, or the strides happen to fit.
        for dim in open_:
            test = record.emit("equal", record.dim_value(dim), record.constant(1, INT))
            record.deoptimise_if(test, RUNS_THROUGH)
        return False
    return None if open_ else True


def _never_equal(first: DimLike, second: DimLike) -> bool:
    """Whether two strides differ whatever the sizes of arguments are, if no array is empty; what can be assumed for it, is."""
    difference = first - second
    if sign_of(difference):
        return True
    record = recorder()
    return record.bounds.nonnegative(difference) and record.assume_nonnegative(difference - 1)


def settled_order(array: SymbolicArray, order: Any) -> Any:
    """Return `order`, or, where it is any, Fortran's of an array that lies in it without gaps, C's of every other.

    A call where run time decides is left to the original.
    """
    if order not in ("A", "a"):
        return order
    if array.ndim < 2 or array.type.order != tuple(reversed(range(array.ndim))):
        return "C"
    packed = is_packed(reversed_axes(array))
    if packed is None:
        recorder().unstageable("S171-strides", "the strides of an array with unknown gaps in memory decide")
    return "F" if packed else "C"


def still_axes(array: SymbolicArray) -> tuple[int, ...]:
    """Return the axes along which nothing moves in memory."""
    last = array.chain[-1] if array.chain else None
    return tuple(last.broadcast_axes()) if isinstance(last, View) else ()


def kept_order(array: SymbolicArray) -> tuple[int, ...] | None:
    """Return the order of axes of a copy that keeps the order: an axis along which nothing moves in memory comes last."""
    still = {axis for axis in still_axes(array) if array.dims[axis] != 1}
    axes = array.type.axes
    order = (*(axis for axis in axes if axis not in still), *(axis for axis in axes if axis in still))
    return None if order == tuple(range(array.ndim)) else order


def goes_forward(array: SymbolicArray) -> bool:
    """Whether no stride is negative, so that a copy is gone through in the same order."""
    strides = strides_of(array)
    return strides is not None and all(map(recorder().bounds.nonnegative, strides))


def reversed_axes(array: SymbolicArray) -> SymbolicArray:
    """Return the transposed array."""
    return array.through(array.whole().transpose(tuple(reversed(range(array.ndim)))))
