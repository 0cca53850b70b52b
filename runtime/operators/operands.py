"""What the operands of expressions under way hold: found at each call, for the functions that are called may bind anew the names that led there."""

from __future__ import annotations

import dis
import functools
import itertools
import types
from collections.abc import Iterator
from contextlib import suppress
from types import CodeType, FrameType
from typing import Any

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar

from .program import code_of

# Note [Where operands come from]
# In `c + change()` Python's own stack holds what `c` led to before the call. Names of the frame's own still lead there, but where `change` has `c` stand for something else, nothing does, and what is
# written then under another name must be known to be needed. Python's stack cannot be looked into; but the instructions before a call say of each thing on it where it came from: from names,
# attributes and items, which can be followed once more before the function that is called begins; or from an earlier call, of which it is noted what it gave (Note [Operands under way]).

# Where something on the stack comes from: what has given it, and of what.
Origin = tuple[Any, ...]
_NOTHING: Origin = ("of",)

# What gives something new of arrays and numbers, and may give anything of objects and lists.
_OPERATORS = frozenset(("BINARY_OP", "COMPARE_OP", "UNARY_NEGATIVE", "UNARY_POSITIVE", "UNARY_INVERT"))
# Instructions that take one thing, and give one or more.
_ATTRIBUTES = frozenset(("LOAD_ATTR", "LOAD_METHOD"))
_NAMES = frozenset(("LOAD_FAST", "LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_GLOBAL", "LOAD_NAME"))
# Attributes of an array that do not lead to its memory.
_OF_NO_MEMORY = frozenset(("shape", "size", "ndim", "dtype", "itemsize", "nbytes", "strides"))
# What leads to no memory, or to that which names lead to as well.
KNOWN = (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type, SymbolicScalar, str, int, float)  # fmt: skip


def depth_below(identity: int, offset: int) -> int:
    """Return how much lies on the stack below what an instruction of a code takes."""
    return _stacks(identity)[_at(identity, offset)][1]


def lies_there(identity: int, place: int, before: int, now: int) -> bool:
    """Whether what lay at a place on the stack at one instruction of a code lies there still, below what a later one takes."""
    if before > now:
        return False
    first, last = _at(identity, before), _at(identity, now)
    stacks = _stacks(identity)
    return stacks[last][1] > place and all(
        len(stack) > place for at, (stack, _) in stacks.items() if first < at <= last
    )


def operands(frame: FrameType) -> Iterator[tuple[int, Any]]:
    """Yield what may lie on a frame's stack, below what its instruction takes, and was not read from names of its own: each with where it lies."""
    for place, origin in _below(id(frame.f_code), frame.f_lasti):
        for thing in _found(origin, frame):
            if not isinstance(thing, KNOWN):
                yield place, thing


@functools.lru_cache(maxsize=100_000)
def _at(identity: int, offset: int) -> int:
    """Return the instruction at an offset, or in whose cache that lies."""
    return max((at for at in _stacks(identity) if at <= offset), default=0)


@functools.lru_cache(maxsize=100_000)
def _below(identity: int, offset: int) -> tuple[tuple[int, Origin], ...]:
    stacks = _stacks(identity)
    if offset < 0 or not stacks:
        return ()
    stack, below = stacks[_at(identity, offset)]
    return tuple(
        (place, origin)
        for place, origin in enumerate(stack[:below])
        if origin != _NOTHING and origin[0] not in ("LOAD_FAST", "constant")
    )


@functools.lru_cache(maxsize=10_000)
def _stacks(identity: int) -> dict[int, tuple[tuple[Origin, ...], int]]:
    """Return, for each instruction of a code that is reached, what lies on the stack before it, and how much of that it leaves there."""
    code = code_of(identity)
    instructions = list(dis.get_instructions(code))
    following = {one.offset: other.offset for one, other in itertools.pairwise(instructions)}
    by_offset = {one.offset: one for one in instructions}
    found: dict[int, tuple[tuple[Origin, ...], int]] = {}
    ahead: list[tuple[int, tuple[Origin, ...]]] = [(0, ()), *_handlers(code)]
    while ahead:
        offset, stack = ahead.pop()
        if offset in found or offset not in by_offset:
            continue
        one = by_offset[offset]
        after, below = _after(one, stack)
        found[offset] = stack, below
        if one.opcode in dis.hasjrel or one.opcode in dis.hasjabs:
            depth = len(stack) + dis.stack_effect(one.opcode, one.arg, jump=True)
            ahead.append((one.argval, (*after, *[_NOTHING] * (depth - len(after)))[: max(depth, 0)]))
        if not one.opname.startswith(("RETURN", "RAISE", "RERAISE", "JUMP")) and offset in following:
            ahead.append((following[offset], after))
    return found


def _after(one: dis.Instruction, stack: tuple[Origin, ...]) -> tuple[tuple[Origin, ...], int]:
    """Return what lies on the stack after an instruction, and how much of what lay there before it does not take."""
    effect = dis.stack_effect(one.opcode, one.arg, jump=False)
    name = one.opname
    if name == "COPY":
        return (*stack, stack[-one.arg] if one.arg and one.arg <= len(stack) else _NOTHING), len(stack)
    if name == "SWAP" and one.arg and one.arg <= len(stack):
        swapped = list(stack)
        swapped[-1], swapped[-one.arg] = swapped[-one.arg], swapped[-1]
        return tuple(swapped), len(stack) - one.arg
    given = 0 if name.startswith(("STORE", "DELETE", "POP")) else 1
    if name in _ATTRIBUTES or name.startswith("UNPACK"):
        given = effect + 1
    elif name in _NAMES:
        given = effect
    below = max(len(stack) + effect - given, 0)
    taken = tuple(origin for origin in stack[below:] if origin != _NOTHING)
    origin: Origin = ("of", *taken)
    if name in _NAMES:
        origin = (name, one.argval)
    elif name in _ATTRIBUTES:
        origin = ("attribute", one.argval, *taken)
    elif name in _OPERATORS:
        origin = ("operator", *taken)
    elif name == "BINARY_SUBSCR":
        origin = ("item", *stack[below:])
    elif name == "LOAD_CONST":
        origin = ("constant", type(one.argval) is int)
    elif name == "FORMAT_VALUE":
        origin = _NOTHING
    # What Python puts there beside a name or method leads nowhere.
    return (*stack[:below], *([_NOTHING] * (given - 1)), *([origin] if given else [])), below


def _found(origin: Origin, frame: FrameType) -> Iterator[Any]:
    """Yield what something on the stack may be, or may be part of."""
    kind, *taken = origin
    if kind in _NAMES:
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
        is_number = key == ("constant", True) or (
            key[0] != "of" and all(isinstance(part, (int, SymbolicScalar)) for part in _found(key, frame))
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


def _handlers(code: CodeType) -> Iterator[tuple[int, tuple[Origin, ...]]]:
    """Yield where handlers of exceptions begin, and what lies on the stack there."""
    for entry in dis.Bytecode(code).exception_entries:  # type: ignore[attr-defined]
        yield entry.target, (_NOTHING,) * (entry.depth + 1 + entry.lasti)
