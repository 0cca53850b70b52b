"""Arrays of numbers, lists and arrays."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.array_attributes import Lent
from transpile.runtime.arrays.countable import Countable
from transpile.runtime.arrays.elementwise import operate
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.handle import Foreign
from transpile.runtime.arrays.indexing import assign
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import as_scalar, cast, lift
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.arrays.rows import Mixed, Record, pools_of
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.staged_tuples import StagedTuple
from transpile.runtime.arrays.storing import cast_for_store
from transpile.runtime.arrays.union import Union
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import BOOL, INT64, ScalarType

from .arguments import as_dtype, as_order, check_order, copying, dtype_of, no_device
from .layout import goes_forward, holds_nothing, is_packed, kept_order, reversed_axes, settled_order
from .tables import numbers_of, table_of

_RAGGED = (
    "setting an array element with a sequence. The requested array has an inhomogeneous shape after "
    "{} dimensions. The detected shape was {} + inhomogeneous part."
)
# So many equal numbers are stored one by one.
_FEW = 16


@implements(np.asarray, np.asanyarray)
def as_array(
    a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: Any = None, like: Any = None
) -> Any:
    """Stand for `numpy.asarray`: an array as it is, a number as an array without axes, a list as an array."""
    no_device(like, device)
    check_order(order)
    copy = copying(copy)
    if isinstance(a, SymbolicArray) and not copy:
        same = dtype is None or a.dtype == as_dtype(dtype)
        if same and (order is None or order in ("K", "k", "A", "a") or not a.ndim):
            return a
        if same and copy is None and order in ("C", "c"):
            return _contiguous(a)
        if same and copy is None and order in ("F", "f"):
            found = _contiguous(turned := reversed_axes(a))
            return a if found is turned else reversed_axes(found)
        if copy is False:
            recorder().unstageable("S144-keyword", "asarray(copy=False) of what must be copied")
    return array(a, dtype, order=order or "K", copy=True if copy is None else copy)


@implements(np.array)
def array(
    object: Any,
    dtype: Any = None,
    *,
    copy: Any = True,
    order: Any = "K",
    subok: Any = False,
    ndmin: Any = 0,
    ndmax: Any = None,
    like: Any = None,
) -> Any:
    """Stand for `numpy.array`."""
    if isinstance(object, Union) and object.has_others:
        return object.on_each_way(
            lambda way: array(
                way, dtype, copy=copy, order=order, subok=subok, ndmin=ndmin, ndmax=ndmax, like=like
            )
        )
    no_device(like)
    if isinstance(dtype, SymbolicArray):
        raise recorder().unsure(TypeError("Cannot construct a dtype from an array"))
    check_order(order)
    if ndmax is not None:
        recorder().unstageable("S144-keyword", "array(ndmax=) is not staged")
    copy = copying(copy)
    object = object.items if isinstance(object, StagedTuple) else object
    if isinstance(object, SymbolicArray):
        if order in ("A", "a") and dtype is not None and as_dtype(dtype) != object.dtype:
            # What NumPy casts keeps its order.
            order = "K"
        result: Any = copied(object, order, dtype) if copy else as_array(object, dtype, order, copy=copy)
    elif copy is False:
        raise recorder().unsure(ValueError("Unable to avoid copy while creating an array as requested."))
    elif isinstance(object, StagedList) and object.is_staged:
        # Without items it would be an array of floats.
        recorder().deoptimise_if(
            lift(operate("equal", object.length, 0)), "a list without items becomes an array"
        )
        result = _of_rows(object, dtype)
    elif isinstance(object, Countable):
        result = copied(object.numbers(), "C", dtype)
    elif isinstance(object, (list, tuple, range)):
        result = _of_sequence(object, dtype)
    else:
        object = object.numbers() if isinstance(object, Union) else object
        number = as_scalar(lift(object))
        wanted = as_dtype(dtype, dtype_of(object))
        result = fresh(recorder().emit("fill", cast_for_store(number, wanted), dims=()))
    if order in ("F", "f") and result.ndim > 1 and not isinstance(object, SymbolicArray):
        result = copied(result, order)
    view = result.whole()
    for _ in range(ndmin - result.ndim):
        view = view.insert(0)
    return result.through(view) if ndmin > result.ndim else result


def _of_rows(things: StagedList, dtype: Any) -> SymbolicArray:
    """Return the array of a list whose length run time gives."""
    row = things.home.row
    if isinstance(row, Mixed):
        return copied(numbers_of(row, iter(things.rows()), dtype), "C", dtype)
    rows = [table_of(things, dtype)] if row is None or pools_of(row) else things.rows()
    for column in rows if dtype is not None else ():
        _check_all(column, as_dtype(dtype))
    if not isinstance(row, Record):
        lent = rows[0].storage.attribute
        with lent.taken() if isinstance(lent, Lent) else nullcontext():
            return copied(rows[0], "C", dtype)
    if not all(isinstance(item, ScalarType) for item in row.items):
        recorder().unstageable("S163-items", "a list of tuples that hold more than numbers becomes an array")
    wanted = np.result_type(*(column.dtype for column in rows)) if dtype is None else as_dtype(dtype)
    parts = [copied(column.through(column.whole().insert(1)), "C", wanted).read() for column in rows]
    return _array(recorder().emit("concatenate", *parts, axis=1, order=None))


def _check_all(numbers: SymbolicArray, dtype: np.dtype[Any]) -> None:
    """Leave a call to the original where a number of a list does not fit an integer, which is looked at one by one."""
    if dtype.kind not in "iu" or numbers.dtype.kind not in "iuf" or np.can_cast(numbers.dtype, dtype):
        return
    info: Any = np.iinfo(dtype)
    if numbers.dtype.kind == "f":
        # NaN is neither.
        low = numbers >= float(info.min) if info.min == -(2**63) else numbers > float(info.min - 1)
        outside = operate("logical_not", low & (numbers < float(int(info.max) + 1)))
    else:
        outside = numbers < int(info.min)
        if info.max < 2**63:
            outside = outside | (numbers > int(info.max))
    axes = tuple(range(numbers.ndim))
    test = recorder().emit("reduce", lift(outside), ufunc="logical_or", axes=axes, dtype=BOOL)
    recorder().deoptimise_if(test, "a number of a list does not fit the integers of an array")


def copied(a: SymbolicArray, order: Any = "K", dtype: Any = None) -> SymbolicArray:
    """Return a copy of an array, in another dtype if one is given."""
    value = a.read()
    wanted = a.dtype if dtype is None else as_dtype(dtype)
    axes = as_order(settled_order(a, order), a.dims, kept_order(a))
    if wanted != a.dtype:
        value = cast(value, wanted)
        recorder().report(value, "cast")
        if axes == a.type.order:
            return _array(value)
    return _array(recorder().emit("copy", value, order=axes))


def rearranged(a: SymbolicArray) -> SymbolicArray:
    """Return an array whose elementwise results lie in memory as a copy of it that keeps the order would."""
    return a if kept_order(a) == a.type.order else copied(a)


def _array(value: Any) -> SymbolicArray:
    result = fresh(value)
    assert isinstance(result, SymbolicArray)
    return result


@implements(np.ascontiguousarray)
def ascontiguousarray(a: Any, dtype: Any = None, *, like: Any = None) -> Any:
    """Stand for `numpy.ascontiguousarray`."""
    no_device(like)
    result = as_array(a, dtype)
    if not result.ndim:
        return result.through(result.whole().insert(0))
    return _contiguous(result)


@implements(np.asfortranarray)
def asfortranarray(a: Any, dtype: Any = None, *, like: Any = None) -> Any:
    """Stand for `numpy.asfortranarray`."""
    no_device(like)
    result = as_array(a, dtype)
    if not result.ndim:
        return result.through(result.whole().insert(0))
    turned = reversed_axes(result)
    found = _contiguous(turned)
    return result if found is turned else reversed_axes(found)


def _contiguous(a: SymbolicArray) -> SymbolicArray:
    packed = is_packed(a)
    if packed or (packed is False and holds_nothing(a)):
        return a
    result = copied(a, "C")
    if packed is None:
        may_share(a, result, fits=True)
    return result


def may_share(array: SymbolicArray, copy: SymbolicArray, fits: bool = False) -> None:
    """Note that a copy may be a view in NumPy, which lies as the copy does where it `fits`.

    Neither is written while it matters, and the copy is not returned, nor handed to what computes in another order for other strides.
    """
    array.storage.aliases.add(copy.storage)
    copy.storage.aliases.add(array.storage)
    copy.storage.relate(array.storage, *array.storage.relatives)
    copy.storage.copied = "fits" if fits else "gaps" if goes_forward(array) else "order"


# -- sequences ----------------------------------------------------------------------------------------------------


def _of_sequence(things: Any, dtype: Any) -> Any:
    """Make an array of nested lists of numbers and arrays."""
    if not is_symbolic(things, 8):
        _refuse_foreign(things)
        return _known(np.array(things, dtype))
    things = _with_arrays(things)
    leaves: list[Any] = []
    dims = _dims_of(things, leaves, ())
    wanted = as_dtype(dtype, np.result_type(*map(dtype_of, leaves)))
    for leaf in leaves if dtype is None else ():
        if dtype_of(leaf) == INT64 and isinstance(leaf, SymbolicScalar):
            # An integer that has left 64 bits would make an array of objects.
            cast(leaf.value, INT64)
    result = _array(recorder().emit("empty", dtype=wanted, dims=dims, order=None))
    _fill(result, things)
    return result


def _known(array: np.ndarray[Any, Any]) -> Any:
    """Return a new array of known numbers."""
    as_dtype(array.dtype)
    if array.size > _FEW and array.tobytes() == array.flat[0].tobytes() * array.size:
        return fresh(recorder().emit("fill", lift(array.flat[0]), dims=array.shape))
    return fresh(recorder().emit("table", array=array))


def _with_arrays(things: Any) -> Any:
    """Return nested lists with arrays for the lists in them whose length run time gives."""
    if isinstance(things, StagedList) and things.is_staged:
        return array(things)
    if isinstance(things, (list, tuple)) and any(isinstance(item, (list, tuple)) for item in things):
        return [_with_arrays(item) for item in things]
    return things


def _refuse_foreign(thing: Any) -> None:
    """Refuse lists that hold what stands for something from outside, which NumPy would take apart by itself."""
    if isinstance(thing, Foreign):
        recorder().unstageable("S163-items", "a list that holds an object of the caller's becomes an array")
    for item in thing if isinstance(thing, (list, tuple)) else ():
        _refuse_foreign(item)


def _dims_of(thing: Any, leaves: list[Any], outer: tuple[Any, ...]) -> tuple[DimLike, ...]:
    """Return the dims of nested lists, and collect the numbers and arrays in them; NumPy's ValueError where lengths differ."""
    if isinstance(thing, Union):
        thing = thing.numbers()
        thing = thing.resolved() if isinstance(thing, Union) else thing
    if isinstance(thing, SymbolicArray):
        leaves.append(thing)
        return thing.dims
    if not isinstance(thing, (list, tuple, range, np.ndarray)):
        lift(thing)
        leaves.append(thing)
        return ()
    here = (*outer, len(thing))
    inner = [_dims_of(item, leaves, here) for item in thing]
    for other in inner[1:]:
        ragged = ValueError(_RAGGED.format(len(here), here))
        if len(other) != len(inner[0]):
            # NumPy looks on where items of different ranks begin with equal lengths.
            raise recorder().unsure(ragged)
        for one, two in zip(inner[0], other, strict=True):
            if not recorder().assume_equal(one, two):
                if isinstance(one, int) and isinstance(two, int):
                    raise ragged
                test = recorder().emit("not_equal", recorder().dim_value(one), recorder().dim_value(two))
                recorder().deoptimise_if(test, "items of a list differ in shape")
    return (len(thing), *(inner[0] if inner else ()))


def stored_items(target: SymbolicArray, things: Any) -> bool:
    """Write the items of nested lists one by one where they fill an array: as in NumPy, those before one that does not fit are written."""
    if (isinstance(things, StagedList) and things.is_staged) or not is_symbolic(things, 8):
        return False
    dims = _dims_of(things, [], ())
    alike = len(dims) == target.ndim and all(
        recorder().same(one, other) or (one != 1 and recorder().assume_equal(one, other))
        for one, other in zip(dims, target.dims, strict=True)
    )
    if alike:
        _fill(target, things)
    return alike


def _fill(target: Any, things: Any) -> None:
    for place, thing in enumerate(things):
        if isinstance(thing, (list, tuple, range)):
            _fill(target[place], thing)
        elif target.ndim == 1:
            target[place] = thing
        else:
            assign(target[place], thing)


Operand.as_array = staticmethod(as_array)
Operand.stored_items = staticmethod(stored_items)
Operand.copied = staticmethod(copied)
