"""What classes and functions hold that can change, and is told by what is in it: lists, dictionaries, sets and small arrays of values."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from transpile.runtime.arrays.numbers import DTYPES

# Note [Held contents]
# What a class holds is read by Python itself, so a trace has it as it is: a constant, whose contents are guarded. That is dear where they are many.
_MOST_ITEMS = 64
_MOST_BYTES = 4096


class Contents:
    """The contents of a container, to be compared with what they were."""

    def __init__(self, container: Any, is_value: Callable[[Any], bool]) -> None:
        self.container = container
        self.is_value = is_value

    @property
    def state(self) -> Any:
        """What is in it, of values alone; None where it holds other things, or many."""
        held = self.container
        if type(held) is np.ndarray:
            known = held.dtype in DTYPES and held.nbytes <= _MOST_BYTES
            flags = held.flags.num & ~_WARNS
            return (held.dtype.str, held.shape, held.strides, flags, held.tobytes()) if known else None
        if type(held) is dict:
            items = tuple(held.items())
        elif type(held) in (list, set):
            items = tuple(held)
        else:
            return None
        return items if len(items) <= _MOST_ITEMS and all(map(self.is_value, items)) else None


# Whether NumPy is to warn of writes, which it has done once.
_WARNS = -0x80000000


def copied(container: Any) -> Any:
    """Return a copy of a container."""
    return container.copy() if isinstance(container, np.ndarray) else type(container).copy(container)


def holds(container: Any, contents: Any) -> bool:
    """Whether a container holds what its copy holds."""
    if isinstance(container, np.ndarray):
        return bool(container.tobytes() == contents.tobytes())
    if isinstance(container, set) or len(container) != len(contents):
        return bool(container == contents)
    if isinstance(container, dict):
        return all(map(operator.is_, container, contents)) and all(
            map(operator.is_, container.values(), contents.values())
        )
    return all(map(operator.is_, container, contents))


def refill(container: Any, contents: Any) -> None:
    """Have a container hold again what its copy holds."""
    if isinstance(container, np.ndarray):
        container[...] = contents
        return
    container.clear()
    container.extend(contents) if isinstance(container, list) else container.update(contents)
