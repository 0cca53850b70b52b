"""Copies of the caller's arrays, should a call have to be run again."""

from __future__ import annotations

from typing import Any

import numpy as np

from .free_memory import free_memory
from .result_arrays import made

# From which size on it is asked whether there is as much memory, twice over: the system lends it at once, and ends the process when it is written.
_HUGE = 1 << 26


def copied(array: Any) -> Any:
    """Return a copy of an array, in memory that is kept for the next one when it is gone.

    Raises MemoryError where that would take most of what memory is left.
    """
    size = array.nbytes
    if size >= _HUGE:
        free = free_memory()
        if free is not None and 2 * size > free:
            raise MemoryError(f"a copy of {size} bytes")
    copy = made(np.empty, array.shape, array.dtype, "F" if array.flags.fnc else "C")
    np.copyto(copy, array)
    return copy
