"""Elements chosen by conditions and bounds."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.broadcasting import agree, broadcast_error
from transpile.runtime.arrays.elementwise import operate
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.numbers import as_scalar, cast, lift
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.union import Union
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import BOOL, ScalarType, dims_of, element

from .arguments import NOTHING, as_dtype, dtype_of, is_given, result_dtype
from .sequences import as_array
from .ufuncs import as_operand


def _operand(thing: Any) -> Any:
    if isinstance(thing, Union):
        thing = thing.numbers()
        thing = thing.resolved() if isinstance(thing, Union) else thing
    return as_operand(thing)


@functools.cache
def _wraps() -> bool:
    """Whether `numpy.where` lets a Python integer wrap that does not fit, as it does before NumPy 2.5."""
    try:
        np.where(True, np.int8(1), 300)
    except OverflowError:
        return False
    return True


@implements(np.where)
def where(condition: Any, x: Any = NOTHING, y: Any = NOTHING, /) -> Any:
    """Stand for `numpy.where` with three arguments."""
    if x is NOTHING and y is NOTHING:
        nonzero = FUNCTIONS.get(np.nonzero)
        if nonzero is None:
            recorder().unstageable("S149-nonzero", "numpy.where with one argument")
        return nonzero(condition)
    if x is NOTHING or y is NOTHING:
        raise ValueError("either both or neither of x and y should be given")
    condition, x, y = (_operand(thing) for thing in (condition, x, y))
    wanted = as_dtype(result_dtype(x, y))
    values = [as_scalar(lift(thing)) for thing in (condition, x, y)]
    agree([dims_of(value.type) for value in values], broadcast_error)
    fitted = (cast(strong(v) if _wraps() else v, wanted) for v in values[1:])
    chosen = recorder().emit("select", cast(values[0], BOOL), *fitted)
    if isinstance(chosen.type, ScalarType):
        chosen = recorder().emit("fill", chosen, dims=())
    return fresh(chosen)


def strong(value: Value) -> Value:
    """Return a Python number as NumPy's number of its own dtype."""
    return cast(value, element(value.type))


@implements(np.clip)
def clip(
    a: Any,
    a_min: Any = NOTHING,
    a_max: Any = NOTHING,
    out: Any = None,
    *,
    min: Any = NOTHING,
    max: Any = NOTHING,
    **kwargs: Any,
) -> Any:
    """Stand for `numpy.clip`."""
    if a_min is NOTHING and a_max is NOTHING:
        return clip_method(a, min, max, out, **kwargs)
    for name, bound in (("a_min", a_min), ("a_max", a_max)):
        if bound is NOTHING:
            raise TypeError(f"clip() missing 1 required positional argument: '{name}'")
    if min is not NOTHING or max is not NOTHING:
        raise ValueError(
            "Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden."
        )
    return clip_method(a, a_min, a_max, out, **kwargs)


@implements(method="clip")
def clip_method(a: Any, min: Any = None, max: Any = None, out: Any = None, **kwargs: Any) -> Any:
    """Stand for `array.clip`."""
    low, high = (bound if is_given(bound) else None for bound in (min, max))
    array = _operand(a)
    if not isinstance(array, (SymbolicArray, SymbolicScalar)) or (
        isinstance(array, SymbolicScalar) and array.weak
    ):
        array = as_array(array)
    dtype = array.dtype if isinstance(array, SymbolicArray) else array.type.dtype
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        low = _outside(low, "less_equal", int(info.min))
        high = _outside(high, "greater_equal", int(info.max))
    call = FUNCTIONS[np.ufunc]
    if low is None and high is None:
        return call(np.positive, "__call__", array, out=out, **kwargs)
    if low is None:
        return call(np.minimum, "__call__", array, high, out=out, **kwargs)
    if high is None:
        return call(np.maximum, "__call__", array, low, out=out, **kwargs)
    return call(np._core.umath.clip, "__call__", array, low, high, out=out, **kwargs)  # type: ignore[attr-defined]


def _outside(bound: Any, test: str, edge: int) -> Any:
    """Return None for a bound that is a Python integer at or beyond the edge of the dtype."""
    if type(bound) is int:
        return None if (bound <= edge if test == "less_equal" else bound >= edge) else bound
    if (
        isinstance(bound, SymbolicScalar)
        and bound.weak
        and bound.type.dtype.kind == "i"
        and -(2**63) < edge < 2**63 - 1
    ):
        beyond = operate(test, bound, edge)
        recorder().deoptimise_if(lift(beyond), "a bound of numpy.clip lies outside the dtype")
    return bound


_select: Any = np.select


@implements(np.select)
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """Stand for `numpy.select`."""
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if not condlist:
        raise ValueError("select with an empty condition list is not possible")
    conditions = [as_array(condition) for condition in condlist]
    for place, condition in enumerate(conditions):
        if condition.dtype != BOOL:
            raise TypeError(f"invalid entry {place} in condlist: should be boolean ndarray")
    choices = [_operand(choice) for choice in (*choicelist, default)]
    wanted = as_dtype(result_dtype(*choices))
    for dtype in map(dtype_of, choices[:-1]):
        if not np.can_cast(dtype, wanted, "same_kind"):
            # Python's integers decide no dtype, but are stored as arrays of their own.
            raise TypeError(
                f"Cannot cast array data from {dtype!r} to {wanted!r} according to the rule 'same_kind'"
            )
    values = [cast(strong(as_scalar(lift(choice))), wanted) for choice in choices]
    dims = agree([*(c.dims for c in conditions), *(dims_of(v.type) for v in values)], broadcast_error)
    result = values[-1]
    for condition, value in zip(reversed(conditions), reversed(values[:-1]), strict=True):
        result = recorder().emit("select", as_scalar(condition.read()), value, result)
    if dims_of(result.type) != dims:
        # Where conditions stretch the choices, NumPy's own Python is traced.
        return Operand.call(_select._implementation, condlist, choicelist, default)
    if not dims:
        result = recorder().emit("fill", result, dims=())
    elif getattr(result.type, "order", None) is not None:
        result = recorder().emit("copy", result, order=None)
    return fresh(result)
