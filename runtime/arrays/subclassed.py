"""Integers of classes made of `int`, such as members of an `IntEnum`, as operands."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from transpile.runtime.ops.elementwise import OPERATORS

from .scalar import SymbolicScalar

# The special methods of Python's operators.
_METHODS = tuple(
    name
    for operator in OPERATORS.values()
    for name in (f"__{operator.__name__.strip('_')}__",)
    if hasattr(int, name)
)


def is_subclassed(value: Any) -> bool:
    """Whether a value is an integer of a class that leaves all operators to `int`."""
    class_: Any = type(value)
    return isinstance(value, int) and class_ not in (int, bool) and _leaves_operators(class_)


@functools.cache
def _leaves_operators(class_: Any) -> bool:
    reflected = [f"__r{name[2:]}" for name in _METHODS]
    return all(
        getattr(class_, name, None) is getattr(int, name, None)
        for name in (*_METHODS, *reflected, "__index__", "__int__", "__float__", "__bool__")
    )


def without_class(operands: tuple[Any, ...], python: bool) -> tuple[Any, ...]:
    """Return operands of an operator of Python's, or of a ufunc, as they count in it: to NumPy such an integer is no Python number, but an int64."""
    if not any(map(is_subclassed, operands)):
        return operands
    others = [operand for operand in operands if not is_subclassed(operand)]
    weak = python and all(
        operand.weak if isinstance(operand, SymbolicScalar) else type(operand) in (bool, int, float, complex)
        for operand in others
    )
    return tuple((int if weak else np.int64)(o) if is_subclassed(o) else o for o in operands)
