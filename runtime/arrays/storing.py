"""Casts of what is stored into an array, which raise where NumPy's do."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import FLOAT64, INT64, DType, ScalarType, element

from .numbers import cast, raise_if, to_weak
from .recorder import recorder
from .scalar import SymbolicScalar


def cast_for_store(value: Value, dtype: DType, item: bool = False) -> Value:
    """Return a value cast to the dtype of the array that it is stored in.

    A Python float has to fit an integer. With `item`, where NumPy takes numbers one by one, so has a NumPy scalar, if the integer has a sign.
    """
    type_ = value.type
    if element(type_).kind == "c" and dtype.kind not in "cb":
        if isinstance(type_, ScalarType) and type_.weak:
            np.zeros(1, dtype)[0] = 1j  # raises NumPy's own error
        recorder().unstageable(
            "S146-imaginary", "complex numbers are stored as real ones, of which NumPy warns", "use .real"
        )
    if not isinstance(type_, ScalarType) or type_.dtype == dtype:
        return cast(value, dtype)
    if dtype.kind in "iu":
        if type_.weak and type_.dtype.kind == "f":
            _check_float(value, dtype)
            value = cast(value, FLOAT64)
        elif item and not type_.weak and dtype.kind == "i" and not np.can_cast(type_.dtype, dtype):
            if type_.dtype.kind == "f":
                _check_float(to_weak(cast(value, FLOAT64), FLOAT64), dtype)
            elif type_.dtype.kind in "iu":
                _check_integer(value, dtype)
    return cast(value, dtype)


def _check_float(value: Value, dtype: DType) -> None:
    """Make sure that what is left of a Python float without its fraction fits an integer."""
    info: Any = np.iinfo(dtype)
    number = SymbolicScalar(value)
    low = number >= float(info.min) if info.min == -(2**63) else number > float(info.min - 1)
    _check(value, low & (number < float(int(info.max) + 1)), dtype)


def _check_integer(value: Value, dtype: DType) -> None:
    """Make sure that a NumPy integer fits another with a sign."""
    info: Any = np.iinfo(dtype)
    number: Any = SymbolicScalar(value)
    if value.type == ScalarType(np.dtype(np.uint64)):
        _check(value, number <= np.uint64(info.max), dtype)
        return
    number = SymbolicScalar(to_weak(cast(value, INT64), INT64))
    _check(value, (number >= int(info.min)) & (number <= int(info.max)), dtype)


def _check(value: Value, fits: Any, dtype: DType) -> None:
    made = value.op
    if made is not None and made.name == "constant":
        error = _error(made.attributes["value"], dtype)
        if error is not None:
            raise error
        return
    # A comparison of NumPy's numbers is NumPy's truth, and one of Python's numbers Python's: either way it is inverted by a comparison.
    raise_if(fits == False, lambda number: _error(number, dtype) or AssertionError(), SymbolicScalar(value))  # noqa: E712


def _error(number: Any, dtype: DType) -> Exception | None:
    """Return the error of NumPy for a number that is stored into an array of a dtype, if there is one."""
    try:
        np.zeros(1, dtype)[0] = number
    except (OverflowError, ValueError) as error:
        return error.with_traceback(None)
    return None
