"""Code that hands on its calls before its own first statement.

The function that stands for a converted one has the code of the original, with some instructions before it:

    if gettrace() is None:  # and what else tells of those who follow lines
        called = link.to()
        if called is not None:
            return called(first, second, ...)

So it is the original for whatever looks at its code, and where a debugger, or what measures coverage, follows the lines that run, it runs as the
original in its own frame. The instructions are on no line, but for the call itself, which tracebacks show on the first line of the function.
"""

from __future__ import annotations

import functools
import itertools
import opcode
import sys
import types
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .frames import VARARGS, VARKEYWORDS

_OPS = opcode.opmap
# The cells of a function are made before anything else.
_BEFORE = frozenset(_OPS[name] for name in ("COPY_FREE_VARS", "MAKE_CELL"))
_NEW = sys.version_info >= (3, 12)
# Where the place of NULL in a call is: before what is called, until Python 3.13.
_AFTER = sys.version_info >= (3, 13)
# Code units that follow an instruction, for the interpreter to note what it finds.
_NOTES = (
    {"CALL": 3, "LOAD_ATTR": 9, "POP_JUMP_IF_NONE": _AFTER, "POP_JUMP_IF_NOT_NONE": _AFTER}
    if _NEW
    else {"PRECALL": 1, "CALL": 4, "LOAD_ATTR": 4}
)
# What stands for the link, among the constants of code that is compiled, until that takes its place.
_MARKER = "<transpile calls>"
# Kinds of entries in a table of positions: a line alone, and none.
_LINE, _NONE = 13, 15


class Link:
    """What code holds of that to which it hands on its calls: weakly, for the collector of garbage does not see code.

    `hands_on_until` is the place of the first instruction of the original.
    """

    __slots__ = ("hands_on_until", "to")

    def __init__(self, to: Any, hands_on_until: int = 0) -> None:
        self.hands_on_until = hands_on_until
        self.lead(to)

    def __reduce__(self) -> Any:
        """Pickle as one that leads nowhere: the calls that are pickled with it lead it to themselves."""
        # Nobody keeps the set.
        return Link, (set(), self.hands_on_until)

    def lead(self, to: Any) -> None:
        """Lead to something that takes calls."""
        self.to: Callable[[], Any] = weakref.ref(to)

    def lead_sometimes(self, to: Any, every: int) -> None:
        """Lead to something that takes one call of so many, and is there as long as the function is that stands for the original; the others run as the original."""
        self.to = itertools.cycle((*[None] * (every - 1), weakref.proxy(to))).__next__


def hand_on(code: types.CodeType, link: Link, watches: Sequence[Callable[[], Any]]) -> types.CodeType:
    """Return code of a function that hands on its calls while all `watches` give None, and else is as it was."""
    old = code.co_code
    start = 0
    while old[start] in _BEFORE:
        start += 2
    if old[start] != _OPS["RESUME"]:
        return _always(code, link)
    start += 2
    check, call = _instructions(code, len(watches))
    new = check + call
    link.hands_on_until = start + len(new)
    before, after = _split(code.co_linetable, start // 2)
    return code.replace(
        co_code=old[:start] + new + old[start:],
        co_linetable=before + _entries(_NONE, len(check) // 2) + _entries(_LINE, len(call) // 2) + after,
        co_exceptiontable=bytes(_moved(code.co_exceptiontable, len(new) // 2)),
        co_consts=(*code.co_consts, *watches, link),
        co_names=(*code.co_names, "to"),
        co_stacksize=max(code.co_stacksize, _count(code) + 3),
    )


def _always(code: types.CodeType, link: Link) -> types.CodeType:
    """Return code with the same parameters that only hands on its calls: that of a generator, say, does not run when it is called."""
    names = code.co_varnames[: _count(code)]
    count, keywords = code.co_argcount, code.co_kwonlyargcount
    parts = list(names[: code.co_posonlyargcount]) + ["/"] * bool(code.co_posonlyargcount)
    parts += names[code.co_posonlyargcount : count]
    star = names[count + keywords] if code.co_flags & VARARGS else ""
    parts += [f"*{star}"] if star or keywords else []
    parts += names[count : count + keywords]
    parts += [f"**{names[-1]}"] if code.co_flags & VARKEYWORDS else []
    text = f"lambda {', '.join(parts)}: {_MARKER!r}.to()({', '.join(names)})"
    made: types.CodeType = compile(text, code.co_filename, "eval").co_consts[0]
    link.hands_on_until = len(made.co_code)
    return made.replace(
        co_name=code.co_name,
        co_qualname=code.co_qualname,
        co_firstlineno=code.co_firstlineno,
        co_consts=(*(link if constant == _MARKER else constant for constant in made.co_consts), link),
        co_freevars=code.co_freevars,
    )


def _count(code: types.CodeType) -> int:
    """Return how many values a call hands over."""
    flags = code.co_flags
    variadic = bool(flags & VARARGS) + bool(flags & VARKEYWORDS)
    return code.co_argcount + code.co_kwonlyargcount + variadic


def _instructions(code: types.CodeType, watches: int) -> tuple[bytes, bytes]:
    """Return the instructions that ask whether, and those that hand on."""
    first = len(code.co_consts)
    names = code.co_varnames[: _count(code)]
    load = b"".join(
        _op("LOAD_DEREF" if name in code.co_cellvars else "LOAD_FAST", place)
        for place, name in enumerate(names)
    )
    call = (
        _op("PUSH_NULL")
        + (b"" if _AFTER else _op("SWAP", 2))
        + load
        + _call(len(names))
        + _op("RETURN_VALUE")
    )
    dead = _op("POP_TOP")
    attribute = _op("LOAD_ATTR", len(code.co_names) << _NEW)
    link = _called(_op("LOAD_CONST", first + watches) + attribute) + _op("COPY", 1)
    check = link + _jump("NONE", len(call))
    # Where there is nothing to hand on to, that is dropped among the instructions that hand on.
    call += dead
    for watch in reversed(range(first, first + watches)):
        check = _called(_op("LOAD_CONST", watch)) + _jump("NOT_NONE", len(check) + len(call)) + check
    return check, call


@functools.cache
def _op(name: str, argument: int = 0) -> bytes:
    """Return an instruction."""
    extended = b"".join(
        bytes((_OPS["EXTENDED_ARG"], argument >> shift & 255)) for shift in (24, 16, 8) if argument >> shift
    )
    return extended + bytes((_OPS[name], argument & 255)) + bytes(2 * _NOTES.get(name, 0))


def _call(count: int) -> bytes:
    return (b"" if _NEW else _op("PRECALL", count)) + _op("CALL", count)


def _called(function: bytes) -> bytes:
    """Return instructions that call without arguments what others load."""
    null = _op("PUSH_NULL")
    return (function + null if _AFTER else null + function) + _call(0)


def _jump(condition: str, distance: int) -> bytes:
    return _op(f"POP_JUMP_{'' if _NEW else 'FORWARD_'}IF_{condition}", distance // 2)


def _entries(kind: int, units: int) -> bytes:
    """Return entries of a table of positions for so many units of code, on the line before or on none."""
    entries = b""
    while units:
        length = min(units, 8)
        entries += bytes((0x80 | kind << 3 | length - 1, *([0] if kind == _LINE else [])))
        units -= length
    return entries


def _split(table: bytes, units: int) -> tuple[bytes, bytes]:
    """Return a table of positions in two, the first for so many units of code."""
    place = 0
    while units > 0:
        end = next((n for n in range(place + 1, len(table)) if table[n] & 0x80), len(table))
        length = (table[place] & 7) + 1
        if length > units:
            # Both parts are on one line.
            first = bytes((table[place] & ~7 | units - 1, *table[place + 1 : end]))
            return table[:place] + first, _entries(_LINE, length - units) + table[end:]
        units -= length
        place = end
    return table[:place], table[place:]


def _moved(table: bytes, units: int) -> Iterator[int]:
    """Yield a table of exceptions for code that lies so many units further: in each entry the first number and the third are places."""
    place = 0
    number = 0
    for byte in table:
        if byte & 0x80:
            place = 0
        number = number << 6 | byte & 63
        if not byte & 0x40:
            yield from _number(number + units * (place in (0, 2)), 0 if place else 0x80)
            place, number = place + 1, 0


def _number(value: int, first: int) -> Iterator[int]:
    """Yield a number as a table of exceptions has it: six bits in a byte, the highest first, of which the first one is marked."""
    shift = 6 * max((value.bit_length() - 1) // 6, 0)
    while shift:
        yield first | 0x40 | value >> shift & 63
        first, shift = 0, shift - 6
    yield first | value & 63
