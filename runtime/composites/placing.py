"""Elements taken from places, and put there; parts of arrays left out and put in between."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh, size
from transpile.runtime.arrays.broadcasting import agree, broadcast_error
from transpile.runtime.arrays.elementwise import operate
from transpile.runtime.arrays.functions import METHODS, implements
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.numbers import cast, lift, raise_if
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.arrays.storing import cast_for_store
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import BOOL, INT64

from .arguments import normal_axis, result_dtype
from .calls import Part, called_once, refuse
from .creation import empty_like_dims
from .hosted import hosted
from .places import nonzero
from .reductions import reduce
from .reshaping import ravel, reshaped
from .selection import where
from .sequences import as_array, copied
from .ufuncs import as_operand

# Of how many ways one is chosen by looking at all.
_WAYS = 8

normalize_axis_index: Any = np.lib.array_utils.normalize_axis_index


@implements(normalize_axis_index)
def axis_from_front(axis: Any, ndim: Any, msg_prefix: Any = None) -> int:
    """Stand for `numpy.lib.array_utils.normalize_axis_index`."""
    return normal_axis(axis, int(ndim.__index__()), msg_prefix)


def _places_in(function: str, given: Any) -> SymbolicArray:
    """Return the array of what names places: a list of other numbers than integers NumPy reads otherwise than an array of them."""
    array: SymbolicArray = as_array(given)
    if not isinstance(given, SymbolicArray) and array.dtype.kind not in "iub":
        if array.dims != (0,):
            refuse(function, "at other places than integers")
        array = copied(array, "C", INT64)
    return array


# -- taking -------------------------------------------------------------------------------------------------------


@implements(np.take, method="take")
def take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: Any = "raise") -> Any:
    """Stand for `numpy.take`."""
    array, places = as_array(a), _places_in("take", indices)
    if out is not None:
        return _take_into(out, take(array, places, axis, mode=mode))
    if axis is None or not array.ndim:
        array = ravel(array)
    along = 0 if axis is None else normal_axis(axis, array.ndim)
    dims = (*array.dims[:along], *places.dims, *array.dims[along + 1 :])
    return hosted("take", [array, places], dims or None, array.dtype, axis=along, mode=mode)


def _take_into(out: Any, taken: Any) -> Any:
    """Store what was taken into `out=`, which is of the same dtype and shape."""
    dims = taken.dims if isinstance(taken, SymbolicArray) else ()
    if not isinstance(out, SymbolicArray) or out.dtype != taken.type.dtype or out.ndim != len(dims):
        refuse("take", "with out= of another dtype or shape")
    if not all(map(recorder().assume_equal, out.dims, dims)):
        refuse("take", "with out= of another shape")
    out.write(lift(taken))
    return out


@implements(np.compress)
def compress(condition: Any, a: Any, axis: Any = None, out: Any = None) -> Any:
    """Stand for `numpy.compress`."""
    test = as_array(condition)
    if test.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    return take(a, nonzero(test)[0], axis, out)


METHODS["compress"] = lambda a, condition, axis=None, out=None: compress(condition, a, axis, out)


@implements(np.extract)
def extract(condition: Any, arr: Any) -> Any:
    """Stand for `numpy.extract`."""
    return take(ravel(as_array(arr)), nonzero(ravel(as_array(condition)))[0])


@implements(np.choose, method="choose")
def choose(a: Any, choices: Any, out: Any = None, mode: Any = "raise") -> Any:
    """Stand for `numpy.choose`."""
    array = as_array(a)
    ways = [as_operand(choice) for choice in choices]
    if out is not None:
        refuse("choose", "with out=")
    arrays = [way for way in ways if isinstance(way, SymbolicArray)]
    dims = agree([array.dims, *(way.dims for way in arrays)], broadcast_error)
    dtype = result_dtype(*ways)
    if mode == "raise" and array.ndim and _is_quick(array, ways):
        return _chosen(array, ways, dims, dtype)
    return called_once("choose", [array, *ways], Part(dims, dtype), behind=len(ways), mode=mode)


def _is_quick(array: SymbolicArray, ways: list[Any]) -> bool:
    """Whether one of several ways is chosen by looking at all of them."""
    dtypes = {way.dtype if isinstance(way, SymbolicArray) else None for way in ways}
    return array.dtype.kind in "biu" and array.dtype != np.uint64 and len(dtypes) == 1 and len(ways) <= _WAYS


def _chosen(array: SymbolicArray, ways: list[Any], dims: tuple[DimLike, ...], dtype: Any) -> Any:
    """Return of several ways the one that an array names, element by element."""
    outside = operate("bitwise_or", operate("less", array, 0), operate("greater_equal", array, len(ways)))
    recorder().deoptimise_if(
        lift(reduce("logical_or", outside, None)), "an index of numpy.choose is out of range"
    )
    found = ways[-1]
    for number in reversed(range(len(ways) - 1)):
        found = where(operate("equal", array, number), ways[number], found)
    result = empty_like_dims(dims, dtype)
    result[...] = found
    return result


# -- putting ------------------------------------------------------------------------------------------------------


def _put(function: str, a: Any, places: SymbolicArray, values: SymbolicArray, turns: SymbolicArray) -> None:
    """Write values into the elements of an array, one after the other, at places: of the values, those at `turns`."""
    if not isinstance(a, SymbolicArray):
        refuse(function, "into other than an array")
    chosen = fresh(cast_for_store(lift(repeated(values, turns)), a.dtype))
    whole = a if a.contiguous else copied(a, "C")
    flat = whole if whole.ndim == 1 else reshaped(whole, (size(whole),))
    flat[places] = chosen
    if whole is not a:
        a.write(whole.read())


def repeated(values: SymbolicArray, turns: SymbolicArray) -> Any:
    """Return values at their turns, counted from the front again where there are more turns than values."""
    record = recorder()
    length = size(values)
    if not record.assume_nonnegative(length - 1):
        test = operate("equal", dim_scalar(length), 0)
        record.deoptimise_if(lift(test), "nothing is put into an array")
    return values[operate("remainder", turns, dim_scalar(length))]


def _counting(places: SymbolicArray) -> SymbolicArray:
    """Return the numbers of places, from 0 on."""
    order = fresh(recorder().emit("iota", dims=places.dims))
    assert isinstance(order, SymbolicArray)
    return order


@implements(np.put)
def put(a: Any, ind: Any, v: Any, mode: Any = "raise") -> None:
    """Stand for `numpy.put`."""
    places, values = ravel(as_array(ind)), ravel(as_array(v, getattr(a, "dtype", None)))
    if mode not in ("raise", "wrap", "clip") or places.dtype.kind not in "iu":
        refuse("put", "with this mode, or at other than integers")
    if isinstance(a, SymbolicArray) and not recorder().assume_nonnegative(size(a) - 1):
        empty = (dim_scalar(size(a)) == 0) & (dim_scalar(size(places)) > 0)
        raise_if(empty, lambda: IndexError("cannot replace elements of an empty array"))
    if mode != "raise" and isinstance(a, SymbolicArray):
        most = dim_scalar(size(a))
        if mode == "wrap":
            places = operate("remainder", places, most)
        else:
            places = operate("minimum", operate("maximum", places, 0), operate("subtract", most, 1))
    elif isinstance(a, SymbolicArray):
        # NumPy writes what comes before an index that is out of range.
        most = dim_scalar(size(a))
        outside = operate(
            "bitwise_or",
            operate("less", places, operate("negative", most)),
            operate("greater_equal", places, most),
        )
        test = recorder().emit("reduce", lift(outside), ufunc="logical_or", axes=(0,), dtype=BOOL)
        recorder().deoptimise_if(test, "an index of numpy.put is out of range")
    _put("put", a, places, values, _counting(places))


@implements(method="put")
def _put_at(a: Any, indices: Any, values: Any, mode: Any = "raise") -> None:
    """Stand for `array.put`, whose arguments have other names."""
    put(a, indices, values, mode)


def _masked(function: str, a: Any, mask: Any) -> SymbolicArray:
    """Return the places of an array where a mask of its size is true."""
    given, array = as_array(mask), as_array(a)
    if given.ndim == array.ndim:
        for one, other in zip(array.dims, given.dims, strict=True):
            recorder().assume_equal(one, other)
    test = ravel(given)
    if not recorder().same(size(array), test.dims[0]) and not recorder().assume_equal(
        size(array), test.dims[0]
    ):
        refuse(function, "with a mask of another size")
    places = nonzero(test)[0]
    assert isinstance(places, SymbolicArray)
    return places


@implements(np.putmask)
def putmask(a: Any, /, mask: Any, values: Any) -> None:
    """Stand for `numpy.putmask`."""
    places = _masked("putmask", a, mask)
    _put("putmask", a, places, _given(a, values), places)


@implements(np.place)
def place(arr: Any, mask: Any, vals: Any) -> None:
    """Stand for `numpy.place`."""
    places = _masked("place", arr, mask)
    _put("place", arr, places, _given(arr, vals), _counting(places))


def _given(array: Any, values: Any) -> Any:
    """Return what is to be stored into an array as an array of its dtype, to which NumPy casts arrays safely alone, and lists and numbers in any way."""
    wanted = getattr(array, "dtype", None)
    if isinstance(values, SymbolicArray) and wanted is not None and not np.can_cast(values.dtype, wanted):
        kind = "array data" if values.ndim else "scalar"
        raise TypeError(
            f"Cannot cast {kind} from {values.dtype!r} to {wanted!r} according to the rule 'safe'"
        )
    given: SymbolicArray = ravel(as_array(values, wanted))
    return given


# -- places in other dims -----------------------------------------------------------------------------------------


@implements(np.unravel_index)
def unravel_index(indices: Any, shape: Any, order: Any = "C") -> tuple[Any, ...]:
    """Stand for `numpy.unravel_index`: of an array, the columns of one array."""
    sizes = [dim_scalar(as_dim(s)) for s in (shape if isinstance(shape, (tuple, list)) else (shape,))]
    if order not in ("C", "F") or not sizes:
        refuse("unravel_index", "in an order that run time gives, or into no axes")
    axes = list(range(len(sizes)))[:: -1 if order == "C" else 1]
    places = as_array(indices) if isinstance(indices, (list, tuple)) else indices
    value = lift(places)
    if value.type.dtype.kind not in "iu":  # type: ignore[union-attr]
        raise TypeError("only int indices permitted")
    total = math.prod(sizes)
    if isinstance(places, SymbolicArray) and places.ndim:
        return _unravelled(places, sizes, total, axes)
    raise_if(
        operate("bitwise_or", operate("less", places, 0), operate("greater_equal", places, total)),
        lambda place, size: ValueError(f"index {place} is out of bounds for array with size {size}"),
        places,
        total,
    )
    found = dict.fromkeys(range(len(sizes)))
    for axis in axes:
        found[axis] = operate("remainder", places, sizes[axis])
        places = operate("floor_divide", places, sizes[axis])
    return tuple(fresh(cast(lift(number), INT64)) for number in found.values())


def _unravelled(places: SymbolicArray, sizes: list[Any], total: Any, axes: list[int]) -> tuple[Any, ...]:
    """Return places in other dims, along each axis: the columns of one array. The first of `axes` moves fastest."""
    outside = operate("bitwise_or", operate("less", places, 0), operate("greater_equal", places, total))
    # NumPy names the first of them.
    recorder().deoptimise_if(lift(reduce("logical_or", outside, None)), "an index is out of bounds")
    places = fresh(cast(places.read(), INT64))  # type: ignore[assignment]
    table = empty_like_dims((*places.dims, len(sizes)), INT64)
    for axis in axes:
        table[..., axis] = operate("remainder", places, sizes[axis])
        places = operate("floor_divide", places, sizes[axis])
    return tuple(table[..., axis] for axis in range(len(sizes)))


@implements(np.ravel_multi_index)
def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: Any = "C") -> Any:
    """Stand for `numpy.ravel_multi_index`."""
    arrays = [as_array(places) for places in multi_index]
    if is_symbolic((mode, order)):
        refuse("ravel_multi_index", "with a mode that run time gives")
    if not arrays:
        raise recorder().unsure(ValueError("parameter multi_index must be a sequence of another length"))
    sizes = as_array(tuple(dims))
    shape = agree([array.dims for array in arrays], broadcast_error)
    # NumPy wants the sizes of axes as a sequence of numbers, which an array is.
    operands = [*arrays, sizes]
    return called_once(
        "ravel_multi_index", operands, Part(shape, INT64), together=len(arrays), mode=mode, order=order
    )
