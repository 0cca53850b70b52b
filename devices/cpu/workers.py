"""The machine code that hands out the turns of loops to native threads, which know nothing of Python."""

from __future__ import annotations

import os
import platform
import sys

from .masks import ALL

# Note [Threads]
# A loop whose turns have nothing to do with each other becomes a function of its bounds, a piece. Where the loop is long enough, it is handed to `run`, which
# publishes it as the one job of the process: workers that sleep are woken, and they and the caller take turns from a common counter until none are left. Then the caller
# closes the job, and waits for those workers alone that are in it. So a worker that wakes late, or never, costs nothing; and whoever finds the job taken, another
# thread, runs all turns itself. Nothing is locked, and nothing of Python's is touched: neither can a thread hang.
#
# A worker takes over the caller's floating-point environment, and the caller raises whatever flags the workers have met. No worker is left when a process forks:
# where the job is not taken, workers are ended before, and otherwise the child starts as if there were none.
#
# Where other programs keep the processors busy, a worker may be stopped in the midst of a piece. A caller that waits for longer than it has worked itself runs the loops that follow alone:
# for sixteen times as long as it has waited, or twice as long as the last time, but no more than `patience` says. So waiting takes a sixteenth of the time at most.
#
# There are no more threads than a loop has work for, NUMBA_NUM_THREADS, the processors that the caller may run on, and the threads that NumPy's BLAS may have: that is what threadpoolctl sets.

_FUTEX = {"x86_64": 202, "aarch64": 98}.get(platform.machine())
available = sys.platform == "linux" and _FUTEX is not None and "CS_GNU_LIBC_VERSION" in os.confstr_names
MOST = 64
# How many pieces there are for each thread.
_PIECES = 4
# A shorter wait, in nanoseconds, is that for a worker's last piece.
_SHORT_WAIT = 200_000
# How often a thread looks before it sleeps: for as long as it takes to be woken, as loops come one after the other.
_LOOKS = 20000

TEXT = f"""
@most = global i64 1
@blas = global ptr null
@owner = internal global i32 0
@generation = global i32 0
@quit = internal global i32 0
@open = internal global i32 0
@seats = internal global i32 0
@active = internal global i32 0
@started = internal global i64 0
@threads = internal global [{MOST} x i64] zeroinitializer
@piece = internal global ptr null
@closure = internal global ptr null
@next = internal global i64 0
@turns = internal global i64 0
@length = internal global i64 0
@raised = internal global i32 0
@environment = internal global [64 x i8] zeroinitializer, align 16
@patience = global i64 1000000000
@pause = internal global i64 0
@alone_until = global i64 0

declare i64 @transpile_c_syscall(i64, ...)
declare i32 @transpile_c_sched_getaffinity(i32, i64, ptr)
declare i32 @transpile_c_pthread_create(ptr, ptr, ptr, ptr)
declare i32 @transpile_c_pthread_join(i64, ptr)
declare i32 @transpile_c_pthread_sigmask(i32, ptr, ptr)
declare i32 @transpile_c_sigfillset(ptr)
declare i32 @transpile_c_clock_gettime(i32, ptr)
declare i32 @transpile_c_fegetenv(ptr)
declare i32 @transpile_c_fesetenv(ptr)
declare i32 @transpile_c_fetestexcept(i32)
declare i32 @transpile_c_feraiseexcept(i32)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)

define i64 @clock() {{
start:
  %time = alloca [2 x i64]
  call i32 @transpile_c_clock_gettime(i32 1, ptr %time)
  %seconds = load i64, ptr %time
  %place = getelementptr i64, ptr %time, i64 1
  %rest = load i64, ptr %place
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %rest
  ret i64 %now
}}

define void @wait_while(ptr %word, i32 %value) {{
start:
  br label %look
look:
  %left = phi i64 [ {_LOOKS}, %start ], [ %fewer, %again ], [ 0, %sleep ]
  %now = load atomic i32, ptr %word seq_cst, align 4
  %same = icmp eq i32 %now, %value
  br i1 %same, label %stay, label %end
stay:
  %over = icmp eq i64 %left, 0
  br i1 %over, label %sleep, label %again
again:
  %fewer = sub i64 %left, 1
  br label %look
sleep:
  call i64 (i64, ...) @transpile_c_syscall(i64 {_FUTEX}, ptr %word, i64 128, i32 %value, ptr null)
  br label %look
end:
  ret void
}}

define void @wake(ptr %word, i32 %count) {{
  call i64 (i64, ...) @transpile_c_syscall(i64 {_FUTEX}, ptr %word, i64 129, i32 %count)
  ret void
}}

define void @work() {{
start:
  %piece = load ptr, ptr @piece
  %closure = load ptr, ptr @closure
  %turns = load i64, ptr @turns
  %length = load i64, ptr @length
  br label %take
take:
  %first = atomicrmw add ptr @next, i64 %length monotonic
  %any = icmp slt i64 %first, %turns
  br i1 %any, label %run, label %end
run:
  %rest = sub i64 %turns, %first
  %count = call i64 @llvm.umin.i64(i64 %rest, i64 %length)
  %stop = add i64 %first, %count
  call void %piece(ptr %closure, i64 %first, i64 %stop)
  br label %take
end:
  ret void
}}

define ptr @worker(ptr %given) {{
start:
  %before = ptrtoint ptr %given to i64
  %known = trunc i64 %before to i32
  br label %sleep
sleep:
  %seen = phi i32 [ %known, %start ], [ %now, %gone ], [ %now, %leave ]
  call void @wait_while(ptr @generation, i32 %seen)
  %now = load atomic i32, ptr @generation seq_cst, align 4
  %ended = load atomic i32, ptr @quit seq_cst, align 4
  %quits = icmp ne i32 %ended, 0
  br i1 %quits, label %end, label %enter
enter:
  atomicrmw add ptr @active, i32 1 seq_cst
  %open = load atomic i32, ptr @open seq_cst, align 4
  %closed = icmp eq i32 %open, 0
  br i1 %closed, label %gone, label %sit
sit:
  %free = atomicrmw sub ptr @seats, i32 1 seq_cst
  %full = icmp sle i32 %free, 0
  br i1 %full, label %gone, label %join
join:
  call i32 @transpile_c_fesetenv(ptr @environment)
  call void @work()
  %raised = call i32 @transpile_c_fetestexcept(i32 {ALL})
  atomicrmw or ptr @raised, i32 %raised seq_cst
  br label %gone
gone:
  %others = atomicrmw sub ptr @active, i32 1 seq_cst
  %last = icmp eq i32 %others, 1
  br i1 %last, label %leave, label %sleep
leave:
  call void @wake(ptr @active, i32 1)
  br label %sleep
end:
  ret ptr null
}}

define void @start(i64 %wanted) {{
start:
  %all = alloca [128 x i8], align 16
  %old = alloca [128 x i8], align 16
  call i32 @transpile_c_sigfillset(ptr %all)
  call i32 @transpile_c_pthread_sigmask(i32 2, ptr %all, ptr %old)
  br label %more
more:
  %count = load i64, ptr @started
  %short = icmp ult i64 %count, %wanted
  br i1 %short, label %create, label %end
create:
  %place = getelementptr [{MOST} x i64], ptr @threads, i64 0, i64 %count
  %now = load atomic i32, ptr @generation seq_cst, align 4
  %wide = zext i32 %now to i64
  %given = inttoptr i64 %wide to ptr
  %failed = call i32 @transpile_c_pthread_create(ptr %place, ptr null, ptr @worker, ptr %given)
  %fine = icmp eq i32 %failed, 0
  br i1 %fine, label %note, label %end
note:
  %grown = add i64 %count, 1
  store i64 %grown, ptr @started
  br label %more
end:
  call i32 @transpile_c_pthread_sigmask(i32 2, ptr %old, ptr null)
  ret void
}}

define i64 @allowed() {{
start:
  %mask = alloca [128 x i8], align 16
  %most = load i64, ptr @most
  %failed = call i32 @transpile_c_sched_getaffinity(i32 0, i64 128, ptr %mask)
  %fine = icmp eq i32 %failed, 0
  br i1 %fine, label %count, label %libraries
count:
  %word = phi i64 [ 0, %start ], [ %next, %count ]
  %sum = phi i64 [ 0, %start ], [ %total, %count ]
  %place = getelementptr i64, ptr %mask, i64 %word
  %bits = load i64, ptr %place
  %ones = call i64 @llvm.ctpop.i64(i64 %bits)
  %total = add i64 %sum, %ones
  %next = add i64 %word, 1
  %more = icmp ult i64 %next, 16
  br i1 %more, label %count, label %counted
counted:
  %fewer = call i64 @llvm.umin.i64(i64 %most, i64 %total)
  br label %libraries
libraries:
  %threads = phi i64 [ %most, %start ], [ %fewer, %counted ]
  %blas = load ptr, ptr @blas
  %none = icmp eq ptr %blas, null
  br i1 %none, label %end, label %ask
ask:
  %theirs = call i32 %blas()
  %wide = zext i32 %theirs to i64
  %least = call i64 @llvm.umin.i64(i64 %threads, i64 %wide)
  br label %end
end:
  %result = phi i64 [ %threads, %libraries ], [ %least, %ask ]
  ret i64 %result
}}

define void @run(ptr %piece, ptr %closure, i64 %turns, i64 %wanted) {{
start:
  %most = call i64 @allowed()
  %worth = call i64 @llvm.umin.i64(i64 %most, i64 %wanted)
  %threads = call i64 @llvm.umin.i64(i64 %worth, i64 %turns)
  %several = icmp ugt i64 %threads, 1
  br i1 %several, label %ask, label %alone
ask:
  %begin = call i64 @clock()
  %until = load i64, ptr @alone_until
  %waits = icmp slt i64 %begin, %until
  br i1 %waits, label %alone, label %claim
claim:
  %pair = cmpxchg ptr @owner, i32 0, i32 1 seq_cst seq_cst
  %claimed = extractvalue {{ i32, i1 }} %pair, 1
  br i1 %claimed, label %prepare, label %alone
alone:
  call void %piece(ptr %closure, i64 0, i64 %turns)
  ret void
prepare:
  %helpers = sub i64 %threads, 1
  %started = load i64, ptr @started
  %short = icmp ult i64 %started, %helpers
  br i1 %short, label %grow, label %publish
grow:
  call void @start(i64 %helpers)
  br label %publish
publish:
  %parts = mul i64 %threads, {_PIECES}
  %up = sub i64 %parts, 1
  %rounded = add i64 %turns, %up
  %length = udiv i64 %rounded, %parts
  store ptr %piece, ptr @piece
  store ptr %closure, ptr @closure
  store i64 0, ptr @next
  store i64 %turns, ptr @turns
  store i64 %length, ptr @length
  store i32 0, ptr @raised
  %seats = trunc i64 %helpers to i32
  store atomic i32 %seats, ptr @seats seq_cst, align 4
  call i32 @transpile_c_fegetenv(ptr @environment)
  store atomic i32 1, ptr @open seq_cst, align 4
  atomicrmw add ptr @generation, i32 1 seq_cst
  call void @wake(ptr @generation, i32 %seats)
  call void @work()
  %worked = call i64 @clock()
  store atomic i32 0, ptr @open seq_cst, align 4
  br label %check
check:
  %inside = load atomic i32, ptr @active seq_cst, align 4
  %empty = icmp eq i32 %inside, 0
  br i1 %empty, label %done, label %wait
wait:
  call void @wait_while(ptr @active, i32 %inside)
  br label %check
done:
  %end = call i64 @clock()
  %waited = sub i64 %end, %worked
  %own = sub i64 %worked, %begin
  %usual = call i64 @llvm.umax.i64(i64 %own, i64 {_SHORT_WAIT})
  %stopped = icmp ugt i64 %waited, %usual
  %last = load i64, ptr @pause
  br i1 %stopped, label %rest, label %fine
rest:
  %twice = mul i64 %last, 2
  %times = mul i64 %waited, 16
  %longer = call i64 @llvm.umax.i64(i64 %twice, i64 %times)
  %patience = load i64, ptr @patience
  %pause = call i64 @llvm.umin.i64(i64 %longer, i64 %patience)
  %then = add i64 %end, %pause
  store i64 %pause, ptr @pause
  store i64 %then, ptr @alone_until
  br label %leave
fine:
  %half = lshr i64 %last, 1
  store i64 %half, ptr @pause
  br label %leave
leave:
  %raised = load atomic i32, ptr @raised seq_cst, align 4
  store atomic i32 0, ptr @owner seq_cst, align 4
  %quiet = icmp eq i32 %raised, 0
  br i1 %quiet, label %over, label %raise
raise:
  call i32 @transpile_c_feraiseexcept(i32 %raised)
  br label %over
over:
  ret void
}}

define i32 @stop() {{
start:
  %pair = cmpxchg ptr @owner, i32 0, i32 1 seq_cst seq_cst
  %claimed = extractvalue {{ i32, i1 }} %pair, 1
  br i1 %claimed, label %call, label %busy
busy:
  ret i32 0
call:
  store atomic i32 1, ptr @quit seq_cst, align 4
  atomicrmw add ptr @generation, i32 1 seq_cst
  call void @wake(ptr @generation, i32 {MOST})
  br label %more
more:
  %count = load i64, ptr @started
  %any = icmp ne i64 %count, 0
  br i1 %any, label %join, label %end
join:
  %fewer = sub i64 %count, 1
  store i64 %fewer, ptr @started
  %place = getelementptr [{MOST} x i64], ptr @threads, i64 0, i64 %fewer
  %thread = load i64, ptr %place
  call i32 @transpile_c_pthread_join(i64 %thread, ptr null)
  br label %more
end:
  store atomic i32 0, ptr @quit seq_cst, align 4
  store atomic i32 0, ptr @owner seq_cst, align 4
  ret i32 1
}}

define void @forget() {{
  store atomic i32 0, ptr @open seq_cst, align 4
  store atomic i32 0, ptr @active seq_cst, align 4
  store atomic i32 0, ptr @quit seq_cst, align 4
  store i64 0, ptr @started
  store atomic i32 0, ptr @owner seq_cst, align 4
  ret void
}}
"""
