"""Kinds of arguments."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from transpile.runtime.trace.guard import apart, writable


def kinds_of(values: Sequence[Any]) -> tuple[Any, ...]:
    """Return the kinds of arguments, and which share memory: on this it mostly depends whether a call can be staged."""
    arrays = [(place, value) for place, value in enumerate(values) if type(value) is np.ndarray]
    shared = tuple(
        (place, other)
        for (place, one), (other, two) in itertools.combinations(arrays, 2)
        if one is not two and not apart(one, two)
    )
    kinds = (
        (np.ndarray, value.dtype, value.ndim, value.dtype.num, writable(value))
        if type(value) is np.ndarray
        else type(value)
        for value in values
    )
    return (*kinds, shared)
