"""What code and things say of themselves at once: loops in code, attributes of objects."""

from __future__ import annotations

import dis
import functools
import types
from typing import Any

import numpy as np


def attributes(thing: Any) -> list[Any]:
    """Return what the attributes of an object are that lie in a dictionary of its own, without asking it."""
    if not type(thing).__dictoffset__:
        return []
    try:
        return list(object.__getattribute__(thing, "__dict__").values())
    except (AttributeError, TypeError):
        return []


def holds_array(thing: Any, depth: int = 2) -> bool:
    """Whether a thing is an array, or a container or object with one in it."""
    if isinstance(thing, np.ndarray):
        return True
    if not depth or isinstance(thing, (type, types.FunctionType, types.ModuleType)):
        return False
    items = list(thing[:8]) if isinstance(thing, (list, tuple)) else attributes(thing)
    return any(holds_array(item, depth - 1) for item in items)


@functools.lru_cache
def loop_depth(code: types.CodeType) -> int:
    """Return how many loops stand one in the other in code, those of functions made in it with them."""
    ends: dict[int, int] = {}
    for instruction in dis.get_instructions(code):
        if "JUMP_BACKWARD" in instruction.opname:
            ends[instruction.argval] = max(ends.get(instruction.argval, 0), instruction.offset)
    own = max((sum(start <= place <= end for start, end in ends.items()) for place in ends), default=0)
    inner = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    return own + max(map(loop_depth, inner), default=0)
