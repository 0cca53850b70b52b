"""Finds what only stands for something of the program's where that would be shown, or handed on."""

from __future__ import annotations

import gc
import types
from typing import Any

import numpy as np

from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import Holder

# What is of a class from here stands for something else.
_OURS = __name__.partition(".")[0] + "."
_SHOWN = f"<{_OURS}"
# How deep, and among how many things, it is looked for.
_LAYERS = 4
_LOOKED_AT = 4096
# What may be reached from them was there before.
_HOLD_NOTHING = (type, types.ModuleType, types.FunctionType, types.CodeType, np.ndarray, str, int, float)


def is_stand_in(thing: Any) -> bool:
    """Whether a thing is of a class of ours, and not of the program's."""
    return isinstance(thing, Holder) or type(thing).__module__.startswith(_OURS)


def holds_stand_in(thing: Any) -> bool:
    """Whether a thing is a stand-in, or holds one somewhere: a view of a dictionary, say, an exception or a bound method."""
    layer, seen = [thing], set[int]()
    for _ in range(_LAYERS):
        if any(map(is_stand_in, layer)):
            return True
        found = {id(item): item for item in gc.get_referents(*layer) if not isinstance(item, _HOLD_NOTHING)}
        layer = [item for place, item in found.items() if place not in seen]
        seen |= found.keys()
        if len(seen) > _LOOKED_AT:
            return False
    return False


def told(text: str) -> str:
    """Return a text that tells of no stand-in, such as a method of an array."""
    if _SHOWN in text:
        recorder().unstageable("S230-deferred", "what stands for a thing while tracing is shown")
    return text
