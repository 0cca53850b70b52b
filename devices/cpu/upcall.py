"""Calls from kernels back into Python."""

from __future__ import annotations

import ctypes
import itertools
import struct
import sys
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

import numpy as np

from transpile.runtime.graph.types import ArrayType, ScalarType

from . import symbols
from .records import MemInfo, record_of

# Note [Upcalls]
# A kernel that must run Python passes its operands in a frame, an int64 array of which slot 0 holds the number of the
# running call, and calls ``upcall(frame, site)``. One C callback, known to all kernels by its symbol, takes the GIL,
# finds the call by its number, and runs the handler of the site. Whatever the handler raises, KeyboardInterrupt too, is
# kept in the call, and the kernel is told to return by a status that is not 0. Calls may nest and run in many threads:
# each has its own number and its own frame. The processor's flags survive an upcall.
#
# A scalar lies in a slot in its own representation (a complex128 in two). An array takes 2 + 2 * ndim slots: address,
# memory record, shape, strides. Its memory gains a share, for the kernel may be done with it before Python looks. On the
# Python side it becomes a view, lent for the time of the handler, and a record that gives the share back; or a copy, which
# a handler may keep. What is put has to be read once.

Handler = Callable[["Call"], "int | None"]

# The first of the two slots in which an array is that Python gives, behind a number.
GIVEN = 3
_put_words = struct.Struct("2q").pack_into

_FAILED, _UNKNOWN = -1, -2


class Call:
    """One running call of a kernel: its frame, the handlers of its sites, and the exception that ended it."""

    def __init__(self, handlers: Sequence[Handler], slots: int) -> None:
        self.frame = np.zeros(slots, np.int64)
        self.memory = self.frame.data.cast("B")
        self.handlers = handlers
        self.error: BaseException | None = None
        self.number = next(_numbers)
        self.frame[0] = self.number
        # The arrays of results that Python makes, by number, and what reports floating-point errors at the end, with these.
        self.late: dict[int, Any] = {}
        self.reports: list[tuple[Any, int]] = []
        # The locks of what is lent to the kernel, in the order in which they are taken, and how many it holds.
        self.locks: list[Any] = []
        self._held = 0

    def begin(self) -> None:
        """Let the kernel find the call."""
        _calls[self.number] = self

    def end(self) -> None:
        """Give back what the kernel has held, and keep nothing, so that another call can be made by it."""
        del _calls[self.number]
        if self.locks:
            self.release()
            self.locks = []
        self.error = None
        if self.late:
            self.late = {}
        if self.reports:
            self.reports = []

    def __enter__(self) -> Call:
        self.begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.end()

    def lock(self, lock: Any) -> None:
        """Have the kernel hold a lock whenever it runs from now on."""
        if lock not in self.locks:
            self.locks = sorted((*self.locks, lock), key=id)

    def acquire(self) -> None:
        """Take all locks."""
        while self._held < len(self.locks):
            self.locks[self._held].acquire()
            self._held += 1

    def release(self) -> None:
        """Give all locks back."""
        while self._held:
            self._held -= 1
            self.locks[self._held].release()

    def give(self, array: Any) -> None:
        """Put an array into slots, for the kernel to take over: its address, and a share in its memory."""
        place = address(array)
        _put_words(self.memory, 8 * GIVEN, place, record_of(place, array))

    def check(self) -> None:
        """Raise what a handler raised."""
        if self.error is not None:
            error, self.error = self.error, None
            raise error

    def write(self, slot: int, character: str, value: Any) -> None:
        """Put a number into a slot, for the kernel to get."""
        if character in "FD":
            part = "f" if character == "F" else "d"
            struct.pack_into(f"2{part}", self.memory, 8 * slot, value.real, value.imag)
        else:
            struct.pack_into(_FORMATS.get(character, character), self.memory, 8 * slot, value)


# All memory there is, as bytes: arrays are made over it, which is the fastest way to make one over an address. NumPy takes a buffer at 0 for none.
_MEMORY: Any = (ctypes.c_char * (sys.maxsize - 1)).from_address(1)


# Where an array has the address of its elements, in NumPy's public structure, counted in that memory.
_ELEMENTS = object.__basicsize__ - 1
_word = struct.Struct("q").unpack_from


def address(array: Any) -> int:
    """Return the address of an array's elements, much faster than NumPy says it."""
    found: int = _word(_MEMORY, id(array) + _ELEMENTS)[0]
    return found


class _Lender:
    """Reads an array for the time of a call. A kernel hands over the same memory again and again: the last view is kept."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.dtype = dtype
        self.last: tuple[tuple[int, ...], Any] = ((), None)

    def __call__(self, words: tuple[int, ...]) -> Any:
        known, view = self.last
        if known != words:
            ndim = (len(words) - 2) // 2
            # What has no elements may lie nowhere.
            place = max(words[0], 1)
            view = np.ndarray(words[2 : 2 + ndim], self.dtype, _MEMORY, place - 1, words[2 + ndim :])
            self.last = words, view
        return view


def reader(
    kinds: Sequence[ArrayType | ScalarType], lent: bool = False
) -> Callable[[Call], tuple[list[Any], Any]]:
    """Return what reads the operands of a site, which lie in the frame's slots one after the other from the first on.

    The values come with what keeps their memory alive. `lent` arrays are valid as long as that lives; others are copies.
    """
    texts, owners, layout = [], [], "="
    names: dict[str, Any] = {"MemInfo": MemInfo}
    place = 0
    for number, kind in enumerate(kinds):
        if isinstance(kind, ArrayType):
            count = 2 + 2 * len(kind.dims)
            layout += f"{count}q"
            names[f"lend{number}"] = _Lender(kind.dtype)
            texts.append(f"lend{number}(words[{place} : {place + count}])" + ("" if lent else ".copy()"))
            owners.append(f"MemInfo(words[{place + 1}]) if words[{place + 1}] else None")
        else:
            count = 2 if kind.dtype.kind == "c" else 1
            names[f"kind{number}"] = kind.python if kind.weak else kind.dtype.type
            character, size = kind.dtype.char, kind.dtype.itemsize
            layout += {"F": "2f", "D": "2d"}.get(character, _FORMATS.get(character, character))
            layout += f"{-size % 8}x" if size % 8 else ""
            parts = ", ".join(f"words[{place + part}]" for part in range(count))
            texts.append(f"kind{number}({parts if count == 1 else f'complex({parts})'})")
        place += count
    names["unpack"] = struct.Struct(layout).unpack_from
    body = f"([{', '.join(texts)}], ({''.join(owner + ', ' for owner in owners)}))"
    read: Callable[[Call], tuple[list[Any], Any]] = eval(
        f"lambda call: (lambda words: {body})(unpack(call.memory, 8))", names
    )
    return read


def writer(character: str) -> Callable[[memoryview, Any], None]:
    """Return what puts a number of a dtype into the first slot of a frame's memory, for the kernel to get."""
    if character in "FD":
        pack = struct.Struct("2f" if character == "F" else "2d").pack_into
        return lambda memory, value: pack(memory, 8, value.real, value.imag)
    pack = struct.Struct(_FORMATS.get(character, character)).pack_into
    return lambda memory, value: pack(memory, 8, value)


_FORMATS = {"l": "q", "L": "Q", "m": "q", "M": "q", "p": "q"}
_numbers = itertools.count(1)
_calls: dict[int, Call] = {}
# Takes a call by its number out of those that kernels find.
forget = _calls.pop


def _run(number: int, site: int) -> int:
    call = _calls.get(number)
    if call is None:
        return _UNKNOWN
    try:
        if call.locks:
            call.release()
        status = int(call.handlers[site](call) or 0)
        if call.locks:
            call.acquire()
        return status
    except BaseException as error:
        behind = error.__traceback__.tb_next if error.__traceback__ else None
        call.error = error.with_traceback(behind)
        return _FAILED


_enter = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(_run)
# Where kernels find what they call.
ENTER = ctypes.c_void_p(ctypes.cast(_enter, ctypes.c_void_p).value)
symbols.provide("upcall", lambda rest: ctypes.addressof(ENTER) if rest == "enter" else None)
