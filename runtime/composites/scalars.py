"""NumPy's scalar types as functions, and what is asked of numbers alone."""

from __future__ import annotations

import operator
import sys
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import (
    FUNCTIONS,
    METHODS,
    PYTHON_ATTRIBUTES,
    PYTHON_METHODS,
    implements,
)
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.numbers import DTYPES, as_scalar, cast, lift, to_weak
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.storing import cast_for_store
from transpile.runtime.arrays.truth import truth
from transpile.runtime.arrays.union import Union
from transpile.runtime.graph.types import BOOL, FLOAT64, INT64, PYTHON_TYPES, weak

from .sequences import as_array, copied


def _scalar_type(type_: type) -> None:
    """Declare what stands for a call of a scalar type: `numpy.uint8(x)`."""
    dtype = np.dtype(type_)

    def implementation(*args: Any) -> Any:
        if not is_symbolic(args, 8):
            known = type_(*args)
            return as_array(known) if isinstance(known, np.ndarray) else known
        if len(args) != 1:
            recorder().unstageable("S144-keyword", f"numpy.{type_.__name__} of several arguments")
        (thing,) = args
        thing = thing.numbers() if isinstance(thing, Union) else thing
        thing = thing.resolved() if isinstance(thing, Union) else thing
        if isinstance(thing, (list, tuple)):
            thing = as_array(thing)
        if isinstance(thing, SymbolicArray):
            # The types that are Python types too, and the others, both give arrays for arrays: those of their own as they are.
            if not thing.ndim:
                return SymbolicScalar(cast(as_scalar(thing.read()), dtype))
            return thing if thing.dtype == dtype else copied(thing, "K", dtype)
        value = lift(thing)
        if value.type.dtype.kind == "c" and dtype.kind not in "cb":  # type: ignore[union-attr]
            if thing.weak:
                raise TypeError(_complex_error(dtype))
            recorder().unstageable("S146-imaginary", "a complex number is cast to a real one", "use .real")
        if dtype == BOOL:
            return SymbolicScalar(cast(lift(truth(thing)), BOOL))
        return SymbolicScalar(cast_for_store(value, dtype))

    FUNCTIONS[type_] = implementation


def _complex_error(dtype: np.dtype[Any]) -> str:
    name = "float" if dtype.kind == "f" else "int"
    if name == "int":
        return "int() argument must be a string, a bytes-like object or a real number, not 'complex'"
    return "float() argument must be a string or a real number, not 'complex'"


for _dtype in DTYPES:
    _scalar_type(_dtype.type)


@implements(operator.index)
def index(thing: Any) -> Any:
    """Stand for `operator.index`."""
    if isinstance(thing, SymbolicScalar):
        as_dim(thing)
        return SymbolicScalar(to_weak(thing.value, INT64))
    return operator.index(thing)


# -- Python's numbers ---------------------------------------------------------------------------------------------


def part(number: SymbolicScalar, name: str) -> Any:
    """Return the real or imaginary part of a number, of the same kind."""
    dtype = number.type.dtype
    if dtype.kind != "c":
        if name == "real":
            return SymbolicScalar(to_weak(number.value, INT64)) if number.weak and dtype == BOOL else number
        if number.weak:
            return PYTHON_TYPES_ZERO[number.type.dtype]
        return dtype.type(0)
    value = recorder().emit(name, cast(number.value, dtype))
    return SymbolicScalar(to_weak(value, FLOAT64) if number.weak else value)


PYTHON_TYPES_ZERO: dict[Any, Any] = {
    dtype: 0 if python is bool else python(0) for python, dtype in PYTHON_TYPES.items()
}

PYTHON_ATTRIBUTES["real"] = lambda number: part(number, "real")
PYTHON_ATTRIBUTES["imag"] = lambda number: part(number, "imaginary")
PYTHON_ATTRIBUTES["numerator"] = lambda number: part(number, "real")
PYTHON_ATTRIBUTES["denominator"] = lambda number: 1


def _conjugate(number: SymbolicScalar) -> Any:
    if number.type.dtype.kind != "c":
        return part(number, "real")
    value = recorder().emit("conjugate", cast(number.value, number.type.dtype))
    return SymbolicScalar(to_weak(value, number.type.dtype))


PYTHON_METHODS["conjugate"] = _conjugate


def _is_integer(number: SymbolicScalar) -> Any:
    if number.type.dtype.kind != "f":
        return True
    value = cast(number.value, FLOAT64)
    record = recorder()
    finite = record.emit("isfinite", value)
    whole = record.emit("equal", record.emit("floor", value), value)
    return SymbolicScalar(cast_to_bool(record.emit("bitwise_and", finite, whole)))


def cast_to_bool(value: Any) -> Any:
    """Return a truth as Python's bool."""
    return to_weak(value, weak(bool).dtype)


PYTHON_METHODS["is_integer"] = METHODS["is_integer"] = _is_integer


# -- functions that take known things only ------------------------------------------------------------------------


def _known(function: Any) -> None:
    def implementation(*args: Any, **kwargs: Any) -> Any:
        for arg in args[_ARRAYS.get(function, 0) :]:
            if isinstance(arg, SymbolicArray):
                raise recorder().unsure(TypeError("Cannot construct a dtype from an array"))
        args = tuple(map(_dtype_like, args))
        if is_symbolic((*args, *kwargs.values())):
            recorder().unstageable(
                "S142-unknown", f"numpy.{function.__name__} of something that run time gives"
            )
        return function(*args, **kwargs)

    FUNCTIONS[function] = implementation


def _dtype_like(thing: Any) -> Any:
    """Return what stands for a number or array where only its type matters."""
    if isinstance(thing, SymbolicArray):
        return thing.dtype
    if isinstance(thing, SymbolicScalar):
        return thing.type.python(0) if thing.weak else thing.type.dtype
    return thing


# How many arguments may be arrays.
_ARRAYS: dict[Any, int] = {np.result_type: sys.maxsize, np.can_cast: 1}

for _function in (
    np.dtype, np.iinfo, np.finfo, np.result_type, np.promote_types, np.can_cast, np.issubdtype, np.get_include,
):  # fmt: skip
    _known(_function)


@implements(np.isscalar)
def isscalar(element: Any) -> Any:
    """Stand for `numpy.isscalar`."""
    if isinstance(element, Union):
        return element.on_each_way(isscalar)
    if isinstance(element, SymbolicScalar) or getattr(type(element), "stands_for", None) is str:
        return True
    return not isinstance(element, SymbolicArray) and np.isscalar(element)


@implements(np.iscomplexobj)
def iscomplexobj(x: Any) -> bool:
    """Stand for `numpy.iscomplexobj`."""
    return bool(_array_dtype(x).kind == "c")


@implements(np.isrealobj)
def isrealobj(x: Any) -> bool:
    """Stand for `numpy.isrealobj`."""
    return bool(_array_dtype(x).kind != "c")


def _array_dtype(thing: Any) -> np.dtype[Any]:
    array = as_array(thing)
    dtype: np.dtype[Any] = array.dtype
    return dtype
