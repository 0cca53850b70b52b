"""What the operands of expressions under way hold: found at each call, for the functions that are called may bind anew the names that led there."""

from __future__ import annotations

import itertools
import types
from collections.abc import Iterator
from contextlib import suppress
from types import FrameType
from typing import Any

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar

from .stacks import NAMES, Origin, below

# Note [Where operands come from]
# In `c + change()` Python's own stack holds what `c` led to before the call. Names of the frame's own still lead there, but where `change` has `c` stand for something else, nothing does, and what is
# written then under another name must be known to be needed. Python's stack cannot be looked into; but the instructions before a call say of each thing on it where it came from: from names,
# attributes and items, which can be followed once more before the function that is called begins; or from an earlier call, of which it is noted what it gave (Note [Operands under way]).

# Attributes of an array that do not lead to its memory.
_OF_NO_MEMORY = frozenset(("shape", "size", "ndim", "dtype", "itemsize", "nbytes", "strides"))
# What leads to no memory, or to that which names lead to as well.
KNOWN = (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type, SymbolicScalar, str, int, float)  # fmt: skip


def operands(frame: FrameType) -> Iterator[tuple[int, Any]]:
    """Yield what may lie on a frame's stack, below what its instruction takes, and was not read from names of its own: each with where it lies."""
    for place, origin in below(id(frame.f_code), frame.f_lasti):
        for thing in _found(origin, frame):
            if not isinstance(thing, KNOWN):
                yield place, thing


def _found(origin: Origin, frame: FrameType) -> Iterator[Any]:
    """Yield what something on the stack may be, or may be part of."""
    kind, *taken = origin
    if kind in NAMES:
        (name,) = taken
        if name in frame.f_locals:
            yield frame.f_locals[name]
        else:
            # It has been read just before: to read it again notes nothing new.
            with suppress(KeyError):
                yield frame.f_globals[name]
    elif kind == "attribute":
        name, *owners = taken
        for owner in itertools.chain.from_iterable(_found(owner, frame) for owner in owners):
            yield from _attribute(owner, name)
    elif kind == "operator":
        yield from (
            thing for part in taken for thing in _found(part, frame) if not isinstance(thing, SymbolicArray)
        )
    elif kind == "item":
        base, key = taken
        keys = key[1:] if key[0] == "constant" else tuple(_found(key, frame))
        is_number = (
            key[0] != "of" and keys != () and all(isinstance(one, (int, SymbolicScalar)) for one in keys)
        )
        for thing in _found(base, frame):
            if not (is_number and isinstance(thing, SymbolicArray) and thing.ndim == 1):
                yield thing
    elif kind == "of":
        for part in taken:
            yield from _found(part, frame)


def _attribute(owner: Any, name: str) -> Iterator[Any]:
    if isinstance(owner, SymbolicArray):
        if name not in _OF_NO_MEMORY:
            yield owner
    elif isinstance(owner, types.ModuleType):
        yield from (vars(owner)[name],) if name in vars(owner) else ()
    elif id(owner) in recorder().made and name in vars(owner):
        yield vars(owner)[name]
    elif isinstance(owner, KNOWN) or any(hasattr(owner.__class__, asked) for asked in (name, "__getattr__")):
        # A method of it; or what a property gave, which is noted as what a call has given.
        yield owner
    else:
        with suppress(AttributeError):
            yield getattr(owner, name)
