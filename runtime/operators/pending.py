"""What the functions being traced still need, though no name leads to it: operands of expressions under way, and what loops run over."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Any, NamedTuple

from transpile.runtime.arrays.cells import Storage
from transpile.runtime.arrays.recorder import recorder

from .operands import KNOWN, operands
from .program import is_converted, nearest_converted
from .stacks import depth_below, lies_there

# Note [Operands under way]
# In `pick(a, b) + change(a)`, and in `f(pick(a, b), change(a))`, nothing leads to what `pick` has given while `change` writes but Python's own stack, which cannot be looked into.
# But it is known how deep it is at each instruction. So for what may be the memory of something else it is noted at which instruction each function stood when that came to be known, and how
# much lay on its stack below. It lies there still as long as no instruction since has found the stack no deeper than that.

# What may be on the stack is noted whenever a function is called (Note [Where operands come from]), and what the call has given when it ends.

# Where functions stand: by their frames, the offsets of the instructions.
Places = tuple[tuple[int, int], ...]


class Noted(NamedTuple):
    """What lies at a place on the stack of a function being traced, or may be part of what lies there, as was noted at one of its instructions."""

    frame: FrameType
    offset: int
    place: int
    thing: Any


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


def note_operands() -> None:
    """Note what the functions being traced need for expressions under way, as another one is about to be called."""
    frames = list(_converted_frames(sys._getframe(1)))
    noted = _still_there(frames)
    known = {(id(note.frame), note.offset) for note in noted}
    for frame in frames:
        if (id(frame), frame.f_lasti) not in known:
            noted.extend(Noted(frame, frame.f_lasti, *operand) for operand in operands(frame))
    recorder().operands = noted


def note_given(thing: Any) -> None:
    """Note what a function that was called has given, which may become an operand."""
    frame = nearest_converted(sys._getframe(1))
    if frame is not None and not isinstance(thing, KNOWN):
        place = depth_below(id(frame.f_code), frame.f_lasti)
        recorder().operands.append(Noted(frame, frame.f_lasti, place, thing))


def noted() -> list[Any]:
    """Return what operands of expressions under way hold, as far as that was noted."""
    if not recorder().operands:
        return []
    return [note.thing for note in _still_there(list(_converted_frames(sys._getframe(1))))]


def _still_there(frames: list[FrameType]) -> list[Noted]:
    """Return what was noted of operands that still lie on the stacks of the functions being traced."""
    now = {id(frame): frame.f_lasti for frame in frames}
    return [
        note
        for note in recorder().operands
        if id(note.frame) in now
        and lies_there(id(note.frame.f_code), note.place, note.offset, now[id(note.frame)])
    ]


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
        offset < frame.f_lasti
        and lies_there(id(frame.f_code), depth_below(id(frame.f_code), offset), offset, frame.f_lasti)
        for frame in _converted_frames(sys._getframe(1))
        for offset in noted.get(id(frame), ())
    )


Storage.places = staticmethod(places)


def _converted_frames(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        if is_converted(frame.f_code):
            yield frame
        frame = frame.f_back
