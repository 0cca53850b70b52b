"""Memory for the arrays that kernels make, which is kept for the next one when they are done with it."""

from __future__ import annotations

import ctypes
import importlib
import sys
from functools import cache
from threading import Lock
from typing import Any

from . import symbols
from .toolkit import cgutils, ir

# Note [Pool]
# A page that the C library has given back to the system costs a fault, and the writing of zeros, when it is asked for again: several times what is computed
# with it. So larger blocks are kept, in slots that hold one block each: whoever takes one out, or puts one in, does so by one atomic exchange, and needs no lock.
# A block is its capacity, numba's record of it, and the data. What a slot holds in `sizes` is a hint: only the block itself is certain.
# No more is kept than a kernel may as well have asked for at once, and what has been kept longest goes first.
#
# What is kept is never a reason for the process to grow: before new memory is asked for that would make blocks in use and kept ones more than have been in use
# at once, kept ones go. A few small ones stay nevertheless.
#
# Arrays of results lie in blocks that are lent: these are not counted as in use, until they are given back, see Note [Room].
#
# For large arrays NumPy asks the system for huge pages: they are found, and filled with zeros, in a fifth of the time. So large blocks are to lie in these, too.

_SLOTS = 32
# Smaller blocks the C library keeps itself; no more than the most bytes are kept, all together.
_LEAST = 1 << 16
_MOST = 1 << 27
_SPARE = 1 << 18
# The capacity, the record, and what it may take until the data are aligned.
_RECORD, _HEAD = 16, 128
_LARGEST = 1 << 46
_MAKE, _ROOM = "transpile_pool_make", "transpile_pool_room"

# From how many bytes on huge pages are asked for, as NumPy does, in whole pages; and by which advice.
_HUGE, _PAGE, _MADV_HUGEPAGE = 1 << 22, 1 << 12, 14
_multiarray: Any = importlib.import_module("numpy._core.multiarray")


def _takes_huge_pages() -> bool:
    """Whether NumPy asks for huge pages: not of every system, and not where its user says so."""
    if sys.platform != "linux":
        return False
    asks = bool(_multiarray._set_madvise_hugepage(True))
    _multiarray._set_madvise_hugepage(asks)
    return asks


_ADVISE = f"""
declare i32 @transpile_c_madvise(ptr, i64, i32)

define void @advise(ptr %block, i64 %size) {{
  %large = icmp uge i64 %size, {_HUGE}
  br i1 %large, label %tell, label %end
tell:
  %start = ptrtoint ptr %block to i64
  %page = and i64 %start, -{_PAGE}
  %next = add i64 %page, {_PAGE}
  %skipped = sub i64 %next, %start
  %rest = sub i64 %size, %skipped
  %first = inttoptr i64 %next to ptr
  %status = call i32 @transpile_c_madvise(ptr %first, i64 %rest, i32 {_MADV_HUGEPAGE})
  br label %end
end:
  ret void
}}
"""
_LEAVE = """
define void @advise(ptr %block, i64 %size) alwaysinline {
  ret void
}
"""

_TEXT = f"""
{_ADVISE if _takes_huge_pages() else _LEAVE}
@blocks = internal global [{_SLOTS} x ptr] zeroinitializer
@sizes = internal global [{_SLOTS} x i64] zeroinitializer
@held = internal global i64 0
@used = internal global i64 0
@height = internal global i64 0
@oldest = internal global i64 0
@allocator = internal global {{ ptr, ptr, ptr, ptr }} {{ ptr null, ptr null, ptr @keep, ptr null }}

declare ptr @transpile_c_malloc(i64)
declare void @transpile_c_free(ptr)

define ptr @empty(i64 %slot) {{
  %place = getelementptr [{_SLOTS} x ptr], ptr @blocks, i64 0, i64 %slot
  %block = atomicrmw xchg ptr %place, ptr null acq_rel
  ret ptr %block
}}

define void @drop(i64 %slot) {{
  %block = call ptr @empty(i64 %slot)
  %none = icmp eq ptr %block, null
  br i1 %none, label %end, label %free
free:
  %capacity = load i64, ptr %block
  atomicrmw sub ptr @held, i64 %capacity monotonic
  call void @transpile_c_free(ptr %block)
  br label %end
end:
  ret void
}}

define i1 @put(ptr %block, i64 %capacity, i64 %slot) {{
  %place = getelementptr [{_SLOTS} x ptr], ptr @blocks, i64 0, i64 %slot
  %pair = cmpxchg ptr %place, ptr null, ptr %block acq_rel monotonic
  %done = extractvalue {{ ptr, i1 }} %pair, 1
  br i1 %done, label %note, label %end
note:
  %hint = getelementptr [{_SLOTS} x i64], ptr @sizes, i64 0, i64 %slot
  store atomic i64 %capacity, ptr %hint monotonic, align 8
  br label %end
end:
  ret i1 %done
}}

define void @shrink(i64 %goal) {{
start:
  br label %look
look:
  %tries = phi i64 [ {_SLOTS}, %start ], [ %left, %evict ]
  %now = load atomic i64, ptr @held monotonic, align 8
  %over = icmp sgt i64 %now, %goal
  %any = icmp ne i64 %tries, 0
  %again = and i1 %over, %any
  br i1 %again, label %evict, label %end
evict:
  %left = sub i64 %tries, 1
  %turn = atomicrmw add ptr @oldest, i64 1 monotonic
  %slot = urem i64 %turn, {_SLOTS}
  call void @drop(i64 %slot)
  br label %look
end:
  ret void
}}

define void @grow(i64 %whole) {{
  %before = atomicrmw add ptr @used, i64 %whole monotonic
  %used = add i64 %before, %whole
  %height = atomicrmw umax ptr @height, i64 %used monotonic
  %free = sub i64 %height, %used
  %some = icmp sgt i64 %free, {_SPARE}
  %goal = select i1 %some, i64 %free, i64 {_SPARE}
  call void @shrink(i64 %goal)
  ret void
}}

define void @room(i64 %size) {{
  %above = sub i64 %size, {_LEAST}
  %other = icmp ugt i64 %above, {_LARGEST}
  br i1 %other, label %end, label %clear
clear:
  call void @grow(i64 %size)
  atomicrmw sub ptr @used, i64 %size monotonic
  br label %end
end:
  ret void
}}

define void @keep(ptr %record, ptr %unused) {{
  %block = getelementptr i8, ptr %record, i64 -{_RECORD}
  %capacity = load i64, ptr %block
  %small = icmp ult i64 %capacity, {_LEAST}
  br i1 %small, label %free, label %done
done:
  atomicrmw sub ptr @used, i64 %capacity monotonic
  %large = icmp ugt i64 %capacity, {_MOST}
  br i1 %large, label %free, label %count
count:
  atomicrmw add ptr @held, i64 %capacity monotonic
  br label %seek
seek:
  %slot = phi i64 [ 0, %count ], [ %next, %full ]
  %kept = call i1 @put(ptr %block, i64 %capacity, i64 %slot)
  br i1 %kept, label %trim, label %full
full:
  %next = add i64 %slot, 1
  %more = icmp ult i64 %next, {_SLOTS}
  br i1 %more, label %seek, label %replace
replace:
  %turn = atomicrmw add ptr @oldest, i64 1 monotonic
  %victim = urem i64 %turn, {_SLOTS}
  call void @drop(i64 %victim)
  %placed = call i1 @put(ptr %block, i64 %capacity, i64 %victim)
  br i1 %placed, label %trim, label %forget
forget:
  atomicrmw sub ptr @held, i64 %capacity monotonic
  br label %free
free:
  call void @transpile_c_free(ptr %block)
  ret void
trim:
  call void @shrink(i64 {_MOST})
  ret void
}}

define i64 @closest(i64 %whole) {{
start:
  br label %look
look:
  %slot = phi i64 [ 0, %start ], [ %next, %look ]
  %found = phi i64 [ {_SLOTS}, %start ], [ %chosen, %look ]
  %least = phi i64 [ -1, %start ], [ %smaller, %look ]
  %hint = getelementptr [{_SLOTS} x i64], ptr @sizes, i64 0, i64 %slot
  %size = load atomic i64, ptr %hint monotonic, align 8
  %hopeful = call i1 @fits(i64 %size, i64 %whole)
  %closer = icmp ult i64 %size, %least
  %better = and i1 %hopeful, %closer
  %chosen = select i1 %better, i64 %slot, i64 %found
  %smaller = select i1 %better, i64 %size, i64 %least
  %next = add i64 %slot, 1
  %more = icmp ult i64 %next, {_SLOTS}
  br i1 %more, label %look, label %end
end:
  ret i64 %chosen
}}

define ptr @take(i64 %whole) {{
start:
  br label %seek
seek:
  %slot = call i64 @closest(i64 %whole)
  %nowhere = icmp eq i64 %slot, {_SLOTS}
  br i1 %nowhere, label %fresh, label %try
try:
  %hint = getelementptr [{_SLOTS} x i64], ptr @sizes, i64 0, i64 %slot
  store atomic i64 0, ptr %hint monotonic, align 8
  %block = call ptr @empty(i64 %slot)
  %none = icmp eq ptr %block, null
  br i1 %none, label %seek, label %check
check:
  %capacity = load i64, ptr %block
  atomicrmw sub ptr @held, i64 %capacity monotonic
  %right = call i1 @fits(i64 %capacity, i64 %whole)
  br i1 %right, label %found, label %free
found:
  atomicrmw add ptr @used, i64 %capacity monotonic
  ret ptr %block
free:
  call void @transpile_c_free(ptr %block)
  br label %seek
fresh:
  ret ptr null
}}

define i1 @fits(i64 %capacity, i64 %whole) alwaysinline {{
  %enough = icmp uge i64 %capacity, %whole
  %half = lshr i64 %capacity, 1
  %close = icmp ule i64 %half, %whole
  %both = and i1 %enough, %close
  ret i1 %both
}}

define ptr @fresh(i64 %whole) {{
  %new = call ptr @transpile_c_malloc(i64 %whole)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %end, label %note
note:
  call void @advise(ptr %new, i64 %whole)
  store i64 %whole, ptr %new
  br label %end
end:
  ret ptr %new
}}

define ptr @fill(ptr %block, i64 %size) {{
  %record = getelementptr i8, ptr %block, i64 {_RECORD}
  %behind = getelementptr i8, ptr %block, i64 {_HEAD - 1}
  %address = ptrtoint ptr %behind to i64
  %aligned = and i64 %address, -64
  store i64 1, ptr %record
  %word1 = getelementptr i64, ptr %record, i64 1
  store ptr null, ptr %word1
  %word2 = getelementptr i64, ptr %record, i64 2
  store ptr null, ptr %word2
  %word3 = getelementptr i64, ptr %record, i64 3
  store i64 %aligned, ptr %word3
  %word4 = getelementptr i64, ptr %record, i64 4
  store i64 %size, ptr %word4
  %word5 = getelementptr i64, ptr %record, i64 5
  store ptr @allocator, ptr %word5
  ret ptr %record
}}

define ptr @block(i64 %size, i1 %counts) {{
  %impossible = icmp ugt i64 %size, {_LARGEST}
  br i1 %impossible, label %fail, label %start
start:
  %whole = add i64 %size, {_HEAD}
  %small = icmp ult i64 %whole, {_LEAST}
  %large = xor i1 %small, true
  %counted = and i1 %counts, %large
  br i1 %small, label %fresh, label %seek
seek:
  %kept = call ptr @take(i64 %whole)
  %none = icmp eq ptr %kept, null
  br i1 %none, label %missed, label %found
missed:
  br i1 %counts, label %room, label %fresh
room:
  call void @grow(i64 %whole)
  br label %fresh
found:
  br i1 %counts, label %fill, label %uncount
uncount:
  %capacity = load i64, ptr %kept
  atomicrmw sub ptr @used, i64 %capacity monotonic
  br label %fill
fresh:
  %new = call ptr @fresh(i64 %whole)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %undo, label %fill
undo:
  %more = select i1 %counted, i64 %whole, i64 0
  atomicrmw sub ptr @used, i64 %more monotonic
  br label %fail
fill:
  %block = phi ptr [ %kept, %found ], [ %kept, %uncount ], [ %new, %fresh ]
  %record = call ptr @fill(ptr %block, i64 %size)
  ret ptr %record
fail:
  ret ptr null
}}

define ptr @make(i64 %size) {{
  %record = call ptr @block(i64 %size, i1 true)
  ret ptr %record
}}

define ptr @lend(i64 %size) {{
  %record = call ptr @block(i64 %size, i1 false)
  ret ptr %record
}}

define void @reclaim(ptr %record) {{
  %block = getelementptr i8, ptr %record, i64 -{_RECORD}
  %capacity = load i64, ptr %block
  %small = icmp ult i64 %capacity, {_LEAST}
  %counted = select i1 %small, i64 0, i64 %capacity
  atomicrmw add ptr @used, i64 %counted monotonic
  call void @keep(ptr %record, ptr null)
  ret void
}}
"""

_OFFERED = ("make", "room", "lend", "reclaim", "shrink")
_lock = Lock()


@cache
def _compiled() -> Any:
    """The functions that make blocks and room for others, and lend blocks."""
    return symbols.machine_code(_TEXT)


def _resolve(rest: str) -> int | None:
    with _lock:
        return int(_compiled().get_function_address(rest)) if rest in _OFFERED else None


symbols.provide("pool", _resolve)
if sys.maxsize > 2**32:
    # Bound here, so that stored kernels find it.
    symbols.register([_MAKE, _ROOM])


def new(builder: Any, size: Any) -> Any:
    """The record of a block of so many bytes, aligned for vectors; null where there is no memory."""
    kind = ir.FunctionType(ir.IntType(8).as_pointer(), [ir.IntType(64)])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, _MAKE), [size])


def make_room(builder: Any, size: Any) -> None:
    """Have no more kept than there may be beside so many bytes of others."""
    kind = ir.FunctionType(ir.VoidType(), [ir.IntType(64)])
    builder.call(cgutils.get_or_insert_function(builder.module, kind, _ROOM), [size])


def release() -> None:
    """Give all memory that is kept back to the system."""
    if sys.maxsize > 2**32:
        ctypes.CFUNCTYPE(None, ctypes.c_int64)(_resolve("shrink") or 0)(0)
