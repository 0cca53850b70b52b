"""Whether what a trace takes for known is what it was: of the same type, with the same value, and so is what it holds."""

from __future__ import annotations

import dataclasses
import enum
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from transpile.runtime.frames import home_of

# Whose values are told by `==`, which runs no code of the user's.
ATOMS = (bool, int, str, bytes, type(None), np.bool_, np.integer, np.dtype)
# What may have attributes that change, and is guarded as it is read.
_FOLLOWED = (type, types.FunctionType, types.MethodType, enum.Enum)


def same_number(first: Any, second: Any) -> bool:
    """Whether two numbers are the same of the same type; NaN is the same as NaN, and 0.0 is not the same as -0.0."""
    return type(first) is type(second) and (
        repr(first) == repr(second) if isinstance(first, (float, complex)) else bool(first == second)
    )


def same(first: Any, second: Any) -> bool:
    """Whether two values are the same to whoever looks at them: equal things of other types inside, such as 1 and 1.0, are told apart, and so is their order."""
    kind = type(first)
    if kind is not type(second):
        return False
    if isinstance(first, (tuple, frozenset)):
        return len(first) == len(second) and all(map(same, first, second))
    if kind in (slice, range):
        return same((first.start, first.stop, first.step), (second.start, second.stop, second.step))
    if isinstance(first, (float, complex, np.inexact)):
        return same_number(first, second)
    if dataclasses.is_dataclass(kind):
        return all(same(getattr(first, f.name), getattr(second, f.name)) for f in dataclasses.fields(kind))
    return first is second or bool(first == second)


def is_value(thing: Any, is_library: Callable[[str], bool]) -> bool:
    """Whether a thing is what it is for good, and no code of the user's, other than what `dataclasses` makes, says what it equals or what its hash is."""
    kind: Any = type(thing)
    if any(_is_written(method, is_library) for method in (kind.__hash__, kind.__eq__)):
        return False
    if isinstance(thing, (tuple, frozenset)):
        return all(is_value(item, is_library) for item in thing)
    if kind is slice:
        return all(is_value(bound, is_library) for bound in (thing.start, thing.stop, thing.step))
    if kind.__hash__ is None:
        return False
    if dataclasses.is_dataclass(kind):
        parts = (getattr(thing, field.name) for field in dataclasses.fields(kind))
        frozen: bool = kind.__dataclass_params__.frozen  # type: ignore[union-attr]
        return frozen and all(is_value(part, is_library) for part in parts)
    return isinstance(thing, _FOLLOWED) or is_library(kind.__module__)


def _is_written(method: Any, is_library: Callable[[str], bool]) -> bool:
    if not isinstance(method, types.FunctionType) or is_library(home_of(method)):
        return False
    return method.__code__.co_filename != "<string>"
