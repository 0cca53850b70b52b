"""Runs a function plainly and converted, and compares all that it leaves behind, bit for bit."""

from __future__ import annotations

import itertools
import linecache
import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import transpile
from transpile.runtime.errors import TranspileError

DEVICES = ("host", "cpu")
# The class of `array.ctypes`.
CTypes: Any = type(np.empty(0).ctypes)


def difference(expected: Any, found: Any) -> str:
    """Return in words how two results differ; nothing where type, dtype, shape, strides and every bit agree, NaN payloads aside."""
    if type(expected) is not type(found):
        return f"{found!r}, not {expected!r}: {type(found).__name__}, not {type(expected).__name__}"
    if isinstance(expected, (tuple, list)):
        if len(expected) != len(found):
            return f"{len(found)} items, not {len(expected)}"
        parts = enumerate(map(difference, expected, found))
        return "\n".join(f"[{place}] {text}" for place, text in parts if text)
    if isinstance(expected, np.ndarray):
        for name in ("dtype", "shape"):
            if getattr(expected, name) != getattr(found, name):
                return f"{name} {getattr(found, name)}, not {getattr(expected, name)}"
        if expected.size and moving(expected) != moving(found):
            return f"strides {found.strides}, not {expected.strides}"
    if isinstance(expected, (memoryview, CTypes, np.flatiter)):
        one, other = _behind(expected), _behind(found)
        return difference(one, other) or difference(one.flags, other.flags)
    if isinstance(expected, (np.ndarray, np.generic, float, complex)):
        return _bits_difference(np.asarray(expected), np.asarray(found))
    return "" if expected == found else f"{found!r}, not {expected!r}"


def _behind(thing: Any) -> Any:
    """Return the array of which something shows the memory, or the elements."""
    if isinstance(thing, np.flatiter):
        return thing.base
    return thing.obj if isinstance(thing, memoryview) else thing._arr


def moving(array: np.ndarray[Any, Any]) -> list[int]:
    """Return the strides that say something."""
    return [stride for stride, size in zip(array.strides, array.shape, strict=True) if size > 1]


def _bits_difference(expected: np.ndarray[Any, Any], found: np.ndarray[Any, Any]) -> str:
    if expected.dtype != found.dtype:
        return f"{found.dtype}, not {expected.dtype}"
    one, other = np.ascontiguousarray(expected).ravel(), np.ascontiguousarray(found).ravel()
    if one.dtype.kind == "c":
        one, other = (a.view(a.dtype.char.lower()) for a in (one, other))
    wrong = one != other
    if one.dtype.kind == "f":
        wrong = (wrong | (np.signbit(one) != np.signbit(other))) & ~(np.isnan(one) & np.isnan(other))
    places = np.flatnonzero(wrong)
    if not places.size:
        return ""
    shown = [(int(place), other[place].item(), one[place].item()) for place in places[:4]]
    return f"{places.size} of {one.size} numbers differ; (place, found, expected): {shown}"


def outcome(function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[str, Any]:
    """Return what a call gives or raises; what transpile itself raises is not caught."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            return "gives", function(*arguments)
        except TranspileError:
            raise
        except Exception as error:
            return "raises", (type(error), str(error))


def disagreement(
    function: Callable[..., Any],
    converted: Callable[..., Any],
    make: Callable[[], Sequence[Any]],
) -> str:
    """Return how a converted function's call differs from the plain one; `make` makes the same arguments anew each time."""
    plain, staged = list(make()), list(make())
    expected, found = outcome(function, plain), outcome(converted, staged)
    if expected[0] != found[0]:
        return f"{found[0]} {found[1]!r}, but NumPy {expected[0]} {expected[1]!r}"
    return difference(expected[1], found[1]) or difference(plain, staged)


_numbers = itertools.count()


def function_of(body: str, parameters: str) -> Callable[..., Any]:
    """Return the function that gives an expression, or runs statements that return."""
    lines = body.strip().splitlines()
    if len(lines) == 1 and not lines[0].startswith(("return ", "raise ")):
        lines[0] = f"return {lines[0]}"
    text = "\n    ".join([f"def f({parameters}):", *lines]) + "\n"
    name = f"<op {next(_numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"np": np, "math": math}
    exec(compile(text, name, "exec"), namespace)
    found: Callable[..., Any] = namespace["f"]
    return found


def convert(function: Callable[..., Any], device: str) -> Any:
    """Convert a function that must be compiled whole."""
    return transpile.convert(function, strict=True, device=device)  # type: ignore[arg-type]


def agree(function: Callable[..., Any], make: Callable[[], Sequence[Any]], device: str) -> None:
    """Check that one call of a converted function does what the plain one does, and that the kernel does it."""
    converted = convert(function, device)
    text = disagreement(function, converted, make)
    assert not text, text
    assert not any(e.deoptimised for e in converted.calls.entries), "the original ran the call"
