"""What NumPy does of floating-point errors is what `numpy.errstate` says: nothing, a warning, an exception, a call, a line, an entry of a log."""

from __future__ import annotations

import contextlib
import io
import warnings
from typing import Any

import numpy as np
import pytest

import transpile

MODES = ("ignore", "warn", "raise", "call", "print", "log")
ARRAYS = {
    "divide": np.array([1.0, 0.0, 2.0]),
    "over": np.array([1e308, 2.0, 1e200]),
    "under": np.array([1e-308, 2.0, 1e-200]),
    "invalid": np.array([np.inf, 0.0, -1.0]),
    "none": np.array([1.0, 2.0, 3.0]),
}


def elementwise(x: Any) -> Any:
    y = 1.0 / x
    z = x * x
    return y, z - z, np.sqrt(x)


def in_a_loop(x: Any) -> Any:
    total = np.float64(0.0)
    for i in range(len(x)):
        total = total + x[i] / x[len(x) - 1 - i]
    return total


def by_methods(x: Any) -> Any:
    return np.add.reduce(x * 1e300), np.divide.accumulate(x), np.fft.fft(x), np.cumsum(x)


def said_within(x: Any) -> Any:
    with np.errstate(all="ignore"):
        first = 1.0 / x
    with np.errstate(divide="raise", over="warn"):
        second = x * x
    return first, second


class Log:
    """What is told to a log."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, text: str) -> None:
        """Keep a line."""
        self.lines.append(text)


def outcome(function: Any, array: Any, mode: str) -> Any:
    """Return what a call gives or raises, and what it warns of, prints, calls and logs."""
    log, called = Log(), []
    told: Any = (
        log
        if mode == "log"
        else (lambda kind, flags: called.append((kind, flags)))
        if mode == "call"
        else None
    )
    text = io.StringIO()
    with (
        warnings.catch_warnings(record=True) as seen,
        contextlib.redirect_stdout(text),
        np.errstate(all=mode, call=told),
    ):
        warnings.simplefilter("always")
        try:
            found: Any = repr(function(array.copy()))
        except FloatingPointError as error:
            found = repr(error)
    said = [str(w.message) for w in seen if w.category is RuntimeWarning]
    return found, said, text.getvalue(), log.lines, called


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [elementwise, in_a_loop, by_methods, said_within])
def test_errors_are_dealt_with_as_numpy_is_told(function: Any, device: str) -> None:
    converted = transpile.convert(function, device=device)
    for mode in MODES:
        for name, array in ARRAYS.items():
            expected = outcome(function, array, mode)
            for _ in range(2):
                assert outcome(converted, array, mode) == expected, (mode, name)


def checked(x: Any) -> Any:
    np.testing.assert_array_almost_equal_nulp(x, x)
    return x + 1


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_what_is_called_of_numpy_for_what_it_does_warns(device: str) -> None:
    with pytest.warns(RuntimeWarning, match="overflow encountered in spacing"):
        transpile.convert(checked, strict=True, device=device)(np.array([1.0, np.finfo(float).max]))


def raised_before_python_is_called(n: int) -> Any:
    out = np.zeros(n)
    for i in range(n):
        # The least of two is found by what clears the flags; that of ``exp`` is raised again, and Python is called then.
        out[i] = np.min([1.0, np.exp(5.0 * i)])
        out[i] += np.random.normal(np.array([0.0, 1.0]), np.array([1.0, 2.0]))[0]
    return out


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_calls_into_python_keep_what_was_raised_before(device: str) -> None:
    with pytest.warns(RuntimeWarning, match="overflow encountered in exp"):
        transpile.convert(raised_before_python_is_called, strict=True, device=device)(200)
