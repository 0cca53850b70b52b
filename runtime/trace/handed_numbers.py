"""Numbers in what was handed in: their types, and the arrays that they are fed as."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.numbers import DTYPES
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.row_buffers import column_of
from transpile.runtime.graph.ir import Value
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


def columns_from(values: Iterable[Value]) -> list[SymbolicArray]:
    """Return columns of what is in arrays: the caller's lists stay as they are until the call ends."""
    return [column_of(recorder().emit("copy", value, order=None)) for value in values]
