"""Whether arrays lie in the same memory, where tracing knows, and what else is seen in it."""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.numbers import DTYPES
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.types import DType

from .arguments import as_dtype
from .calls import Part, called_once, refuse
from .layout import is_packed
from .reshaping import ravel
from .sequences import as_array, copied, may_share


@implements(np.may_share_memory, np.shares_memory)
def shares_memory(a: Any, b: Any, /, max_work: Any = None) -> bool:
    """Stand for `numpy.shares_memory`, of arrays that are made in the function, or show the very same elements."""
    if type(max_work) not in (int, NoneType):
        raise recorder().unsure(ValueError("max_work must be an integer"))
    one, other = as_array(a), as_array(b)
    if one.shows_same(other) and all(recorder().speculate(dim - 1) for dim in one.dims):
        return True
    if any(recorder().speculate(-dim) for dim in (*one.dims, *other.dims)):
        return False
    if one.storage is other.storage or not (_is_own(one) or _is_own(other) or _are_apart(one, other)):
        refuse("shares_memory", "of what run time gives the places of in memory")
    return False


def _are_apart(one: SymbolicArray, other: SymbolicArray) -> bool:
    """Whether two arrays lie in arrays of the caller's that are apart, which is guarded, and lie nowhere in between each other."""
    place, other_place = one.storage.input, other.storage.input
    if place is None or other_place is None or not (one.storage.contiguous and other.storage.contiguous):
        return False
    return recorder().are_apart(place, other_place)


@implements(np.from_dlpack)
def from_dlpack(x: Any, /, *, device: Any = None, copy: Any = None) -> Any:
    """Stand for `numpy.from_dlpack`: another object on the memory of an array."""
    if not isinstance(x, SymbolicArray) or device is not None or copy is not None:
        refuse("from_dlpack", "of what is no array, or with device= or copy=")
    return x.through(x.whole()).apart()


def _is_own(array: SymbolicArray) -> bool:
    """Whether the memory of an array was made in the function, and no other array can be known to lie there."""
    storage = array.storage
    return storage.input is None and not (
        storage.aliases or storage.copied or storage.origins or storage.is_view
    )


@implements(np.frombuffer)
def frombuffer(buffer: Any, dtype: Any = float, count: Any = -1, offset: Any = 0, *, like: Any = None) -> Any:
    """Stand for `numpy.frombuffer`: of bytes that are known, an array that cannot be written; of an array, a view."""
    if like is not None or type(count) is not int or type(offset) is not int:
        refuse("frombuffer", "of so many elements, as only run time knows")
    if isinstance(buffer, SymbolicArray):
        return _seen_flat(buffer, as_dtype(dtype), count, offset)
    if not isinstance(buffer, bytes):
        refuse("frombuffer", "of what is not known while tracing")
    found = np.frombuffer(buffer, as_dtype(dtype), count, offset)
    if found.dtype not in DTYPES:
        refuse("frombuffer", f"gives {found.dtype}, which is not compiled")
    array: Any = fresh(recorder().emit("table", array=found.copy()))
    return array.locked()


def _seen_flat(array: SymbolicArray, dtype: DType, count: int, offset: int) -> Any:
    """Return the view of all elements of an array, or of some, where it has so many and they lie without gaps."""
    if dtype != array.dtype or is_packed(array) is not True or offset % dtype.itemsize or offset < 0:
        refuse("frombuffer", "of an array with gaps, or as of another dtype")
    begin, flat = offset // dtype.itemsize, ravel(array)
    end = flat.dims[0] if count < 0 else begin + count
    if not recorder().assume_nonnegative(flat.dims[0] - max(begin + 1, begin + count)):
        refuse("frombuffer", "of an array that may be too short")
    return flat.through(flat.whole().slice(0, begin, end - begin, 1))


def split(array: Any, wanted: DType) -> SymbolicArray:
    """Return the elements of a smaller type, or parts of complex numbers, that the memory of an array holds."""
    own = array.type.dtype
    splits = isinstance(array, SymbolicArray) and array.ndim and own.itemsize % wanted.itemsize == 0
    if not splits or wanted not in DTYPES or wanted.kind == "b" or is_packed(array) is not True:
        recorder().unstageable("S188-view", f"memory of {own} is viewed as {wanted}")
    dims = (*array.dims[:-1], array.dims[-1] * (own.itemsize // wanted.itemsize))
    result: Any = called_once("ndarray.view", [array], Part(dims, wanted), dtype=wanted.str)
    return _seen(array, result, lambda base: base.view(wanted))


def field(array: SymbolicArray, wanted: DType, offset: int) -> SymbolicArray:
    """Return the numbers of a smaller type that lie at an offset in each element of an array."""
    step, rest = divmod(array.dtype.itemsize, wanted.itemsize)
    if rest or offset not in range(0, array.dtype.itemsize, wanted.itemsize):
        recorder().unstageable("S188-view", f"memory of {array.dtype} is viewed as {wanted}")
    place: Any = (..., slice(offset // wanted.itemsize, None, step))
    return _seen(array, copied(split(array, wanted)[place]), lambda base: base.getfield(wanted, offset))


def _seen(array: SymbolicArray, copy: SymbolicArray, look: Callable[[Any], Any]) -> SymbolicArray:
    """Have a copy stand for a view of an array: neither is written from here on, and if it is returned, it is the view."""
    may_share(array, copy, fits=copy.storage.type.dims != array.dims)
    copy.storage.seen = array, look
    return copy


def __array_wrap__(self: SymbolicArray, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
    """Return an array that a function of NumPy's gives: it is of no class of its own."""
    return array


# What NumPy's functions make their results arrays of the operand's class by.
SymbolicArray.__array_wrap__ = __array_wrap__  # type: ignore[attr-defined]
