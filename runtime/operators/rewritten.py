"""Functions of NumPy's that hand elements or lines of arrays to a function, or look at elements one by one, as programs that are traced in their stead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.numbers import lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.composites.arguments import normal_axis
from transpile.runtime.composites.sequences import as_array

from .call import call


def _refuse(function: str, what: str) -> None:
    recorder().unstageable("S147-hosted", f"numpy.{function} {what}")


# -- for each element ---------------------------------------------------------------------------------------------


def _for_each(function: Callable[..., Any], dtypes: Any, arguments: tuple[Any, ...]) -> Any:
    """Return what a function gives for each element, as `numpy.vectorize` does: it is called once more, on the first, for the dtypes."""
    arrays = np.broadcast_arrays(*arguments)
    shape = arrays[0].shape
    lines = [array.flatten() for array in arrays]
    count = len(lines[0])
    if dtypes is None:
        if count == 0:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        first = function(*[line[0] for line in lines])
        firsts = first if isinstance(first, tuple) else (first,)
        dtypes = [np.asarray(part).dtype for part in firsts]
    results = [np.empty(count, dtype) for dtype in dtypes]
    for place in range(count):
        found = function(*[line[place].item() for line in lines])
        parts = found if isinstance(found, tuple) else (found,)
        for result, part in zip(results, parts, strict=True):
            result[place] = part
    shaped = tuple([result.reshape(shape) for result in results])
    return shaped[0] if len(shaped) == 1 else shaped


_vectorize: Any = np.vectorize


@implements(_vectorize._vectorize_call)
def vectorize_call(self: Any, func: Any, args: Any) -> Any:
    """Stand for a call of what `numpy.vectorize` gives."""
    record = recorder()
    arrays = [as_array(arg) for arg in args]
    if self.signature is not None or self.cache or not arrays:
        _refuse("vectorize", "with signature= or cache=, or of no arguments")
    if any(array.type.order is not None for array in arrays):
        _refuse("vectorize", "on an array that is not in C order, in which it goes another way")
    if record.repeats:
        # NumPy looks at the processor's flags when all is done: it warns of what Python's own numbers meet, too.
        _refuse("vectorize", "of a function that meets floating-point errors")
    for array in arrays:
        if array.dtype.kind == "f":
            # Python compares NaN in a way that sets the flags.
            found = record.emit("isnan", array.read())
            is_nan = lift(call(np.any, fresh(found)))
            record.deoptimise_if(is_nan, "numpy.vectorize meets NaN")
    return call(_for_each, func, self.otypes, tuple(arrays))


# -- for each line ------------------------------------------------------------------------------------------------


def _for_each_line(
    function: Callable[..., Any], axis: int, array: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Return what a function gives for each line of an array, in the places of the line."""
    axes = list(range(array.ndim))
    turned = np.transpose(array, [*axes[:axis], *axes[axis + 1 :], axis])
    lengths = turned.shape[:-1]
    for length in lengths:
        if length == 0:
            raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    first = np.asanyarray(function(turned[(0,) * len(lengths) + (...,)], *args, **kwargs))
    found = np.zeros(lengths + first.shape, first.dtype)
    found[(0,) * len(lengths) + (...,)] = first
    if len(lengths) == 1:
        for row in range(1, lengths[0]):
            found[row] = np.asanyarray(function(turned[row, ...], *args, **kwargs))
    elif len(lengths) == 2:
        for row in range(lengths[0]):
            for column in range(max(1 - row, 0), lengths[1]):
                found[row, column] = np.asanyarray(function(turned[row, column, ...], *args, **kwargs))
    places = list(range(found.ndim))
    own = found.ndim - first.ndim
    return np.transpose(found, [*places[:axis], *places[own:], *places[axis:own]])


@implements(np.apply_along_axis)
def apply_along_axis(func1d: Any, axis: Any, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """Stand for `numpy.apply_along_axis`."""
    array = as_array(arr)
    place = normal_axis(axis, array.ndim)
    if array.ndim > 3:
        _refuse("apply_along_axis", "of more than three axes")
    return call(_for_each_line, func1d, place, array, args, kwargs)


# -- one by one ---------------------------------------------------------------------------------------------------


def _listed(items: Any, dtype: Any) -> Any:
    return np.array([item for item in items], dtype)  # noqa: C416 (a comprehension is what grows in compiled code)


def _counted(items: Any, count: int, dtype: Any) -> Any:
    found = np.array([item for _, item in zip(range(count), items, strict=False)], dtype)
    if len(found) < count:
        raise ValueError(f"iterator too short: Expected {count} but iterator had only {len(found)} items.")
    return found


@implements(np.fromiter)
def fromiter(iter: Any, dtype: Any, count: Any = -1, *, like: Any = None) -> Any:
    """Stand for `numpy.fromiter`."""
    if like is not None or type(count) is not int:
        _refuse("fromiter", "with like=, or with count= of run time")
    return call(_listed, iter, dtype) if count < 0 else call(_counted, iter, count, dtype)


def _trimmed(filt: Any, trim: str) -> Any:
    first, last = 0, len(filt)
    if "b" in trim:
        while last > first and filt[last - 1] == 0:
            last -= 1
    if "f" in trim:
        while first < last and filt[first] == 0:
            first += 1
    return filt[first:last]


@implements(np.trim_zeros)
def trim_zeros(filt: Any, trim: Any = "fb", axis: Any = None) -> Any:
    """Stand for `numpy.trim_zeros`."""
    wanted = trim.lower()
    if wanted not in ("fb", "bf", "f", "b"):
        raise ValueError(f"unexpected character(s) in `trim`: {wanted!r}")
    if not isinstance(filt, SymbolicArray) or filt.ndim != 1 or axis not in (None, 0, -1):
        _refuse("trim_zeros", "of other than a vector")
    return call(_trimmed, filt, wanted)
