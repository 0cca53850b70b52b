"""What code and things say of themselves at once: loops in code, arrays in objects."""

from __future__ import annotations

import dis
import functools
import types
from typing import Any

import numpy as np

from .forecast_values import is_a, own_attributes


def holds_array(thing: Any, depth: int = 2) -> bool:
    """Whether a thing is an array, or a container or object with one in it."""
    if is_a(thing, np.ndarray):
        return True
    if not depth or is_a(thing, type, types.FunctionType, types.ModuleType):
        return False
    for kind in (list, tuple):
        if is_a(thing, kind):
            return any(holds_array(item, depth - 1) for item in kind.__getitem__(thing, slice(8)))
    return any(holds_array(item, depth - 1) for item in list(own_attributes(thing).values()))


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
