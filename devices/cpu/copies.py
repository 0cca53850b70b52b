"""Copies of the caller's arrays, should a call have to be run again: in memory that is kept for those of the next call."""

from __future__ import annotations

from typing import Any

import numpy as np

from .free_memory import free_memory

# Smaller ones NumPy keeps memory for itself; for why not the larger ones see Note [Pool]. No more buffers are kept than a few, and none that is huge.
_LEAST, _MOST, _COUNT = 1 << 15, 1 << 25, 2
# From which size on it is asked whether there is as much memory, twice over: the system lends it at once, and ends the process when it is written.
_HUGE = 1 << 26
_kept: list[Any] = []


def copied(array: Any) -> Any:
    """Return a copy of an array, and what its memory belongs to.

    Raises MemoryError where that would take most of what memory is left.
    """
    size = array.nbytes
    if size >= _HUGE:
        free = free_memory()
        if free is not None and 2 * size > free:
            raise MemoryError(f"a copy of {size} bytes")
    if size < _LEAST or size > _MOST:
        return array.copy(), None
    try:
        buffer = _kept.pop()
    except IndexError:
        buffer = None
    if buffer is None or not size <= buffer.nbytes <= 4 * size:
        buffer = np.empty(size, np.uint8)
    copy: Any = np.ndarray(array.shape, array.dtype, buffer, order="F" if array.flags.fnc else "C")
    np.copyto(copy, array)
    return copy, buffer


def done_with(buffer: Any) -> None:
    """Keep the memory of a copy for the next one."""
    if buffer is not None and len(_kept) < _COUNT:
        _kept.append(buffer)
