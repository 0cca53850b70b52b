"""Runs small functions plainly and converted, and compares."""

import warnings
from collections.abc import Callable
from typing import Any

from transpile import convert
from transpile.runtime.errors import FallbackWarning

from ...end_to_end.comparison import call, compare, of_program


def agree(function: Callable[..., Any], *arguments: tuple[Any, ...], strict: bool = True) -> None:
    """Compare a function with itself converted, on the interpreter, for each tuple of arguments."""
    converted = convert(function, strict=strict, device="host")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for values in arguments:
            compare(of_program(call(function, values)), of_program(call(converted, values)))
