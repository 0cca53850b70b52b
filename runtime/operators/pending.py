"""What the functions being traced still need, though no name leads to it: operands of expressions under way, and what loops run over."""

from __future__ import annotations

import dis
import functools
import itertools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import CodeType, FrameType
from typing import Any

from transpile.runtime.arrays.cells import Storage

from .program import code_of, is_converted

# Note [Operands under way]
# In `pick(a, b) + change(a)`, and in `f(pick(a, b), change(a))`, nothing leads to what `pick` has given while `change` writes but Python's own stack, which cannot be looked into.
# But it is known how deep it is at each instruction. So for what may be the memory of something else it is noted at which instruction each function stood when that came to be known, and how
# much lay on its stack below. It lies there still as long as no instruction since has found the stack no deeper than that.

# Where functions stand: by their frames, the offsets of the instructions.
Places = tuple[tuple[int, int], ...]

_held: ContextVar[tuple[Any, ...]] = ContextVar("held", default=())


@contextmanager
def holding(*things: Any) -> Iterator[None]:
    """Note that things are needed until what is under way ends, as what a loop runs over is."""
    token = _held.set((*_held.get(), *things))
    try:
        yield
    finally:
        _held.reset(token)


def held() -> tuple[Any, ...]:
    """Return what is needed for what is under way."""
    return _held.get()


def places() -> Places:
    """Return where each function that is being traced stands."""
    return tuple((id(frame), frame.f_lasti) for frame in _converted_frames(sys._getframe(1)))


def is_pending(storages: tuple[Storage, ...]) -> bool:
    """Whether an operand of an expression under way may be one of some storages."""
    noted: dict[int, list[int]] = {}
    for storage in storages:
        for frame, offset in storage.related_at:
            noted.setdefault(frame, []).append(offset)
    if not noted:
        return False
    return any(
        _lies_there(id(frame.f_code), offset, frame.f_lasti)
        for frame in _converted_frames(sys._getframe(1))
        for offset in noted.get(id(frame), ())
    )


Storage.places = staticmethod(places)


def _converted_frames(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        if is_converted(frame.f_code):
            yield frame
        frame = frame.f_back


@functools.lru_cache(maxsize=100_000)
def _lies_there(identity: int, before: int, now: int) -> bool:
    """Whether what the instruction at one offset of a code has given may lie on the stack below what that at another one takes."""
    if before >= now:
        return False
    depths = _depths(identity)
    first, last = (max((at for at in depths if at <= offset), default=0) for offset in (before, now))
    below = depths[first][1]
    return depths[last][1] > below and all(
        depth > below for at, (depth, _) in depths.items() if first < at <= last
    )


@functools.lru_cache(maxsize=10_000)
def _depths(identity: int) -> dict[int, tuple[int, int]]:
    """Return, for each instruction of a code that is reached, how deep the stack is before it, and without what it takes."""
    code = code_of(identity)
    instructions = list(dis.get_instructions(code))
    following = {one.offset: other for one, other in itertools.pairwise(instructions)}
    by_offset = {one.offset: one for one in instructions}
    found: dict[int, tuple[int, int]] = {}
    ahead = [(0, 0), *_handlers(code)]
    while ahead:
        offset, depth = ahead.pop()
        if offset in found or offset not in by_offset:
            continue
        one = by_offset[offset]
        effects = {jump: dis.stack_effect(one.opcode, one.arg, jump=jump) for jump in (False, True)}
        gives = 0 if one.opname.startswith(("STORE", "DELETE", "POP")) else 1
        found[offset] = depth, depth + effects[False] - gives
        if one.opcode in dis.hasjrel or one.opcode in dis.hasjabs:
            ahead.append((one.argval, depth + effects[True]))
        if not one.opname.startswith(("RETURN", "RAISE", "RERAISE", "JUMP")) and offset in following:
            ahead.append((following[offset].offset, depth + effects[False]))
    return found


def _handlers(code: CodeType) -> Iterator[tuple[int, int]]:
    """Yield where handlers of exceptions begin, and how deep the stack is there."""
    for entry in dis.Bytecode(code).exception_entries:  # type: ignore[attr-defined]
        yield entry.target, entry.depth + 1 + entry.lasti
