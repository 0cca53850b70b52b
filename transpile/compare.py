"""Compares what two runs of a program left behind: results, arguments, output."""

from __future__ import annotations

import contextlib
import copy
import io
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


def run(function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[Any, ...]:
    """Call a function on a copy of the arguments; return what it left behind: result or error, arguments, output."""
    given = copy.deepcopy(tuple(arguments))
    output = io.StringIO()
    result: Any
    with contextlib.redirect_stdout(output):
        try:
            result = function(*given)
        except Exception as error:
            result = (type(error), str(error))
    return result, given, output.getvalue()


def difference(one: Any, other: Any, tolerance: float = 0.0) -> str:
    """Return in words where two things differ, "" where they do not: types, dtypes, shapes, and values to a relative `tolerance`."""
    if type(one) is not type(other):
        return f"type {type(one).__name__} against {type(other).__name__}"
    if isinstance(one, np.ndarray):
        return _arrays(one, other, tolerance)
    if isinstance(one, (float, complex, np.inexact)):
        return "" if _close(np.asarray(one), np.asarray(other), tolerance) else f"{one!r} against {other!r}"
    if isinstance(one, (tuple, list)):
        if len(one) != len(other):
            return f"{len(one)} items against {len(other)}"
        return next(
            filter(None, (_at(i, difference(*pair, tolerance)) for i, pair in enumerate(zip(one, other)))), ""
        )
    if isinstance(one, dict):
        if list(one) != list(other):
            return f"keys {list(one)} against {list(other)}"
        return next(filter(None, (_at(key, difference(one[key], other[key], tolerance)) for key in one)), "")
    if hasattr(one, "__dict__") and not isinstance(one, type):
        return difference(vars(one), vars(other), tolerance)
    return "" if one == other else f"{one!r} against {other!r}"


def _arrays(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any], tolerance: float) -> str:
    if (one.dtype, one.shape, one.strides) != (other.dtype, other.shape, other.strides):
        return f"{one.dtype}{list(one.shape)} against {other.dtype}{list(other.shape)}, or other strides"
    if _close(one, other, tolerance):
        return ""
    wrong = np.argwhere(~(np.isclose(one, other, equal_nan=True) if one.dtype.kind in "fc" else one == other))
    place = tuple(map(int, wrong[0])) if len(wrong) else "within rounding"
    return f"array values at {place}"


def _close(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any], tolerance: float) -> bool:
    inexact = one.dtype.kind in "fc"
    if not tolerance or not inexact:
        return np.array_equal(one, other, equal_nan=inexact)
    return np.allclose(one, other, rtol=tolerance, atol=tolerance, equal_nan=True)


def _at(key: object, text: str) -> str:
    return text and f"[{key!r}]: {text}"
