"""What arguments of NumPy's functions mean: shapes, dtypes, orders, axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.numbers import DTYPES, raise_if
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import FLOAT64, INT

Order = tuple[int, ...] | None

NOTHING: Any = np._NoValue
# What the names of ways to copy stand for.
_COPIES = {np._CopyMode.ALWAYS: True, np._CopyMode.NEVER: False, np._CopyMode.IF_NEEDED: None}


def listed(shape: Any) -> tuple[Any, ...]:
    """Return the sizes in `shape=`: a number, a sequence, or a vector of which it is known how long it is."""
    if isinstance(shape, SymbolicArray) and shape.ndim == 1 and isinstance(shape.dims[0], int):
        return tuple(shape[place] for place in range(shape.dims[0]))
    return tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)


def given_sizes(shape: Any) -> tuple[DimLike, ...]:
    """Return the sizes that `shape=` names, which may be negative; NumPy's TypeError where one is a truth."""
    sizes = listed(shape)
    no_truths(*sizes)
    return tuple(map(as_dim, sizes))


def no_truths(*numbers: Any) -> None:
    """Raise a TypeError where an argument that some of NumPy's functions want an integer for is a truth; plain Python says which do."""
    kinds = (number.python_type if isinstance(number, SymbolicScalar) else type(number) for number in numbers)
    if any(issubclass(kind, (bool, np.bool)) for kind in kinds):
        raise recorder().unsure(TypeError("an integer is required"))


def as_dims(shape: Any) -> tuple[DimLike, ...]:
    """Return the dims that `shape=` asks for; NumPy's ValueError where one is negative."""
    dims = given_sizes(shape)
    for dim in dims:
        if not recorder().assume_nonnegative(dim):
            raise_if(dim_scalar(dim) < 0, lambda: ValueError("negative dimensions are not allowed"))
    return dims


def as_dtype(dtype: Any, default: Any = FLOAT64) -> np.dtype[Any]:
    """Return the dtype that `dtype=` asks for; one that is not compiled cannot be staged."""
    if isinstance(dtype, type) and issubclass(dtype, np.dtype):
        # The class of a dtype, which has one instance.
        dtype = dtype()  # type: ignore[call-overload]
    if isinstance(dtype, SymbolicArray):
        # A number of NumPy's, though, stands for its own.
        raise recorder().unsure(TypeError("Cannot construct a dtype from an array"))
    result: np.dtype[Any] = np.dtype(default if dtype is None else dtype)
    if result not in DTYPES or not result.isnative:
        recorder().unstageable("S122-dtype", f"the dtype {result} is not compiled")
    return result


def is_of_records(dtype: Any) -> bool:
    """Whether `dtype=` asks for records."""
    if not isinstance(dtype, (np.dtype, list, dict, str)):
        return False
    found: np.dtype[Any] = np.dtype(dtype)  # type: ignore[arg-type]
    return found.names is not None


def as_order(order: Any, dims: tuple[DimLike, ...], own: Order = None) -> Order:
    """Return the order of axes that `order=` asks for, of a copy of an array whose own order is `own`, and of which any is settled."""
    check_order(order)
    if order is None or order in ("K", "k"):
        return own
    if order in ("C", "c", "A", "a"):
        return None
    return tuple(reversed(range(len(dims))))


def check_order(order: Any) -> None:
    """Leave to NumPy what is no order, for which it has an error."""
    if order is None:
        return
    if not isinstance(order, str):
        raise recorder().unsure(TypeError("order must be str"))
    if order.upper() not in tuple("CFAK"):
        raise recorder().unsure(ValueError("order must be one of 'C', 'F', 'A', or 'K'"))


def copying(copy: Any) -> bool | None:
    """Return what `copy=` asks for: always, never, or None where it has to be."""
    if isinstance(copy, str):
        text = "strings are not allowed for 'copy' keyword. Use True/False/None instead."
        raise recorder().unsure(ValueError(text))
    if isinstance(copy, np._CopyMode):
        return _COPIES[copy]
    return None if copy is None else bool(copy)


def no_device(like: Any, device: Any = None) -> None:
    """Refuse `like=`, and devices other than NumPy's own."""
    if like is not None or device not in (None, "cpu"):
        recorder().unstageable("S144-keyword", "like= and device= are not staged")


def is_given(option: Any, default: Any = None) -> bool:
    """Whether a caller gave an option another value than its default."""
    return option is not default and option is not NOTHING


def normal_axis(axis: Any, ndim: int, prefix: str | None = None) -> int:
    """Return an axis counted from the front; NumPy's AxisError where it is out of range."""
    no_truths(axis)
    return int(np.lib.array_utils.normalize_axis_index(axis.__index__(), ndim, prefix))


def normal_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """Return the axes that `axis=` names: all, one, or those of a tuple."""
    if axis is None:
        return tuple(range(ndim))
    if not isinstance(axis, tuple):
        if not hasattr(axis, "__index__"):
            raise recorder().unsure(
                TypeError(f"'{type(axis).__name__}' object cannot be interpreted as an integer")
            )
        no_truths(axis)
        if not ndim and axis in (0, -1):
            return ()
        return (normal_axis(axis, ndim),)
    axes = tuple(normal_axis(a, ndim) for a in axis)
    if len(set(axes)) < len(axes):
        # Some functions find it themselves, in other words.
        raise recorder().unsure(ValueError("duplicate value in 'axis'"))
    return axes


def one_axis(axis: Any, ndim: int) -> tuple[int, ...]:
    """Return the axis that `axis=` names, or all where it is None; a TypeError for a tuple."""
    if isinstance(axis, tuple):
        raise recorder().unsure(TypeError("'tuple' object cannot be interpreted as an integer"))
    return normal_axes(axis, ndim)


def keeps_axes(keepdims: Any) -> bool:
    """Whether `keepdims=` asks for axes of length 1; a TypeError for what is no integer of Python's, which some functions take."""
    if not is_given(keepdims, False):
        return False
    keeps = bool(keepdims)
    if not isinstance(keepdims, int):
        raise recorder().unsure(TypeError("an integer is required"))
    return keeps


def dtype_of(thing: Any) -> np.dtype[Any]:
    """Return the dtype that a number or array has in NumPy's eyes, a Python number that of its type."""
    if isinstance(thing, SymbolicArray):
        return thing.dtype
    return thing.type.dtype if isinstance(thing, SymbolicScalar) else np.asarray(thing).dtype


def result_dtype(*things: Any) -> np.dtype[Any]:
    """Return `numpy.result_type` of numbers and arrays, in which Python numbers are weak."""
    return np.dtype(
        np.result_type(
            *(
                t.dtype
                if isinstance(t, SymbolicArray)
                else (t.type.python(0) if t.weak else t.type.dtype)
                if isinstance(t, SymbolicScalar)
                else np.asarray(t)
                if isinstance(t, (str, bytes))
                else t
                for t in things
            )
        )
    )


def is_zero(dim: DimLike) -> Value:
    """Return whether a dim that run time gives is zero."""
    record = recorder()
    return record.emit("equal", record.dim_value(dim), record.constant(0, INT))
