"""Indexing with integers, slices, ellipsis and new axes: reading gives views, writing goes through them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from transpile.runtime.graph.bounds import LARGEST_SIZE
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import BOOL, INT64, ArrayType, ScalarType, dims_of
from transpile.runtime.ops.scalars import index_error
from transpile.runtime.views.view import View

from .array import SymbolicArray
from .broadcasting import agree, disagree, require_one
from .choices import choose
from .countable import Countable
from .numbers import as_scalar, lift, to_weak
from .operand import Operand
from .recorder import recorder
from .scalar import SymbolicScalar
from .signals import NeedsStep, NeedsValue
from .storing import cast_for_store
from .union import Union


def is_integer(value: Any) -> bool:
    """Whether a value can index: an integer, symbolic or not."""
    if isinstance(value, SymbolicScalar):
        return value.type.dtype.kind in "iu"
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool))


def one_integer(union: Union) -> Any:
    """Return integers of several types as one, whose type no index asks for; other things resolved."""
    rest = union.bound()
    if not isinstance(rest, Union) or not all(map(is_integer, rest.alternatives)):
        return rest.resolved() if isinstance(rest, Union) else rest
    return choose(rest.tag, [SymbolicScalar(to_weak(lift(way), INT64)) for way in rest.alternatives])


def as_dim(value: Any) -> DimLike:
    """Return an integer, symbolic or not, as a dim."""
    if isinstance(value, Union):
        value = one_integer(value)
    if isinstance(value, SymbolicArray) and not value.ndim:
        value = SymbolicScalar(as_scalar(value.read()))
    if isinstance(value, SymbolicScalar):
        if value.type.dtype.kind not in "iub" or (value.type.dtype == BOOL and not value.weak):
            raise recorder().unsure(
                TypeError(f"'{value.type_name}' object cannot be interpreted as an integer")
            )
        return recorder().dim(to_weak(value.value, INT64))
    try:
        return operator.index(value)
    except TypeError as error:
        raise recorder().unsure(TypeError(str(error))) from None


def position(value: Any, size: DimLike, axis: int) -> DimLike:
    """Return the place, counted from the front, that an index of an axis of `size` elements names."""
    record = recorder()
    dim = as_dim(value)
    if isinstance(dim, int):
        if not -(2**63) <= dim < 2**63:
            raise OverflowError("Python int too large to convert to C long")
        place = dim if dim >= 0 else dim + size
        inside = size - dim - 1 if dim >= 0 else place
        if record.assume_nonnegative(inside):
            return place
        if isinstance(inside, int):
            raise index_error(dim, axis, inside + dim + 1 if dim >= 0 else inside - dim)
    elif all([record.speculate(size - dim - 1), record.speculate(dim)]):
        # Both are asked: what is not known here of numbers that loops carry may be known when all of the loop is.
        return dim
    elif record.bounds.nonnegative(-1 - dim) and record.bounds.nonnegative(dim + size):
        return dim + size
    return record.dim(record.emit("index", record.dim_value(dim), record.dim_value(size), axis=axis))


def _bound(value: Any, size: DimLike, step: int) -> DimLike:
    """Return where a slice starts or stops, given a bound."""
    record = recorder()
    dim = as_dim(value)
    if isinstance(dim, int) and isinstance(size, int):
        # A size that is negative was assumed not to be: the call that shows it runs as the original.
        return slice(dim, None, step).indices(max(size, 0))[0]
    if isinstance(dim, int):
        # No size is as large, and what is computed of it has to stay within 64 bits.
        dim = min(max(dim, -LARGEST_SIZE), LARGEST_SIZE)
    if isinstance(dim, int) and step > 0:
        place = dim if dim >= 0 else dim + size
        inside = size - dim if dim >= 0 else place
        if record.speculate(-inside - 1):
            # The arguments at hand have fewer elements than that.
            return size if dim >= 0 else 0
        if record.assume_nonnegative(inside):
            return place
    nonnegative = record.bounds.nonnegative
    if not isinstance(dim, int):
        edge = size if step > 0 else size - 1
        if record.speculate(dim) and record.speculate(edge - dim):
            return dim
        if nonnegative(-1 - dim) and nonnegative(dim + size):
            return dim + size
    return record.dim(record.emit("slice_bound", record.dim_value(dim), record.dim_value(size), step=step))


def slice_ends(key: slice, size: DimLike) -> tuple[DimLike, DimLike, int]:
    """Return start, stop and step of a slice of an axis of `size` elements, as `slice.indices` has them."""
    step = 1 if key.step is None else as_dim(key.step)
    if not isinstance(step, int):
        recorder().asks_steps = True
        try:
            step = key.step.__index__()
        except NeedsValue as need:
            raise NeedsStep(need.value) from None
        assert isinstance(step, int)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    if step > 0:
        start = 0 if key.start is None else _bound(key.start, size, step)
        stop = size if key.stop is None else _bound(key.stop, size, step)
    else:
        start = size - 1 if key.start is None else _bound(key.start, size, step)
        stop = -1 if key.stop is None else _bound(key.stop, size, step)
    return start, stop, step


def slice_axis(key: slice, size: DimLike) -> tuple[DimLike, DimLike, int]:
    """Return start, length and step of a slice of an axis of `size` elements."""
    record = recorder()
    start, stop, step = slice_ends(key, size)
    span = stop - start if step > 0 else start - stop
    if isinstance(span, int):
        return start, len(range(0, span, abs(step))), step
    if abs(step) == 1 and record.speculate(span):
        return start, span, step
    if record.speculate(-span):
        return start, 0, step
    if abs(step) == 1 and record.assume_nonnegative(span):
        return start, span, step
    length = record.emit("slice_length", record.dim_value(start), record.dim_value(stop), step=step)
    return start, record.dim(length), step


def expand(key: Any, ndim: int) -> list[Any]:
    """Return an index as a list with one entry for every axis, and None for every new one.

    Raises NumPy's IndexError for too many entries.
    """
    keys = list(key) if isinstance(key, tuple) else [key]
    used = sum(1 for k in keys if k is not None and k is not Ellipsis)
    if sum(k is Ellipsis for k in keys) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    if used > ndim:
        raise IndexError(f"too many indices for array: array is {ndim}-dimensional, but {used} were indexed")
    if not any(k is Ellipsis for k in keys):
        keys.append(Ellipsis)
    place = next(p for p, k in enumerate(keys) if k is Ellipsis)
    keys[place : place + 1] = [slice(None)] * (ndim - used)
    return keys


def basic_view(array: Any, keys: list[Any]) -> View:
    """Return the view of an array that a basic index shows."""
    view: View = array.whole()
    axis = 0
    for base_axis, key in _with_base_axes(keys):
        if key is None:
            view = view.insert(axis)
            axis += 1
        elif isinstance(key, slice):
            if key != slice(None):
                start, length, step = slice_axis(key, view.dims[axis])
                view = view.slice(axis, start, length, step)
            axis += 1
        else:
            view = view.take(axis, position(key, view.dims[axis], base_axis))
    return view


def _with_base_axes(keys: list[Any]) -> list[tuple[int, Any]]:
    result, axis = [], 0
    for key in keys:
        result.append((axis, key))
        axis += key is not None
    return result


def _normal_key(key: Any) -> Any:
    """Return a key with unions resolved, and arrays without axes as scalars."""
    if isinstance(key, tuple):
        return tuple(map(_normal_key, key))
    if isinstance(key, Union):
        return one_integer(key)
    if isinstance(key, SymbolicArray) and not key.ndim and key.dtype.kind in "iu":
        return SymbolicScalar(as_scalar(key.read()))
    return key


def getitem(array: SymbolicArray, key: Any) -> Any:
    """Return `array[key]`: a view, or a copy where an array without axes is among the indices, or a scalar where every axis is indexed by an integer."""
    has_array = any(isinstance(k, SymbolicArray) for k in (key if isinstance(key, tuple) else (key,)))
    key = _normal_key(key)
    keys = expand(key, array.ndim) if not _is_advanced(key) else []
    if keys and Operand.picks(key):
        return Operand.getitem_picked(array, key)
    if not keys and (array.ndim or key is not Ellipsis) and _is_advanced(key):
        return Operand.getitem_advanced(array, key)
    view = basic_view(array, keys)
    shown = array.through(view)
    if not view.dims and not _has_ellipsis(key):
        return SymbolicScalar(load(shown))
    # NumPy copies what an array without axes names.
    return Operand.attribute(shown, "copy")("K") if has_array else shown


def shown_by(array: Any, key: Any) -> tuple[View, bool] | None:
    """Return the view of an array that a basic index shows, and whether that is one element; None where the index is no basic one."""
    entries = key if isinstance(key, tuple) else (key,)
    key = _normal_key(key)
    if any(isinstance(k, SymbolicArray) for k in entries) or _is_advanced(key):
        return None
    keys = expand(key, array.ndim)
    if Operand.picks(key):
        return None
    view = basic_view(array, keys)
    return view, not view.dims and not _has_ellipsis(key)


def _has_ellipsis(key: Any) -> bool:
    return key is Ellipsis or (isinstance(key, tuple) and any(k is Ellipsis for k in key))


def _is_advanced(key: Any) -> bool:
    keys = key if isinstance(key, tuple) else (key,)
    return not all(k is None or k is Ellipsis or isinstance(k, slice) or is_integer(k) for k in keys)


def load(array: SymbolicArray) -> Value:
    """Return the element of an array without axes."""
    record = recorder()
    chain = array.chain
    if array.parts:
        value = load(SymbolicArray(array.storage, chain))
        for part in array.parts:
            value = part.of(value)
        return value
    if chain and isinstance(chain[-1], View):
        return record.emit("load", SymbolicArray(array.storage, chain[:-1]).read(), view=chain[-1])
    return record.emit("load", array.read(), view=View.identity(()))


def setitem(array: SymbolicArray, key: Any, value: Any) -> None:
    """Do `array[key] = value`."""
    # NumPy asks for this before it looks at the key or the value.
    array.check_writable()
    if isinstance(value, Union) and value.has_others:
        value.on_each_way(lambda way: setitem(array, key, way))
        return
    key = _normal_key(key)
    if _is_advanced(key):
        Operand.setitem_advanced(array, key, value)
        return
    if Operand.picks(key):
        Operand.setitem_picked(array, key, value)
        return
    target = array.through(basic_view(array, expand(key, array.ndim)))
    if not target.ndim and nesting(value) and not _has_ellipsis(key):
        refuse_sequence(array.dtype)
    if not isinstance(value, SymbolicArray) and nesting(value) > target.ndim:
        raise recorder().unsure(
            ValueError(
                f"setting an array element with a sequence. The requested array would exceed the maximum number of dimension of {target.ndim}."
            )
        )
    if isinstance(value, SymbolicArray) and value.shows_same(target):
        # `x[i] += v` ends with storing the very view that was just updated in place.
        return
    assign(target, value)


def refuse_sequence(dtype: np.dtype[Any]) -> NoReturn:
    """Raise what NumPy says of a sequence in the place of one element, over which none is stretched, not even one of one item."""
    if dtype.kind == "b":
        # A truth takes that of the sequence.
        recorder().unstageable("S113-truth", "an array is stored in the place of one truth", "index it")
    # What it came of, NumPy says, too.
    raise recorder().unsure(ValueError("setting an array element with a sequence."))


def nesting(value: Any) -> int:
    """Return how many axes what is stored has: those of an array, or of lists in lists."""
    if isinstance(value, SymbolicArray):
        return value.ndim
    if not isinstance(value, (list, tuple, Countable)):
        return 0
    if getattr(value, "is_staged", False):
        return Operand.as_array(value).ndim  # type: ignore[no-any-return]
    return 1 + (nesting(value[0]) if isinstance(value, (list, tuple)) and value else 0)


def assign(target: SymbolicArray, value: Any) -> None:
    """Write a value into all of an array, broadcast to its dims and cast to its dtype as assignment does."""
    if isinstance(value, Union):
        value = one_dtype(value, target.dtype, item=True)
    if isinstance(value, (list, tuple)) and Operand.stored_items(target, value):
        return
    if isinstance(value, (list, tuple, Countable)):
        # Each of its items has to fit.
        value = Operand.as_array(value, target.dtype)
    lifted = as_scalar(lift(value))
    shape = dims_of(lifted.type)
    if shape:
        lifted = fit(lifted, shape, target.dims)
    held = cast_for_store(lifted, target.dtype, item=True)
    if held is not lifted and isinstance(held.type, ArrayType):
        recorder().report(held, "cast")
    target.write(held)


def one_dtype(value: Union, dtype: np.dtype[Any], item: bool = False) -> Any:
    """Return the number that a union is, cast to the dtype of the array that it is stored in, as `cast_for_store` does."""
    number = value.numbers()
    if not isinstance(number, Union):
        return number
    record, ways = recorder(), []
    for place, way in enumerate(number.alternatives):
        # Nothing is said of a way that is not taken: 0 is in every range.
        zero = way.type.dtype.type(0)
        nothing = record.constant(zero.item() if way.weak else zero, way.type)
        taken = record.emit("select", lift(number.is_(place)), way.value, nothing)
        ways.append(SymbolicScalar(cast_for_store(taken, dtype, item)))
    return choose(number.tag, ways)


def fit(
    value: Value,
    shape: tuple[DimLike, ...],
    dims: tuple[DimLike, ...],
    error: Callable[[Any], Exception] | None = None,
) -> Value:
    """Return an array value that broadcasts to `dims`: leading axes of length 1 beyond the target's rank go.

    `error` makes the exception of the shapes of value and target where it does not.
    """
    error = error or _store_error
    extra = len(shape) - len(dims)
    if extra > 0:
        if any(dim != 1 for dim in shape[:extra]):
            disagree([shape, dims], error)
        view = View.identity(shape)
        for _ in range(extra):
            view = view.take(0, 0)
        value, shape = recorder().emit("view", value, view=view), shape[extra:]
    check_fit(shape, dims, error)
    return value


def check_fit(
    shape: tuple[DimLike, ...],
    dims: tuple[DimLike, ...],
    error: Callable[[Any], Exception] | None = None,
) -> None:
    """Make sure that what has no more axes than dims broadcasts to them when it is stored."""
    found = error or _store_error
    for dim, target in zip(reversed(shape), reversed(dims), strict=False):
        if dim != 1 and target == 1:
            require_one(dim, [shape, dims], found)
    agree([dims, shape], lambda shapes: found(shapes[::-1]))


def _store_error(shapes: Any) -> ValueError:
    source, target = (str(tuple(shape)).replace(" ", "") for shape in shapes)
    return ValueError(f"could not broadcast input array from shape {source} into shape {target}")


def broadcast_to(value: Value, dims: tuple[DimLike, ...]) -> Value:
    """Return an array value stretched to dims that it broadcasts to, or a scalar filled into them."""
    if isinstance(value.type, ScalarType):
        return recorder().emit("fill", value, dims=dims)
    assert isinstance(value.type, ArrayType)
    if value.type.dims == dims:
        return value
    return recorder().emit("view", value, view=View.identity(value.type.dims).broadcast(dims))


Operand.getitem = staticmethod(getitem)
Operand.setitem = staticmethod(setitem)
