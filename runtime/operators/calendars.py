"""Dates that are known while tracing: what is computed of them alone, NumPy computes then. Arrays of dates are left to NumPy."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.recorder import recorder

_KNOWN = (str, bytes, int, type(None), np.datetime64, np.timedelta64, np.dtype)


def _of_dates(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Stand for a function of dates."""
    things = (*args, *kwargs.values())
    if not all(isinstance(thing, _KNOWN) for thing in things) or any(map(_is_of_now, things)):
        recorder().unstageable("S314-dates", f"numpy.{function.__name__} of what is not known while tracing")
    found = function(*args, **kwargs)
    if isinstance(found, np.ndarray) and found.ndim:
        recorder().unstageable("S314-dates", f"numpy.{function.__name__} gives an array of dates")
    return found


def _is_of_now(thing: Any) -> bool:
    return isinstance(thing, (str, bytes)) and thing.lower() in ("now", "today", b"now", b"today")


for _function in (
    np.datetime64,
    np.timedelta64,
    np.busday_count,
    np.busday_offset,
    np.is_busday,
    np.datetime_as_string,
    np.datetime_data,
):
    FUNCTIONS[_function] = functools.partial(_of_dates, _function)
