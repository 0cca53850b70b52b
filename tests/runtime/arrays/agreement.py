"""Runs small functions plainly and converted, and compares."""

import traceback
import warnings
from collections.abc import Callable
from typing import Any

from transpile import convert
from transpile.runtime.errors import FallbackWarning

from ...end_to_end.comparison import Outcome, call, compare


def agree(function: Callable[..., Any], *arguments: tuple[Any, ...], strict: bool = True) -> None:
    """Compare a function with itself converted, on the interpreter, for each tuple of arguments."""
    converted = convert(function, strict=strict, device="host")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for values in arguments:
            compare(_of_program(call(function, values)), _of_program(call(converted, values)))


class _OfProgram(Outcome):
    """An outcome whose error is placed in the program: NumPy raises some errors in functions of its own, and some not."""

    @property
    def raised_at(self) -> tuple[str, int] | None:
        if self.error is None:
            return None
        frames = traceback.extract_tb(self.error.__traceback__)
        found = next(frame for frame in reversed(frames) if "/numpy/" not in frame.filename)
        return found.filename, found.lineno or 0


def _of_program(outcome: Outcome) -> Outcome:
    return _OfProgram(**vars(outcome))
