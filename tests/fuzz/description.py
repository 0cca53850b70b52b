"""Describes what a call has left behind, so that it can be compared with what the same call left in another module."""

from __future__ import annotations

import re
import traceback
import types
from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np

# Where an object lies is not of a program's doing.
ADDRESS = re.compile(" at 0x[0-9a-f]+")
PLAIN = (type(None), bool, int, float, complex, bytes, range, slice, type(Ellipsis), np.generic)


class Description:
    """Describes values: what they hold, to the bit; which of them are the same object; which arrays share memory."""

    def __init__(self, signs: bool = True) -> None:
        self.signs = signs
        self._labels: dict[int, int] = {}
        # Labels are of objects that are alive.
        self._arrays: list[np.ndarray[Any, Any]] = []
        self._others: list[Any] = []

    def of(self, value: Any) -> Any:
        """Return a value as a structure of tuples, dictionaries, plain values and arrays."""
        if isinstance(value, tuple):
            return type(value).__name__, *map(self.of, value)
        if isinstance(value, str):
            return ADDRESS.sub(" at 0x", value)
        if isinstance(value, PLAIN):
            return value
        if id(value) in self._labels:
            return f"object {self._labels[id(value)]}"
        self._labels[id(value)] = len(self._labels)
        if isinstance(value, np.ndarray):
            self._arrays.append(value)
            return value if self.signs else without_signs(value)
        self._others.append(value)
        return type(value).__name__, self._contents(value)

    def _contents(self, value: Any) -> Any:
        if isinstance(value, (list, set, frozenset, deque)):
            return [self.of(item) for item in value]
        if isinstance(value, dict):
            return [(self.of(key), self.of(item)) for key, item in value.items()]
        if isinstance(value, BaseException):
            return self.error(value)
        if isinstance(value, types.FunctionType):
            cells = [cell.cell_contents for cell in value.__closure__ or ()]
            return value.__name__, self.of(value.__defaults__), [self.of(cell) for cell in cells]
        if isinstance(value, types.MethodType):
            return value.__name__, self.of(value.__self__)
        if isinstance(value, type):
            return value.__name__, self.names({k: v for k, v in vars(value).items() if _is_state(k, v)})
        if isinstance(value, types.ModuleType):
            return self.names({k: v for k, v in vars(value).items() if _is_state(k, v)})
        return self.names(vars(value)) if hasattr(value, "__dict__") else None

    def names(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Describe what names have."""
        return {name: self.of(value) for name, value in values.items()}

    def error(self, error: BaseException) -> Any:
        """Describe an error: type, message, what it holds, the program's line, and the errors that it came of."""
        line = None
        # Where CPython says that an unbound name was read depends on how often the function ran.
        if not isinstance(error, NameError):
            # NumPy raises some errors in functions of its own, and some not: asked for is the innermost line of the program.
            frames = traceback.extract_tb(error.__traceback__)
            line = next((f.lineno for f in reversed(frames) if f.filename.startswith("<program ")), None)
        chain = [e and self.of(e) for e in (error.__cause__, error.__context__)]
        return self.of(str(error)), line, self.names(vars(error)), chain, error.__suppress_context__

    def shared(self) -> list[list[bool]]:
        """Return which of the arrays described share memory."""
        return [[np.shares_memory(one, other) for one in self._arrays] for other in self._arrays]


def without_signs(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a copy that has the strides of an array, and all its NaNs of one sign."""
    if array.dtype.kind not in "fc" or not array.size:
        return array
    low, high = np.lib.array_utils.byte_bounds(array)
    copy = np.ndarray(array.shape, array.dtype, bytearray(high - low), _offset(array, low), array.strides)
    copy[...] = array
    for part in (copy.real, copy.imag) if array.dtype.kind == "c" else (copy,):
        part[np.isnan(part)] = np.nan
    return copy


def _offset(array: np.ndarray[Any, Any], low: int) -> int:
    return int(array.__array_interface__["data"][0]) - low


def _is_state(name: str, value: Any) -> bool:
    """Whether what a class or module has is something that a program may change."""
    return (
        not name.startswith("__")
        and not callable(value)
        and not isinstance(value, (property, classmethod, staticmethod))
    )
