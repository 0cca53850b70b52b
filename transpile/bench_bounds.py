"""What a call has to move and to compute at least: what `transpile bench` holds times against."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

# What a call moves at least is said of its arrays alone: those that it is handed are read, those that it returns or has changed are written, in each of the sweeps that
# the header of its program counts. Arrays that it makes on its way may all lie in the caches, and are left out.
#
# What it computes at least is told by the same machine code at a size at which all that it needs lies in the caches, times as much as there is more to compute. Whatever memory adds, and threads
# take away, shows beside that; whether the machine code could do with less does not.

# How many bytes one copy moves, half of them read and half written: more than caches hold.
_MOVED = 2**27


def moved(arguments: Sequence[Any], result: Any, after: Sequence[Any]) -> int:
    """Return the bytes that one sweep reads and writes at least, by the arguments before and after a call, and its result."""
    before = [*_arrays(arguments)]
    changed = [new for old, new in zip(before, _arrays(after)) if not np.array_equal(old, new)]
    written = {id(array): array for array in (*changed, *_arrays(result))}
    return sum(array.nbytes for array in (*before, *written.values()))


def copying() -> Callable[..., None]:
    """Return what copies memory, whatever it is called with."""
    source = np.ones(_MOVED // 2, np.uint8)
    target = np.zeros_like(source)
    return lambda *_: np.copyto(target, source)


def scaled(seconds: float, count: int) -> float:
    """Return how long so many bytes take to be copied, where one copy takes so many seconds."""
    return seconds * count / _MOVED


def _arrays(thing: Any) -> Iterator[np.ndarray[Any, Any]]:
    """Yield the arrays in a thing, and in the tuples, lists and dictionaries in it."""
    if isinstance(thing, np.ndarray):
        yield thing
    elif isinstance(thing, dict):
        yield from _arrays(list(thing.values()))
    elif isinstance(thing, (tuple, list)):
        for item in thing:
            yield from _arrays(item)
