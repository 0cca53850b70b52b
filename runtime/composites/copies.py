"""Copies, casts, and the elements of arrays as Python's numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, size
from transpile.runtime.arrays.broadcasting import agree
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.indexing import assign, load, nesting, position, refuse_sequence
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import as_scalar, cast, lift, raise_if, to_weak
from transpile.runtime.arrays.parts import Part
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.row_buffers import column_of
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.signals import NeedsValue
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import PYTHON_TYPES, ScalarType, dims_of, element

from .arguments import NOTHING, as_dtype, as_order, no_device, no_truths
from .layout import settled_order
from .memory import split
from .reshaping import reshaped
from .sequences import as_array, copied
from .ufuncs import as_operand, store_result


@implements(method="copy")
def copy_method(array: Any, order: Any = "C") -> Any:
    """Stand for `array.copy()`, which takes None for the order that it would take anyway."""
    order = "C" if order is None else order
    if isinstance(array, SymbolicArray):
        return copied(array, order)
    if not isinstance(order, str):
        raise recorder().unsure(TypeError(f"order must be str, not {type(order).__name__}"))
    as_order(order, ())
    return array


@implements(np.copy)
def copy(a: Any, order: Any = "K", subok: Any = False) -> Any:
    """Stand for `numpy.copy`, which makes an array of a number, and keeps the order in memory."""
    return copied(as_array(a), order)


@implements(method="view")
def view_method(array: Any, dtype: Any = NOTHING, type: Any = None) -> Any:
    """Stand for `array.view()`: another object on the same memory. To see other types in it is left to NumPy."""
    own = array.type.dtype
    # None is a dtype for a number alone.
    is_left_out = dtype is NOTHING or (dtype is None and isinstance(array, SymbolicArray))
    wanted = own if is_left_out or dtype is np.ndarray else as_dtype(dtype)
    if type is not None:
        recorder().unstageable("S188-view", "memory is viewed as an array of another class")
    if wanted != own:
        if wanted.itemsize != own.itemsize or not {wanted.kind, own.kind} <= set("iuf"):
            return split(array, wanted)
        part = Part("bits", wanted, own)
        return array.part(part) if isinstance(array, SymbolicArray) else SymbolicScalar(part.of(array.value))
    return array.through(array.whole()) if isinstance(array, SymbolicArray) else array


@implements(method="astype")
def astype(
    array: Any, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: Any = True, copy: Any = True
) -> Any:
    """Stand for `array.astype`."""
    wanted = as_dtype(dtype)
    own = array.type.dtype
    if isinstance(copy, np._CopyMode):
        raise recorder().unsure(ValueError("_CopyMode enum is not allowed for astype function."))
    if not np.can_cast(own, wanted, casting):
        raise TypeError(
            f"Cannot cast {'array' if isinstance(array, SymbolicArray) else 'scalar'} "
            f"{'data ' if isinstance(array, SymbolicArray) else ''}from {own!r} to {wanted!r} according to the rule {casting!r}"
        )
    if not isinstance(array, SymbolicArray):
        _keeps_imaginary(own, wanted)
        return SymbolicScalar(cast(array.value, wanted))
    if not copy and own == wanted:
        return as_array(array, None, settled_order(array, order))
    return copied(array, order, wanted)


@implements(np.astype)
def astype_function(x: Any, dtype: Any, /, *, copy: Any = True, device: Any = None) -> Any:
    """Stand for `numpy.astype`."""
    no_device(None, device)
    if not isinstance(x, SymbolicArray):
        raise recorder().unsure(TypeError("Input should be a NumPy array"))
    return astype(x, dtype, copy=copy)


def _keeps_imaginary(own: np.dtype[Any], wanted: np.dtype[Any]) -> None:
    if own.kind == "c" and wanted.kind not in "cb":
        recorder().unstageable(
            "S146-imaginary", "a complex number is cast to a real one, of which NumPy warns", "use .real"
        )


@implements(method="fill")
def fill(array: Any, value: Any) -> None:
    """Stand for `array.fill`."""
    if not isinstance(array, SymbolicArray):
        recorder().unstageable("S170-method", "fill of a NumPy scalar")
    if nesting(value):
        refuse_sequence(array.dtype)
    if isinstance(value, SymbolicArray):
        value = SymbolicScalar(as_scalar(value.read()))
    assign(array, value)


@implements(np.copyto)
def copyto(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> None:
    """Stand for `numpy.copyto`."""
    if not isinstance(dst, SymbolicArray):
        raise recorder().unsure(TypeError("copyto() argument 1 must be a numpy.ndarray"))
    value = lift(as_operand(src))
    is_weak = isinstance(value.type, ScalarType) and value.type.weak
    own: Any = element(value.type)
    if is_weak and not (
        (casting == "same_kind" and own.kind + dst.dtype.kind == "iu")
        or (casting == "same_kind" and np.can_cast(own, dst.dtype, casting))
        or (casting == "unsafe" and dst.dtype.kind in "fc" and np.can_cast(own, dst.dtype, "same_kind"))
    ):
        recorder().unstageable("S144-keyword", "numpy.copyto of a Python number of another kind")
    if not is_weak and not np.can_cast(value.type.dtype, dst.dtype, casting):  # type: ignore[union-attr]
        raise TypeError(
            f"Cannot cast array data from {value.type.dtype!r} to {dst.dtype!r} according to the rule {casting!r}"  # type: ignore[union-attr]
        )
    if where is True and (is_weak or dims_of(value.type)):
        assign(dst, as_operand(src))
        return
    agree([dst.dims, dims_of(value.type)], _copy_error)
    store_result("copyto", dst, as_operand(src), where, "unsafe")


def _copy_error(shapes: Any) -> ValueError:
    target, source = (str(tuple(shape)).replace(" ", "") for shape in shapes)
    return ValueError(f"could not broadcast input array from shape {source} into shape {target}")


# -- Python's numbers ---------------------------------------------------------------------------------------------


_PYTHONS = {"b": bool, "i": int, "u": int, "f": float, "c": complex}


def to_python(value: Value) -> Any:
    """Return a scalar as the Python number that `item()` gives."""
    dtype = value.type.dtype  # type: ignore[union-attr]
    kind = _PYTHONS[dtype.kind]
    if dtype == np.longdouble:
        recorder().unstageable("S122-dtype", "a long double has no Python number")
    return SymbolicScalar(to_weak(value, PYTHON_TYPES[kind]))


@implements(method="item")
def item(array: Any, *args: Any) -> Any:
    """Stand for `array.item()`: an element as a Python number."""
    if isinstance(array, SymbolicScalar):
        no_truths(*args)
        if args not in ((), ((),), (0,)):
            raise recorder().unsure(IndexError("index is out of bounds for size 1"))
        return to_python(array.value)
    if len(args) == 1 and isinstance(args[0], tuple):
        args = args[0]
    if len(args) == 1 and array.ndim != 1:
        array = reshaped(array, (size(array),))
    if not args:
        if not recorder().assume_equal(size(array), 1):
            error = ValueError("can only convert an array of size 1 to a Python scalar")
            if isinstance(size(array), int):
                raise error
            total = recorder().dim_value(size(array))
            raise_if(
                SymbolicScalar(recorder().emit("not_equal", total, recorder().dim_value(1))), lambda: error
            )
        args = (0,) * array.ndim
    if len(args) != array.ndim:
        raise ValueError("incorrect number of indices for array")
    no_truths(*args)
    view = array.whole()
    for axis, place in enumerate(args):
        view = view.take(0, position(place, array.dims[axis], axis))
    return to_python(load(array.through(view)))


@implements(method="tolist")
def tolist(array: Any) -> Any:
    """Stand for `array.tolist()`, of an array whose size is known while tracing."""
    if isinstance(array, SymbolicScalar):
        return to_python(array.value)
    if not array.ndim:
        return to_python(as_scalar(array.read()))
    length = array.dims[0]
    if not isinstance(length, int):
        if array.ndim > 1 or array.dtype in (np.uint64, np.longdouble):
            raise NeedsValue(recorder().dim_value(length))
        return _listed(array, length)
    return [tolist(array[place]) for place in range(length)]


def _listed(array: SymbolicArray, length: DimLike) -> StagedList:
    """Return the list of the numbers in an array, whose length run time gives."""
    made = StagedList()
    made.row = ScalarType(PYTHON_TYPES[_PYTHONS[array.dtype.kind]], True)
    made.columns = [column_of(copied(array, "C", made.row.dtype).read())]
    made.end = dim_scalar(length)
    return made
