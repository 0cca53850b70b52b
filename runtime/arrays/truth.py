"""The truth of values."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import (
    BOOL,
)

from .array import SymbolicArray
from .choices import choose
from .elementwise import operate
from .numbers import as_scalar, lift, to_weak
from .operand import Operand
from .recorder import recorder
from .scalar import SymbolicScalar
from .union import Union


def truth(value: Any) -> Any:
    """Return `bool(value)`: a Python bool where it is known, else a symbolic one.

    Raises NumPy's ValueError for an array of other than one element.
    """
    if isinstance(value, Union):
        if not all(isinstance(a, SymbolicScalar) for a in value.alternatives):
            value = value.bound()
        if isinstance(value, Union) and value.has_others:
            return Operand.on_way(value.tag, value.alternatives, truth)
        if isinstance(value, Union):
            parts = [truth(alternative) for alternative in value.alternatives]
            return choose(value.tag, parts)
    if isinstance(value, SymbolicArray):
        value = _only_element(value)
    if isinstance(value, SymbolicScalar):
        if value.type.dtype == BOOL:
            return SymbolicScalar(to_weak_bool(value.value))
        zero = np.zeros((), value.type.dtype)[()]
        return SymbolicScalar(
            recorder().emit(
                "cast",
                lift(operate("not_equal", value, value.type.python(0) if value.weak else zero)),
                dtype=BOOL,
                weak=True,
            )
        )
    if getattr(value, "is_staged", False):
        return truth(value.length)
    # What stands for a user's object may be true as run time says.
    true = getattr(type(value), "__true__", None)
    return bool(value) if true is None else true(value)


def to_weak_bool(value: Value) -> Value:
    """Return a truth as Python's bool."""
    return to_weak(value, BOOL)


def _only_element(array: SymbolicArray) -> Any:
    for dim in array.dims:
        if dim != 1 and not recorder().assume_equal(dim, 1):
            if isinstance(dim, int):
                if dim == 0:
                    raise ValueError(
                        "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty."
                    )
                raise ValueError(
                    "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
                )
            recorder().unstageable("S123-truth", "the truth of an array whose size run time gives")
    return array[(0,) * array.ndim] if array.ndim else SymbolicScalar(as_scalar(array.read()))
