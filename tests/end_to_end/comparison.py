"""Runs a function plainly and converted, and compares everything that a caller can see."""

from __future__ import annotations

import contextlib
import copy
import io
import traceback
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass
class Outcome:
    """What a call did: what it returned or raised, what its arguments hold afterwards, what it printed."""

    result: Any
    error: BaseException | None
    arguments: tuple[Any, ...]
    output: str

    @property
    def raised_at(self) -> tuple[str, int] | None:
        """File and line of the innermost frame of the error."""
        if self.error is None:
            return None
        frame = traceback.extract_tb(self.error.__traceback__)[-1]
        return frame.filename, frame.lineno or 0


class _OfProgram(Outcome):
    """An outcome whose error is placed in the program: NumPy raises some errors in functions of its own, and some not."""

    @property
    def raised_at(self) -> tuple[str, int] | None:
        if self.error is None:
            return None
        frames = traceback.extract_tb(self.error.__traceback__)
        found = next(frame for frame in reversed(frames) if "/numpy/" not in frame.filename)
        return found.filename, found.lineno or 0


def of_program(outcome: Outcome) -> Outcome:
    """Return an outcome whose error is placed in the program: the host runs none of NumPy's own Python."""
    return _OfProgram(**vars(outcome))


def call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Outcome:
    """Call a function on copies of arguments."""
    arguments = copy.deepcopy(arguments)
    output = io.StringIO()
    result, error = None, None
    # Warnings have tests of their own: here kernels run to their ends, with values of which NumPy would warn.
    with contextlib.redirect_stdout(output), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        # NumPy 2.5 discourages setting shapes.
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            result = function(*arguments)
        except Exception as raised:
            error = raised
    return Outcome(result, error, arguments, output.getvalue())


def differences(expected: Any, found: Any, where: str = "result") -> list[str]:
    """Return what is different between two things, with arrays compared to the bit, in dtype, shape and strides."""
    if isinstance(expected, types.ModuleType):
        return [] if expected is found else [f"{where}: another module"]
    if type(expected) is not type(found):
        return [f"{where}: type {type(found).__name__}, not {type(expected).__name__}"]
    if isinstance(expected, np.ndarray):
        return _array_differences(expected, found, where)
    if isinstance(expected, (float, complex, np.generic)):
        same = np.asarray(expected).tobytes() == np.asarray(found).tobytes()
        same = same or bool(expected != expected and found != found)
        return [] if same else [f"{where}: {found!r}, not {expected!r}"]
    if isinstance(expected, (tuple, list)):
        if len(expected) != len(found):
            return [f"{where}: length {len(found)}, not {len(expected)}"]
        pairs = zip(expected, found, strict=True)
        return [d for place, (a, b) in enumerate(pairs) for d in differences(a, b, f"{where}[{place}]")]
    if isinstance(expected, dict):
        if list(expected) != list(found):
            return [f"{where}: keys {list(found)}, not {list(expected)}"]
        return [d for key in expected for d in differences(expected[key], found[key], f"{where}[{key!r}]")]
    if hasattr(expected, "__dict__"):
        return differences(vars(expected), vars(found), f"{where}.__dict__")
    return [] if expected == found else [f"{where}: {found!r}, not {expected!r}"]


def _array_differences(expected: np.ndarray[Any, Any], found: np.ndarray[Any, Any], where: str) -> list[str]:
    for name in ("dtype", "shape", "strides"):
        one, other = getattr(expected, name), getattr(found, name)
        # The strides of an axis of length 1, or of an array without elements, say nothing.
        if name == "strides":
            keep = [axis for axis, size in enumerate(expected.shape) if size > 1] if expected.size else []
            one, other = [one[axis] for axis in keep], [other[axis] for axis in keep]
        if one != other:
            return [f"{where}: {name} {other}, not {one}"]
    if expected.dtype.kind in "fc":
        same = np.array_equal(expected, found, equal_nan=True)
        same = same and np.array_equal(np.signbit(expected.real), np.signbit(found.real))
    else:
        same = np.array_equal(expected, found)
    if same:
        return []
    wrong = np.argwhere(~((expected == found) | ((expected != expected) & (found != found))))
    place = tuple(map(int, wrong[0])) if len(wrong) else ()
    return [f"{where}: {len(wrong)} elements differ; at {place} {found[place]!r}, not {expected[place]!r}"]


def compare(expected: Outcome, found: Outcome) -> None:
    """Fail with all that is different between two outcomes."""
    problems = []
    if (expected.error is None) != (found.error is None):
        raise AssertionError(f"raised {found.error!r}, not {expected.error!r}") from (
            found.error or expected.error
        )
    if expected.error is not None and found.error is not None:
        problems += differences(type(expected.error), type(found.error), "type of the error")
        problems += differences(str(expected.error), str(found.error), "message")
        problems += differences(expected.raised_at, found.raised_at, "place of the error")
    problems += differences(expected.result, found.result)
    problems += differences(expected.arguments, found.arguments, "arguments")
    problems += differences(expected.output, found.output, "output")
    assert not problems, "\n".join(problems)
