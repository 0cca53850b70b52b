"""What lies on Python's own stack at each instruction of a function, by what its instructions before do."""

from __future__ import annotations

import dis
import functools
import itertools
from collections.abc import Iterator
from types import CodeType
from typing import Any

from .program import code_of

# Where something on the stack comes from: what has given it, and of what.
Origin = tuple[Any, ...]
NOTHING: Origin = ("of",)
# What lies on the stack before an instruction, and how much of that the instruction leaves there.
Stacks = dict[int, tuple[tuple[Origin, ...], int]]

NAMES = frozenset(
    ("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_GLOBAL", "LOAD_NAME")
)
# Instructions that read local names, two at once, or one that they have stored nothing in.
_PAIRS = {"LOAD_FAST_LOAD_FAST": (0, 1), "STORE_FAST_LOAD_FAST": (1,)}
# What gives something new of arrays and numbers, and may give anything of objects and lists.
_OPERATORS = frozenset(("BINARY_OP", "COMPARE_OP", "UNARY_NEGATIVE", "UNARY_POSITIVE", "UNARY_INVERT"))
# Instructions that take one thing, and give one or more.
_ATTRIBUTES = frozenset(("LOAD_ATTR", "LOAD_METHOD"))
# What is given by a name or a constant that an instruction has: by where that is, and which of two it is.
_READ = NAMES | {"attribute", "constant"}
# Instructions that leave the stack alone.
_IDLE = frozenset(("EXTENDED_ARG", "NOP", "RESUME", "KW_NAMES", "MAKE_CELL", "COPY_FREE_VARS"))
# Instructions after which there is no going on to the next one.
_LAST = ("RETURN", "RAISE", "RERAISE", "JUMP")


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


@functools.lru_cache(maxsize=100_000)
def below(identity: int, offset: int) -> tuple[tuple[int, Origin], ...]:
    """Return what lies on the stack below what an instruction takes, and was not read from names of the frame's own: each with where it lies."""
    stacks = _stacks(identity)
    if offset < 0 or not stacks:
        return ()
    stack, depth = stacks[_at(identity, offset)]
    return tuple(
        (place, _told(identity, origin))
        for place, origin in enumerate(stack[:depth])
        if origin != NOTHING and origin[0] not in ("LOAD_FAST", "constant")
    )


def _told(identity: int, origin: Origin) -> Origin:
    """Return where something comes from, with the names and constants that were read: they are looked up for the few that are asked for."""
    kind, *parts = origin
    if kind not in _READ:
        return (kind, *[_told(identity, part) for part in parts])
    offset, place, *owners = parts
    read = _arguments(identity)[offset]
    return (kind, read if place is None else read[place], *[_told(identity, owner) for owner in owners])


@functools.lru_cache(maxsize=10_000)
def _arguments(identity: int) -> dict[int, Any]:
    return {one.offset: one.argval for one in dis.get_instructions(code_of(identity))}


@functools.lru_cache(maxsize=100_000)
def _at(identity: int, offset: int) -> int:
    """Return the instruction at an offset, or in whose cache that lies."""
    return max((at for at in _stacks(identity) if at <= offset), default=0)


@functools.lru_cache(maxsize=10_000)
def _stacks(identity: int) -> Stacks:
    """Return what lies on the stack at each instruction of a code that is reached."""
    code = code_of(identity)
    instructions = _instructions(code.co_code)
    found: Stacks = {}
    ahead: list[tuple[int, tuple[Origin, ...]]] = [(0, ()), *_handlers(code)]
    while ahead:
        offset, stack = ahead.pop()
        if offset in found or offset not in instructions:
            continue
        opcode, given, following = instructions[offset]
        after, depth = _after(offset, opcode, given, stack)
        found[offset] = stack, depth
        name = dis.opname[opcode]
        if opcode in _JUMPS:
            there = len(stack) + dis.stack_effect(opcode, given, jump=True)
            target = following + (-2 if "BACKWARD" in name else 2) * given
            ahead.append((target, (*after, *[NOTHING] * (there - len(after)))[: max(there, 0)]))
        if not name.startswith(_LAST):
            ahead.append((following, after))
    return found


# From Python 3.11 on, jumps are by so many instructions from the next one on.
_JUMPS = frozenset(dis.hasjrel)
_CACHE = dis.opmap["CACHE"]


def _instructions(code: bytes) -> dict[int, tuple[int, Any, int]]:
    """Return the instructions of a code by their offsets: what each does, its number if it has one, and where the next one is.

    `dis` tells the same, with names and texts, in twenty times as long: some milliseconds of a first call.
    """
    found: dict[int, tuple[int, Any, int]] = {}
    extended = 0
    offsets = [at for at in range(0, len(code), 2) if code[at] != _CACHE]
    for at, following in itertools.pairwise((*offsets, len(code))):
        opcode, number = code[at], code[at + 1] | extended
        extended = number << 8 if opcode == dis.EXTENDED_ARG else 0
        found[at] = opcode, number if opcode >= dis.HAVE_ARGUMENT else None, following
    return found


def _after(
    offset: int, opcode: int, number: Any, stack: tuple[Origin, ...]
) -> tuple[tuple[Origin, ...], int]:
    """Return what lies on the stack after an instruction, and how much of what lay there before it does not take."""
    name, size = dis.opname[opcode], len(stack)
    if name in _IDLE:
        return stack, size
    if name == "COPY":
        return (*stack, stack[-number] if number <= size else NOTHING), size
    if name == "SWAP" and number <= size:
        swapped = list(stack)
        swapped[-1], swapped[-number] = swapped[-number], swapped[-1]
        return tuple(swapped), size - number
    effect = dis.stack_effect(opcode, number, jump=False)
    given = 0 if name.startswith(("STORE", "DELETE", "POP")) else max(effect, 1)
    if name in _ATTRIBUTES or name.startswith("UNPACK"):
        given = effect + 1
    elif name in _PAIRS:
        given = len(_PAIRS[name])
    depth = max(size + effect - given, 0)
    if not given:
        return stack[:depth], depth
    if name in _PAIRS:
        return (*stack[:depth], *[("LOAD_FAST", offset, place) for place in _PAIRS[name]]), depth
    if name in NAMES:
        origin: Origin = (name, offset, None)
    elif name == "LOAD_CONST":
        origin = ("constant", offset, None)
    elif name == "BINARY_SUBSCR":
        origin = ("item", *stack[depth:])
    elif name == "FORMAT_VALUE":
        origin = NOTHING
    else:
        taken = tuple(one for one in stack[depth:] if one != NOTHING)
        if name in _ATTRIBUTES:
            origin = ("attribute", offset, None, *taken)
        else:
            origin = ("operator" if name in _OPERATORS else "of", *taken)
    # What Python puts there beside a name or method leads nowhere.
    return (*stack[:depth], *[NOTHING] * (given - 1), origin), depth


def _handlers(code: CodeType) -> Iterator[tuple[int, tuple[Origin, ...]]]:
    """Yield where handlers of exceptions begin, and what lies on the stack there."""
    if code.co_exceptiontable:
        for entry in dis.Bytecode(code).exception_entries:  # type: ignore[attr-defined]
            yield entry.target, (NOTHING,) * (entry.depth + 1 + entry.lasti)
