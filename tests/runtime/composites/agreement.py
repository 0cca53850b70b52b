"""Runs an expression as it is and converted, and compares everything about the two results."""

from __future__ import annotations

import copy
import itertools
import linecache
from collections.abc import Sequence
from typing import Any

import numpy as np

import transpile

_numbers = itertools.count()

# What the cases are made of.
X = np.arange(12.0).reshape(3, 4) - 3.3
X32 = (X * 1.7).astype(np.float32)
Z = X + 1j * X[::-1]
I8 = np.arange(-6, 6, dtype=np.int8)
NONE = X[:, :0]
F32 = np.float32


def function_of(body: str, parameters: str) -> Any:
    """Return the function with this body: an expression, or statements that return."""
    lines = body.strip().splitlines()
    try:
        compile(body, "", "eval")
        lines[0] = f"return {lines[0]}"
    except SyntaxError:
        pass
    text = "\n    ".join([f"def f({parameters}):", *lines]) + "\n"
    name = f"<composite {next(_numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"np": np}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


def difference(one: Any, other: Any) -> str:
    """Return how two results differ; nothing where they are alike in type, dtype, shape, strides and every bit."""
    if type(one) is not type(other):
        return f"{type(one).__name__} and {type(other).__name__}"
    if isinstance(one, np.ndarray):
        if (one.dtype, one.shape) != (other.dtype, other.shape):
            return f"{one.dtype}{one.shape} and {other.dtype}{other.shape}"
        if one.flags.writeable != other.flags.writeable:
            return f"writeable {one.flags.writeable} and {other.flags.writeable}"
        if one.size and _moving(one) != _moving(other):
            return f"strides {one.strides} and {other.strides}"
        return "" if _bits(one) == _bits(other) else f"{one!r} and {other!r}"
    if isinstance(one, (tuple, list)):
        if len(one) != len(other):
            return f"{len(one)} and {len(other)} items"
        return "; ".join(filter(None, map(difference, one, other)))
    if isinstance(one, (np.generic, float, complex)):
        return "" if _bits(np.asarray(one)) == _bits(np.asarray(other)) else f"{one!r} and {other!r}"
    return "" if one == other else f"{one!r} and {other!r}"


def _moving(array: np.ndarray[Any, Any]) -> list[int]:
    return [stride for stride, size in zip(array.strides, array.shape, strict=True) if size > 1]


def _bits(array: np.ndarray[Any, Any]) -> Any:
    if array.dtype.kind in "fc":
        # Which NaN it is depends on the order of operands that compilers choose.
        return np.where(
            np.isnan(array),
            "nan",
            np.char.mod("%s", np.asarray([repr(x) for x in array.ravel().tolist()])).reshape(array.shape),
        ).tolist()
    return array.tolist()


def _outcome(function: Any, arguments: Sequence[Any]) -> Any:
    try:
        return "gives", function(*arguments)
    except Exception as error:
        if isinstance(error, transpile.runtime.errors.TranspileError):
            raise
        return "raises", (type(error), str(error))


def _shared(result: Any, arguments: Sequence[Any]) -> list[bool]:
    """Return, for each array in a result and each argument, whether they share memory."""
    parts = result if isinstance(result, (tuple, list)) else [result]
    return [
        np.shares_memory(part, argument)
        for part in parts
        for argument in arguments
        if isinstance(part, np.ndarray) and isinstance(argument, np.ndarray)
    ]


def agree(body: str, *arguments: Any, device: str = "host") -> None:
    """Check that a converted function does to these arguments what it does as it is."""
    parameters = ", ".join("abcdefgh"[: len(arguments)])
    function = function_of(body, parameters)
    converted = transpile.convert(function, strict=True, device=device)
    plain, staged = _like(arguments), _like(arguments)
    expected = _outcome(function, plain)
    found = _outcome(converted, staged)
    assert expected[0] == found[0], f"{body}: {expected} and {found}"
    if expected[0] == "raises":
        assert expected[1] == found[1], body
    else:
        assert not difference(expected[1], found[1]), f"{body}: {difference(expected[1], found[1])}"
        assert _shared(expected[1], plain) == _shared(found[1], staged), f"{body}: shared memory"
    for before, after in zip(plain, staged, strict=True):
        assert not difference(before, after), f"{body}: arguments {difference(before, after)}"


def _like(arguments: Sequence[Any]) -> list[Any]:
    """Return copies of arguments that lie in memory as these do."""
    return [
        _copy_of(argument) if isinstance(argument, np.ndarray) else copy.deepcopy(argument)
        for argument in arguments
    ]


def _copy_of(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if not array.size:
        return array.copy()
    low, high = np.lib.array_utils.byte_bounds(array)
    memory = np.empty(high - low, np.uint8)
    offset = array.__array_interface__["data"][0] - low
    result: np.ndarray[Any, Any] = np.ndarray(array.shape, array.dtype, memory, offset, array.strides)
    result[...] = array
    return result


def layouts(array: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    """Return an array in several orders in memory: C, Fortran's, with gaps, backwards."""
    gaps = np.zeros(tuple(2 * size for size in array.shape), array.dtype)[
        (slice(None, None, 2),) * array.ndim
    ]
    gaps[...] = array
    backwards = np.flip(np.flip(array).copy())
    return [array.copy(), np.asfortranarray(array), gaps, backwards]


def in_layouts(body: str, *arguments: Any) -> None:
    """Check, with the arrays in other orders in memory, that a call agrees with the plain one or is refused for its layout."""
    arrays = [a for a in arguments if isinstance(a, np.ndarray) and a.size]
    for place in range(1, 4) if arrays else ():
        turned = [layouts(a)[place] if isinstance(a, np.ndarray) and a.size else a for a in arguments]
        try:
            agree(body, *turned)
        except transpile.runtime.errors.StagingError as error:
            assert error.code in _OF_LAYOUTS, error


# The strides of memory with gaps decide: whether a view is given, what BLAS adds up first.
_OF_LAYOUTS = (
    "S110-alias", "S145-shape", "S171-strides", "S180-dot", "S184-reshape", "S185-order", "S212-view",
)  # fmt: skip
