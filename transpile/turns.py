"""What code and things say of themselves at once: loops in code, arrays in objects."""

from __future__ import annotations

import opcode
import types
from typing import Any

from transpile.runtime.attributes import held_by

from .forecast_values import is_a, is_ndarray


def holds_array(thing: Any, depth: int = 2) -> bool:
    """Whether a thing is an array, or a container or object with one in it."""
    if is_ndarray(thing):
        return True
    if not depth or is_a(thing, type, types.FunctionType, types.ModuleType):
        return False
    for kind in (list, tuple):
        if is_a(thing, kind):
            return any(holds_array(item, depth - 1) for item in kind.__getitem__(thing, slice(8)))
    return any(holds_array(item, depth - 1) for item in held_by(thing))


# The instructions that close a loop.
_BACKWARD = frozenset(number for name, number in opcode.opmap.items() if "JUMP_BACKWARD" in name)


def has_loop(code: types.CodeType) -> bool:
    """Whether there is a loop in code, or in that of a function made in it."""
    # Asked of every function in its first call: what `dis` makes of the instructions would take longer than many a function does.
    if not _BACKWARD.isdisjoint(code.co_code[::2]):
        return True
    return any(isinstance(constant, types.CodeType) and has_loop(constant) for constant in code.co_consts)
