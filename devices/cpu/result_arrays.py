"""New arrays for results: of NumPy's making, larger ones in memory that is kept for the next when they are gone."""

from __future__ import annotations

import ctypes
import math
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from . import symbols

# Note [Result arrays]
# NumPy lets others see to the memory of arrays (NEP 49): who makes an array while a handler is set has the array's memory made, and later freed, by it. Only what is made here is: the handler that
# was set before is set again at once. The pool does not count what it lends: it is told when a result is first written (see Note [Room]), as pages are there from then on.
# An array may outlive all else, so what frees its memory is never unloaded.

# Of fewer bytes an array is left to NumPy, and to the C library, which keeps such memory itself.
LEAST = 1 << 18

_TEXT = f"""
declare ptr @transpile_pool_lend(i64)
declare void @transpile_pool_reclaim(ptr)
declare ptr @transpile_c_memset(ptr, i32, i64)
declare ptr @transpile_c_memcpy(ptr, ptr, i64)
declare ptr @transpile_py_PyArray_NewFromDescr(ptr, ptr, i32, ptr, ptr, ptr, i32, ptr)
declare ptr @transpile_py_PyDataMem_SetHandler(ptr)
declare void @transpile_py_Py_DecRef(ptr)
declare {{i64, i1}} @llvm.umul.with.overflow.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)

@capsule = global ptr null
@handler = global {{ [127 x i8], i8, ptr, ptr, ptr, ptr, ptr }} {{
  [127 x i8] c"transpile{"".join([chr(92) + "00"] * 118)}", i8 1, ptr null, ptr @allocate, ptr @zeros, ptr @change, ptr @free }}

define ptr @allocate(ptr %context, i64 %size) {{
  %record = call ptr @transpile_pool_lend(i64 %size)
  %none = icmp eq ptr %record, null
  br i1 %none, label %fail, label %note
note:
  %data.at = getelementptr i64, ptr %record, i64 3
  %data = load ptr, ptr %data.at
  %before = getelementptr i64, ptr %data, i64 -1
  store ptr %record, ptr %before
  ret ptr %data
fail:
  ret ptr null
}}

define ptr @zeros(ptr %context, i64 %count, i64 %each) {{
  %pair = call {{i64, i1}} @llvm.umul.with.overflow.i64(i64 %count, i64 %each)
  %over = extractvalue {{i64, i1}} %pair, 1
  br i1 %over, label %fail, label %make
make:
  %size = extractvalue {{i64, i1}} %pair, 0
  %data = call ptr @allocate(ptr null, i64 %size)
  %none = icmp eq ptr %data, null
  br i1 %none, label %fail, label %clear
clear:
  %same = call ptr @transpile_c_memset(ptr %data, i32 0, i64 %size)
  ret ptr %data
fail:
  ret ptr null
}}

define ptr @change(ptr %context, ptr %old, i64 %size) {{
  %data = call ptr @allocate(ptr null, i64 %size)
  %none = icmp eq ptr %data, null
  %first = icmp eq ptr %old, null
  %done = or i1 %none, %first
  br i1 %done, label %end, label %copy
copy:
  %before = getelementptr i64, ptr %old, i64 -1
  %record = load ptr, ptr %before
  %size.at = getelementptr i64, ptr %record, i64 4
  %held = load i64, ptr %size.at
  %kept = call i64 @llvm.umin.i64(i64 %held, i64 %size)
  %same = call ptr @transpile_c_memcpy(ptr %data, ptr %old, i64 %kept)
  call void @transpile_pool_reclaim(ptr %record)
  br label %end
end:
  ret ptr %data
}}

define void @free(ptr %context, ptr %data, i64 %size) {{
  %none = icmp eq ptr %data, null
  br i1 %none, label %end, label %give
give:
  %before = getelementptr i64, ptr %data, i64 -1
  %record = load ptr, ptr %before
  call void @transpile_pool_reclaim(ptr %record)
  br label %end
end:
  ret void
}}

define ptr @array(ptr %class, ptr %dtype, i32 %rank, ptr %dims, i32 %order, i64 %each) {{
start:
  %axes = zext i32 %rank to i64
  br label %look
look:
  %axis = phi i64 [ 0, %start ], [ %next, %more ]
  %size = phi i64 [ %each, %start ], [ %product, %more ]
  %end = icmp eq i64 %axis, %axes
  br i1 %end, label %measured, label %more
more:
  %dim.at = getelementptr i64, ptr %dims, i64 %axis
  %dim = load i64, ptr %dim.at
  %product = mul i64 %size, %dim
  %next = add i64 %axis, 1
  br label %look
measured:
  %small = icmp ult i64 %size, {LEAST}
  br i1 %small, label %plain, label %set
plain:
  %usual = call ptr @transpile_py_PyArray_NewFromDescr(ptr %class, ptr %dtype, i32 %rank, ptr %dims, ptr null, ptr null, i32 %order, ptr null)
  ret ptr %usual
set:
  %capsule = load ptr, ptr @capsule
  %before = call ptr @transpile_py_PyDataMem_SetHandler(ptr %capsule)
  %unset = icmp eq ptr %before, null
  br i1 %unset, label %fail, label %make
make:
  %made = call ptr @transpile_py_PyArray_NewFromDescr(ptr %class, ptr %dtype, i32 %rank, ptr %dims, ptr null, ptr null, i32 %order, ptr null)
  %ours = call ptr @transpile_py_PyDataMem_SetHandler(ptr %before)
  call void @transpile_py_Py_DecRef(ptr %before)
  %left = icmp eq ptr %ours, null
  br i1 %left, label %undo, label %give
give:
  call void @transpile_py_Py_DecRef(ptr %ours)
  ret ptr %made
undo:
  call void @transpile_py_Py_DecRef(ptr %made)
  br label %fail
fail:
  ret ptr null
}}
"""


@cache
def _compiled() -> Any:
    """The functions above, with the capsule that NumPy knows the handler by; never unloaded."""
    engine = symbols.machine_code(_TEXT)
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    handler = capsule(engine.get_global_value_address("handler"), b"mem_handler", None)
    ctypes.c_void_p.from_address(engine.get_global_value_address("capsule")).value = id(handler)
    symbols.keep(handler)
    return engine, handler


def _resolve(rest: str) -> int | None:
    return int(_compiled()[0].get_function_address(rest)) if rest == "array" else None


symbols.provide("result", _resolve)


@cache
def _set_handler() -> Any:
    address = symbols.address("transpile_py_PyDataMem_SetHandler")
    return ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(address)


def made(make: Callable[..., Any], dims: Sequence[int], dtype: np.dtype[Any], *rest: Any) -> Any:
    """Return the new array that a function of NumPy's makes of dims, a dtype and the rest."""
    if math.prod(dims) * dtype.itemsize < LEAST or sys.maxsize <= 2**32:
        return make(dims, dtype, *rest)
    before = _set_handler()(_compiled()[1])
    try:
        return make(dims, dtype, *rest)
    finally:
        _set_handler()(before)
