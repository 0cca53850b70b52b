"""Makes sample calls plainly and converted, and compares all that can be told of them."""

from __future__ import annotations

import functools
import types
import warnings
from typing import Any

import numpy as np

import transpile
from tests.ops.agreement import difference
from transpile.coverage import function_of
from transpile.runtime.errors import TranspileError
from transpile.runtime.ops.settings import kept_settings
from transpile.samples import Sample

from .variants import Variant


class Refused(Exception):
    """A call is left to plain Python."""


def differs(sample: Sample, variant: Variant, device: str) -> str:
    """Return how a converted call differs from the plain one; raises Refused where it is not compiled."""
    function = plain(sample)
    converted = transpile.convert(function, strict=True, device=device)
    given, staged = variant.arguments(sample), variant.arguments(sample)
    expected, told = _outcome(function, given)
    try:
        found, said = _outcome(converted, staged)
    except TranspileError as error:
        raise Refused(str(error)) from None
    if expected[0] != found[0]:
        return f"{found[0]} {found[1]!r}, but NumPy {expected[0]} {expected[1]!r}"
    text = difference(expected[1], found[1]) or difference(given, staged)
    if text:
        return text
    if _shared(expected[1], given) != _shared(found[1], staged):
        return f"shares memory {_shared(found[1], staged)}, not {_shared(expected[1], given)}"
    return f"warns of {sorted(said)}, not {sorted(told)}" if said != told else ""


@functools.lru_cache(maxsize=1)
def plain(sample: Sample) -> types.FunctionType:
    """Return the function that makes a call."""
    return function_of(sample)


def _outcome(function: Any, arguments: list[Any]) -> tuple[Any, set[tuple[str, str]]]:
    """Return what a call gives or raises, and what it warns of."""
    with warnings.catch_warnings(record=True) as seen, kept_settings():
        warnings.simplefilter("always")
        try:
            found: Any = "gives", function(*arguments)
        except TranspileError:
            raise
        except Exception as error:
            found = "raises", (type(error), str(error))
    told = {
        (warning.category.__name__, str(warning.message))
        for warning in seen
        if not issubclass(warning.category, DeprecationWarning)
    }
    return found, told


def _shared(result: Any, arguments: list[Any]) -> list[bool]:
    """Return for every array of a result, and every argument, whether they share memory, and whether it can be written."""
    parts = result if isinstance(result, (tuple, list)) else [result]
    arrays = [part for part in parts if isinstance(part, np.ndarray)]
    with warnings.catch_warnings():
        # Of arrays that will not be writeable in later versions.
        warnings.simplefilter("ignore", FutureWarning)
        flags = [array.flags.writeable for array in arrays]
    return flags + [
        np.may_share_memory(array, argument)
        for array in arrays
        for argument in arguments
        if isinstance(argument, np.ndarray)
    ]
