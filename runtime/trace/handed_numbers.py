"""Numbers in what was handed in: their types, and the arrays that they are fed as."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.numbers import DTYPES
from transpile.runtime.graph.types import ScalarType, strong, weak

# The types of numbers that a list or an attribute may hold, and what they are in a graph.
NUMBERS: dict[type, ScalarType] = {kind: weak(kind) for kind in (int, float, complex, bool)} | {
    dtype.type: strong(dtype) for dtype in DTYPES if dtype.kind in "biufc"
}


def array_of(numbers: Any, kind: type) -> np.ndarray[Any, Any]:
    """Return the array that numbers of a type are fed as; ValueError where they do not fit into it."""
    try:
        return np.array(numbers, NUMBERS[kind].dtype)
    except OverflowError as error:
        raise ValueError("integers of more than 64 bits") from error
