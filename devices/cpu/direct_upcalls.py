"""Calls of Python from a kernel that machine code has called: arrays of results are made there and then, all else is handed on."""

from __future__ import annotations

import ctypes
import weakref
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from transpile.devices.loops.buffer import Buffer

from . import symbols, upcall
from .c_code import DATA

if TYPE_CHECKING:
    from .executable import Executable

# Note [Upcalls of direct calls]
# A kernel that calls Python has one frame, which is in use or not. It holds, in place of the number of a call, the address of the words of the code, below 0. By that
# `upcall` below knows it: it makes arrays of results whose dims the kernel knows, and hands on all other calls of Python, by the number.

BUSY, MARKED, NUMBER, FRAME_AT, FIRST, LATE, HITS, _FREE = range(0, 64, 8)
HEAD = 64
# Words of an array that a kernel has made: dtype, rank, flags, how many bytes an element takes, and the array.
_EACH, _HELD = 40, 32

_UPCALLS = f"""
@python = global ptr null
declare void @transpile_py_Py_IncRef(ptr)
declare void @transpile_py_Py_DecRef(ptr)
declare void @transpile_py_PyErr_Clear()
declare i32 @transpile_py_PyGILState_Ensure()
declare void @transpile_py_PyGILState_Release(i32)
declare ptr @transpile_result_array(ptr, ptr, i32, ptr, i32, i64)
@class = global ptr null

define i64 @upcall(i64 %number, i64 %site) {{
start:
  %python = load ptr, ptr @python
  %ours = icmp slt i64 %number, 0
  br i1 %ours, label %known, label %other
other:
  %theirs = call i64 %python(i64 %number, i64 %site)
  ret i64 %theirs
known:
  %address = sub i64 0, %number
  %words = inttoptr i64 %address to ptr
  %first.at = getelementptr i8, ptr %words, i64 {FIRST}
  %first = load i64, ptr %first.at
  %count.at = getelementptr i8, ptr %words, i64 {LATE}
  %count = load i64, ptr %count.at
  %which = sub i64 %site, %first
  %makes = icmp ult i64 %which, %count
  br i1 %makes, label %make, label %hand
make:
  %offset = mul i64 %which, {_EACH}
  %after = add i64 %offset, {HEAD}
  %row = getelementptr i8, ptr %words, i64 %after
  %dtype = load ptr, ptr %row
  %rank.at = getelementptr i8, ptr %row, i64 8
  %rank = load i64, ptr %rank.at
  %flags.at = getelementptr i8, ptr %row, i64 16
  %flags = load i64, ptr %flags.at
  %each.at = getelementptr i8, ptr %row, i64 24
  %each = load i64, ptr %each.at
  %held.at = getelementptr i8, ptr %row, i64 {_HELD}
  %frame.at = getelementptr i8, ptr %words, i64 {FRAME_AT}
  %frame = load ptr, ptr %frame.at
  %dims = getelementptr i8, ptr %frame, i64 8
  %class = load ptr, ptr @class
  %short = trunc i64 %rank to i32
  %order = trunc i64 %flags to i32
  %state = call i32 @transpile_py_PyGILState_Ensure()
  call void @transpile_py_Py_IncRef(ptr %dtype)
  %made = call ptr @transpile_result_array(ptr %class, ptr %dtype, i32 %short, ptr %dims, i32 %order, i64 %each)
  %none = icmp eq ptr %made, null
  br i1 %none, label %failed, label %put
failed:
  call void @transpile_py_PyErr_Clear()
  %before = load ptr, ptr %held.at
  store ptr null, ptr %held.at
  call void @transpile_py_Py_DecRef(ptr %before)
  call void @transpile_py_PyGILState_Release(i32 %state)
  br label %hand
put:
  %old = load ptr, ptr %held.at
  store ptr %made, ptr %held.at
  call void @transpile_py_Py_DecRef(ptr %old)
  call void @transpile_py_PyGILState_Release(i32 %state)
  %data.at = getelementptr i8, ptr %made, i64 {DATA}
  %data = load ptr, ptr %data.at
  %slot = getelementptr i64, ptr %dims, i64 %rank
  store ptr %data, ptr %slot
  ret i64 0
hand:
  %marked = getelementptr i8, ptr %words, i64 {MARKED}
  store i64 1, ptr %marked
  %real.at = getelementptr i8, ptr %words, i64 {NUMBER}
  %real = load i64, ptr %real.at
  %given = call i64 %python(i64 %real, i64 %site)
  ret i64 %given
}}
"""
_lock = Lock()
_engines: list[Any] = []


def _hand_on() -> None:
    """Have kernels call Python by the code above."""
    with _lock:
        if not _engines:
            made = symbols.machine_code(_UPCALLS)
            for name, value in (("python", upcall.ENTER.value), ("class", id(np.ndarray))):
                ctypes.c_void_p.from_address(made.get_global_value_address(name)).value = value
            upcall.ENTER.value = made.get_function_address("upcall")
            _engines.append(made)


def words_for(count: int) -> int:
    """Return how many words code begins with whose kernel asks for so many arrays."""
    return (HEAD + _EACH * count) // 8


def held_at(number: int) -> int:
    """Return where the address of an array lies that a kernel has asked for, in bytes."""
    return HEAD + _EACH * number + _HELD


def order_flags(buffer: Buffer) -> int:
    """Return the flags by which NumPy is asked for an array in C or in Fortran order."""
    return 2 if buffer.layout == "F" else 0


class Registered:
    """Keeps the call that code uses where the handlers of its kernel find it, as long as there is that code."""

    def __init__(self, call: upcall.Call, executable: Executable, words: Any) -> None:
        self.call, self.words = call, words
        late = executable.kernel.late
        _hand_on()
        words[NUMBER // 8] = call.number
        words[FRAME_AT // 8] = call.frame.ctypes.data
        words[FIRST // 8] = 1 + len(executable.program.sites)
        words[LATE // 8] = len(late)
        for number, buffer in enumerate(late):
            place = words_for(number)
            words[place : place + 4] = (
                id(buffer.dtype),
                len(buffer.dims),
                order_flags(buffer),
                buffer.dtype.itemsize,
            )
        call.begin()
        call.frame[0] = -words.ctypes.data
        weakref.finalize(self, upcall.forget, call.number, None).atexit = False

    def clear(self) -> None:
        """Make the call ready for the next time."""
        self.call.end()
        self.call.begin()
        self.words[MARKED // 8] = 0
