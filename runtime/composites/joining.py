"""Arrays joined along an axis, and arrays cut and put together anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh
from transpile.runtime.arrays.elementwise import operate
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import cast, raise_if
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.union import Union
from transpile.runtime.graph.types import ArrayType
from transpile.runtime.ops.elementwise import sorted_axes

from .arguments import normal_axis, result_dtype
from .calls import refuse
from .layout import kept_order
from .parts import are_parts, parts_joined, rows_of
from .reshaping import ravel, reshaped
from .sequences import as_array, copied, rearranged

_NO_SEQUENCE = 'arrays to stack must be passed as a "sequence" type such as list or tuple.'


def _items(arrays: Any, error: str = _NO_SEQUENCE) -> list[Any]:
    """Return the arrays of a sequence, or the rows of an array; what can only be run through, such as a generator, is none to NumPy."""
    if isinstance(arrays, SymbolicArray):
        if not arrays.ndim:
            raise TypeError("iteration over a 0-d array")
        return [arrays[place] for place in range(len(arrays))]
    if not hasattr(arrays, "__getitem__"):
        raise recorder().unsure(TypeError(error))
    return list(arrays)


def joined(
    arrays: Sequence[SymbolicArray], axis: int, dtype: Any = None, casting: Any = "same_kind"
) -> SymbolicArray:
    """Return arrays of one rank joined along an axis; NumPy's ValueError where their other dims differ."""
    record = recorder()
    first = arrays[0]
    for place, other in enumerate(arrays[1:], 1):
        if other.ndim != first.ndim:
            raise ValueError(
                "all the input arrays must have same number of dimensions, but the array at index 0 has "
                f"{first.ndim} dimension(s) and the array at index {place} has {other.ndim} dimension(s)"
            )
        for along, (one, two) in enumerate(zip(first.dims, other.dims, strict=True)):
            if along != axis and not record.assume_equal(one, two):

                def error(a: int, b: int, along: int = along, place: int = place) -> ValueError:
                    return ValueError(
                        "all the input array dimensions except for the concatenation axis must match exactly, but along "
                        f"dimension {along}, the array at index 0 has size {a} and the array at index {place} has size {b}"
                    )

                sizes = dim_scalar(one), dim_scalar(two)
                raise_if(operate("not_equal", *sizes), error, *sizes)
    wanted = np.dtype(dtype) if dtype is not None else np.result_type(*(array.dtype for array in arrays))
    for array in arrays:
        if not np.can_cast(array.dtype, wanted, casting):
            # It speaks of a scalar where it was handed one.
            raise record.unsure(
                TypeError(
                    f"Cannot cast array data from {array.dtype!r} to {wanted!r} according to the rule '{casting}'"
                )
            )
    order = _order_of_joined([_sorted(array, axis) for array in arrays])
    values = [cast(array.read(), wanted) for array in arrays]
    result = fresh(record.emit("concatenate", *values, axis=axis, order=order))
    assert isinstance(result, SymbolicArray)
    return result


def _order_of_joined(types: Sequence[ArrayType]) -> tuple[int, ...] | None:
    """Return the order of axes of arrays that are joined, as NumPy sorts them: not as its iterator does, but from the first to the last.

    Axes of length 1 say nothing.
    """
    if all(type_.order is None for type_ in types):
        return None
    places = [{axis: place for place, axis in enumerate(t.axes) if t.dims[axis] != 1} for t in types]
    return tuple(sorted_axes(range(len(types[0].dims)), places))


def _sorted(array: SymbolicArray, axis: int) -> ArrayType:
    """Return the type of an array with its axes by their strides, and with what run time gives of its length along an axis told apart from 1, which says nothing of them."""
    type_ = ArrayType(array.dtype, array.dims, kept_order(array))
    dim, record = type_.dims[axis], recorder()
    if type_.order is None or isinstance(dim, int) or record.speculate(dim - 2):
        return type_
    if not record.speculate(1 - dim):
        return type_
    return ArrayType(type_.dtype, (*type_.dims[:axis], 1, *type_.dims[axis + 1 :]), type_.order)


@implements(np.concatenate)
def concatenate(
    arrays: Any, /, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: Any = "same_kind"
) -> Any:
    """Stand for `numpy.concatenate`."""
    if isinstance(arrays, StagedList) and arrays.is_staged and axis == 0 and out is None:
        if are_parts(arrays):
            return as_array(parts_joined(arrays), dtype)
        rows = rows_of(arrays, dtype)
        if rows.ndim < 2:
            raise ValueError("zero-dimensional arrays cannot be concatenated")
        return reshaped(rows, (rows.dims[0] * rows.dims[1], *rows.dims[2:]))
    items = _items(arrays, "The first input argument needs to be a sequence")
    parts = [as_array(item) for item in items]
    if not parts:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        if any(map(_is_python_number, items)):
            if out is not None or dtype is not None or casting != "same_kind":
                refuse("concatenate", "of Python's numbers, with another keyword than axis=")
            # They take the dtype of what they are joined with, whether they fit it or not.
            dtype, casting = result_dtype(*map(_as_promoted, items, parts)), "unsafe"
        parts, place = [ravel(part) for part in parts], 0
    else:
        if not parts[0].ndim:
            raise ValueError("zero-dimensional arrays cannot be concatenated")
        place = normal_axis(axis, parts[0].ndim)
    if out is not None and dtype is not None:
        raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were provided.")
    return joined(parts, place, dtype, casting) if out is None else _joined_into(out, parts, place, casting)


def _is_python_number(item: Any) -> bool:
    """Whether NumPy takes an item for a number without a dtype of its own, on some way at least."""
    if isinstance(item, (SymbolicScalar, Union)):
        return isinstance(item, Union) or item.weak
    return isinstance(item, (int, float, complex)) and not isinstance(item, (bool, np.generic))


def _as_promoted(item: Any, array: SymbolicArray) -> Any:
    """Return what says the dtype of an item that is joined: a Python number itself, of others the array."""
    if isinstance(item, Union):
        refuse("concatenate", "of what is a Python number on some ways only")
    return item if _is_python_number(item) else array


def _joined_into(out: Any, arrays: Sequence[SymbolicArray], axis: int, casting: Any) -> Any:
    """Join arrays along an axis into `out=`, to the dtype of which each is cast."""
    if not isinstance(out, SymbolicArray):
        raise TypeError("'out' must be an array")
    if out.ndim != arrays[0].ndim:
        raise ValueError("Output array has wrong dimensionality")
    result = joined(arrays, axis, out.dtype, casting)
    for one, two in zip(result.dims, out.dims, strict=True):
        if not recorder().assume_equal(one, two):
            differs = operate("not_equal", dim_scalar(one), dim_scalar(two))
            raise_if(differs, lambda: ValueError("Output array is the wrong shape"))
    out.write(result.read())
    return out


@implements(np.stack)
def stack(
    arrays: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: Any = "same_kind"
) -> Any:
    """Stand for `numpy.stack`."""
    if isinstance(arrays, StagedList) and arrays.is_staged and axis == 0 and out is None:
        return rows_of(arrays, dtype)
    parts = [as_array(array) for array in _items(arrays)]
    if not parts:
        raise ValueError("need at least one array to stack")
    for other in parts[1:]:
        same = len(other.dims) == len(parts[0].dims)
        for one, two in zip(parts[0].dims, other.dims, strict=False):
            if same and not recorder().assume_equal(one, two):
                if isinstance(one, int) and isinstance(two, int):
                    same = False
                else:
                    raise_if(
                        operate("not_equal", dim_scalar(one), dim_scalar(two)),
                        lambda: ValueError("all input arrays must have the same shape"),
                    )
        if not same:
            raise ValueError("all input arrays must have the same shape")
    place = normal_axis(axis, parts[0].ndim + 1)
    expanded = [part.through(part.whole().insert(place)) for part in parts]
    if out is not None and dtype is not None:
        raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were provided.")
    return (
        joined(expanded, place, dtype, casting)
        if out is None
        else _joined_into(out, expanded, place, casting)
    )


@implements(np.vstack)
def vstack(tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> Any:
    """Stand for `numpy.vstack`."""
    if are_parts(tup) and tup.home.row.ndim > 1:
        return concatenate(tup, 0, dtype=dtype, casting=casting)
    parts = [FUNCTIONS[np.atleast_2d](array) for array in _items(tup)]
    return concatenate(parts, 0, dtype=dtype, casting=casting)


@implements(np.hstack)
def hstack(tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> Any:
    """Stand for `numpy.hstack`."""
    if are_parts(tup) and tup.home.row.ndim == 1:
        return concatenate(tup, 0, dtype=dtype, casting=casting)
    parts = [FUNCTIONS[np.atleast_1d](array) for array in _items(tup)]
    return concatenate(parts, 0 if parts and parts[0].ndim == 1 else 1, dtype=dtype, casting=casting)


@implements(np.dstack)
def dstack(tup: Any) -> Any:
    """Stand for `numpy.dstack`."""
    return concatenate([FUNCTIONS[np.atleast_3d](array) for array in _items(tup)], 2)


@implements(np.column_stack)
def column_stack(tup: Any) -> Any:
    """Stand for `numpy.column_stack`."""
    parts = []
    for thing in _items(tup):
        array = as_array(thing)
        if array.ndim < 2:
            array = FUNCTIONS[np.transpose](FUNCTIONS[np.atleast_2d](array))
        parts.append(array)
    return concatenate(parts, 1)


@implements(np.append)
def append(arr: Any, values: Any, axis: Any = None) -> Any:
    """Stand for `numpy.append`."""
    array = as_array(arr)
    if axis is None:
        if array.ndim != 1:
            array = ravel(array)
        values, axis = ravel(values), array.ndim - 1
    return concatenate((array, values), axis)


# -- rolls -------------------------------------------------------------------------------------------


@implements(np.roll)
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """Stand for `numpy.roll`: the two parts in the other order."""
    array = as_array(a)
    if axis is None:
        return reshaped(roll(ravel(array), shift, 0), array.dims)
    if not array.ndim and not isinstance(axis, int) and not len(axis):
        # NumPy's own, of the pairs of slices that there are none of.
        raise ValueError("not enough values to unpack (expected 2, got 0)")
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    shifts = shift if isinstance(shift, (tuple, list)) else (shift,)
    count = max(len(axes), len(shifts))
    total: dict[int, Any] = {}
    for place in range(count):
        along = normal_axis(axes[place % len(axes)], array.ndim)
        total[along] = total.get(along, 0) + shifts[place % len(shifts)]
    if any(len(part) not in (1, count) for part in (axes, shifts)):
        raise recorder().unsure(ValueError("'shift' and 'axis' should be scalars or 1D sequences"))
    if not total:
        return copied(array)
    order = kept_order(array)
    array = rearranged(array)
    for along, by in total.items():
        array = _rolled(array, by, along)
    return array if array.type.order == order else fresh(recorder().emit("copy", array.read(), order=order))


def _rolled(array: SymbolicArray, shift: Any, axis: int) -> SymbolicArray:
    dim = array.dims[axis]
    front: Any
    if isinstance(shift, int) and recorder().assume_nonnegative(dim - abs(shift)):
        front = dim_scalar(dim - shift) if shift >= 0 else -shift
    else:
        length = dim_scalar(dim)
        positive = operate("add", length, operate("equal", length, 0))
        front = operate("subtract", length, operate("remainder", shift, positive))
    before = (slice(None),) * axis
    return joined([array[(*before, slice(front, None))], array[(*before, slice(None, front))]], axis)
