"""The user's program while it is traced: which code is converted, and where in it tracing stands."""

from __future__ import annotations

import dis
import functools
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, TracebackType
from typing import Any

from transpile.runtime.positions import Location, Position, position_of

# Converted code objects by identity, each with the name of the user's function that it comes from, and whether its frames are calls of that, not of helpers
# made by conversion. Codes are kept alive, so that an identity is not used again.
_converted: dict[int, tuple[CodeType, str, bool]] = {}

# The frames within which regions and functions are traced, by identity, as long as that takes; each with the locations around it that were asked for: see `_location`.
_regions: dict[int, dict[str, Location]] = {}

# The variables of the user's in converted code.
_variables: dict[int, frozenset[str]] = {}
# What keeps, in converted code, the value that a function will return: it is bound when no statement follows any more.
_RESULT = re.compile(r"result(_\d+)?")
# Instructions that store into a name: those for names of a frame, and all; and what stands behind instructions, for the interpreter.
_STORES_IN_FRAME = frozenset((dis.opmap["STORE_FAST"], dis.opmap["STORE_DEREF"]))
_STORES = _STORES_IN_FRAME | {dis.opmap["STORE_NAME"], dis.opmap["STORE_GLOBAL"]}
_CACHE = dis.opmap["CACHE"]


def register(code: CodeType, function: str, variables: frozenset[str]) -> None:
    """Note that a code object was converted from the user's `function`, and which variables are the user's."""
    _converted[id(code)] = (code, function, code.co_name == function.rpartition(".")[2])
    _variables[id(code)] = variables


def variables_of(code: CodeType) -> frozenset[str]:
    """Return the variables of a function, and of those inside it."""
    inner = (variables_of(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return frozenset({*code.co_varnames, *code.co_cellvars, *code.co_freevars}).union(*inner)


def is_result(code: CodeType, name: str) -> bool:
    """Whether a variable of converted code keeps what a function will return."""
    return _RESULT.fullmatch(name) is not None and name not in _variables[id(code)]


def code_of(identity: int) -> CodeType:
    """Return a converted code object."""
    return _converted[identity][0]


def is_converted(code: CodeType) -> bool:
    """Whether a code object came out of conversion."""
    return id(code) in _converted


def loses_names(traceback: TracebackType | None) -> bool:
    """Whether an exception left helpers that conversion made of the function that catches it: what they had bound is not seen by the handler."""
    traceback = traceback and traceback.tb_next
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if id(code) in _converted:
            if _converted[id(code)][2]:
                return False
            if code.co_name != "<lambda>" and (code.co_argcount or _names_of(id(code))):
                return True
        traceback = traceback.tb_next
    return False


def nearest_converted(frame: FrameType | None) -> FrameType | None:
    """Return the innermost frame of converted code, from `frame` outwards."""
    while frame is not None and id(frame.f_code) not in _converted:
        frame = frame.f_back
    return frame


def where() -> tuple[Location, str]:
    """Return where in the user's program tracing stands, and the name that the value being computed is about to be given."""
    innermost = nearest_converted(sys._getframe(1))
    hint = "" if innermost is None else _stored_names(innermost.f_code).get(innermost.f_lasti, "")
    return _location(innermost, ""), hint


def _location(frame: FrameType | None, inside: str) -> Location:
    """Return where in the user's program the frames from one outwards stand; `inside`: which function has called that by a helper, if one has."""
    outer: Location = ()
    positions: list[Position] = []
    # As in `_calls`: this is asked for each op.
    while frame is not None:
        around = _regions.get(id(frame))
        if around is not None:
            if inside not in around:
                around[inside] = _location(frame.f_back, inside)
            outer = around[inside]
            break
        code = frame.f_code
        entry = _converted.get(id(code))
        if entry is not None:
            _, function, is_call = entry
            if inside != function:
                positions.append(_cached_position(id(code), frame.f_lasti, function))
            inside = "" if is_call else function
        frame = frame.f_back
    return (*outer, *reversed(positions))


@contextmanager
def standing() -> Iterator[None]:
    """Have the frames outside of the caller's own be looked at once, for all that happens meanwhile: they stand where they do."""
    frame = id(sys._getframe(2))
    _regions[frame] = {}
    try:
        yield
    finally:
        del _regions[frame]


def places() -> list[tuple[Position, dict[str, Any]]]:
    """Return where in the user's functions tracing stands, outermost first, with the globals of each."""
    found: list[tuple[Position, dict[str, Any]]] = []
    for frame, name in _calls(nearest_converted(sys._getframe(1))):
        namespace = frame.f_globals
        found.append(
            (_position(frame.f_code, frame.f_lasti, name), getattr(namespace, "namespace", namespace))
        )
    return found[::-1]


def globals_here() -> dict[str, Any]:
    """Return the globals of the user's function that is being traced."""
    frame = nearest_converted(sys._getframe(1))
    namespace = frame.f_globals if frame is not None else {}
    return getattr(namespace, "namespace", namespace)


def _calls(frame: FrameType | None) -> Iterator[tuple[FrameType, str]]:
    """Yield the innermost frame of each call of a function of the user's, from the innermost call outwards, with the function's name."""
    inside = ""
    while frame is not None:
        entry = _converted.get(id(frame.f_code))
        if entry is not None:
            # Helper functions that conversion made run inside the function they were made of.
            if inside != entry[1]:
                yield frame, entry[1]
                inside = entry[1]
            if entry[2]:
                inside = ""
        frame = frame.f_back


@functools.lru_cache(maxsize=100_000)
def _cached_position(identity: int, instruction: int, function: str) -> Position:
    return position_of(_converted[identity][0], instruction, function)


def _position(code: CodeType, instruction: int, function: str) -> Position:
    return _cached_position(id(code), instruction, function)


@functools.lru_cache(maxsize=10_000)
def _names_of(identity: int) -> dict[int, str]:
    """Return, for each instruction whose result is stored into a name right away, that name."""
    code = _converted[identity][0]
    text = code.co_code
    names: dict[int, str] = {}
    previous = extended = 0
    for offset in range(0, len(text), 2):
        opcode = text[offset]
        if opcode == _CACHE:
            continue
        if opcode == dis.EXTENDED_ARG:
            extended = (extended | text[offset + 1]) << 8
            continue
        if opcode in _STORES:
            place = extended | text[offset + 1]
            of_frame = opcode in _STORES_IN_FRAME
            name = code._varname_from_oparg(place) if of_frame else code.co_names[place]  # type: ignore[attr-defined]
            # An instruction that the interpreter has specialised stands at one of its cache entries while it calls.
            names.update(dict.fromkeys(range(previous, offset, 2), name))
        previous, extended = offset, 0
    return names


def _stored_names(code: CodeType) -> dict[int, str]:
    return _names_of(id(code))
