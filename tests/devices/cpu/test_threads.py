"""Loops are handed to threads whole, with their floating-point environment, and whoever cannot have threads runs them alone."""

from __future__ import annotations

import ctypes
import functools
import os
import time
from collections.abc import Callable, Iterator
from threading import Barrier, Thread, get_native_id

import pytest

from transpile.devices.cpu import symbols, threads, workers

pytestmark = pytest.mark.skipif(not workers.available, reason="threads are native ones of Linux")
PROCESSORS = len(os.sched_getaffinity(0)) if workers.available else 1
several = pytest.mark.skipif(PROCESSORS < 2, reason="one processor has nothing to share")
PIECE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


def run(turns: int, piece: Callable[[int, int], None], wanted: int = 64) -> None:
    """Run a piece that is a function of Python."""
    function = PIECE(lambda _closure, first, stop: piece(first, stop))
    address = ctypes.cast(function, ctypes.c_void_p).value
    threads._Run(threads.engine().get_function_address("run"))(address, None, turns, wanted)


@pytest.fixture(autouse=True)
def patient() -> Iterator[None]:
    """However busy the machine is, loops are handed out."""
    threads.be_patient(0)
    yield
    threads.be_patient(1_000_000_000)


def jobs() -> int:
    return ctypes.c_uint32.from_address(threads.engine().get_global_value_address("generation")).value


def allowed() -> int:
    return ctypes.CFUNCTYPE(ctypes.c_int64)(threads.engine().get_function_address("allowed"))()


@pytest.mark.parametrize("turns", [2, 3, 8, 9, 1000])
def test_each_turn_is_run_once(turns: int) -> None:
    found: list[int] = []
    run(turns, lambda first, stop: found.extend(range(first, stop)))
    assert sorted(found) == list(range(turns))


@several
def test_two_threads_run_pieces_at_once() -> None:
    both, found = Barrier(2, timeout=30), set()

    def piece(first: int, stop: int) -> None:
        if first == 0 or get_native_id() not in found:
            found.add(get_native_id())
            if len(found) <= 2:
                both.wait()

    run(8, piece)
    assert len(found) == 2


@several
def test_a_worker_raises_its_flags_in_the_caller_whose_rounding_it_has() -> None:
    c = {name: ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(symbols.c_address(name) or 0) for name in (
        "feraiseexcept", "feclearexcept", "fetestexcept", "fesetround", "fegetround")}  # fmt: skip
    overflow = {"x86_64": 8, "aarch64": 4}[os.uname().machine]
    upward = {"x86_64": 0x800, "aarch64": 0x400000}[os.uname().machine]
    both, caller, rounding = Barrier(2, timeout=30), get_native_id(), []

    def piece(first: int, stop: int) -> None:
        if first < 2:
            both.wait()
            if get_native_id() != caller:
                rounding.append(c["fegetround"](0))
                c["feraiseexcept"](overflow)

    c["feclearexcept"](overflow)
    c["fesetround"](upward)
    try:
        run(2, piece)
        assert rounding == [upward]
        assert c["fetestexcept"](overflow) == overflow
    finally:
        c["fesetround"](0)
        c["feclearexcept"](overflow)


@several
def test_whoever_finds_the_workers_taken_runs_alone() -> None:
    inside, done = Barrier(2, timeout=30), Barrier(2, timeout=30)
    found: list[tuple[int, int]] = []

    def slow(first: int, stop: int) -> None:
        if first == 0:
            inside.wait()
            done.wait()

    other = Thread(target=run, args=(8, slow))
    other.start()
    inside.wait()
    before = jobs()
    run(8, lambda first, stop: found.append((first, stop)))
    assert found == [(0, 8)] and jobs() == before
    done.wait()
    other.join()
    run(8, lambda first, stop: None)
    assert jobs() == before + 1


@several
def test_a_loop_inside_of_a_piece_runs_alone() -> None:
    found: list[tuple[int, int]] = []
    run(2, lambda first, stop: run(5, lambda a, b: found.append((a, b))))
    assert found == [(0, 5), (0, 5)]


def test_many_threads_may_ask_at_once() -> None:
    totals: list[int] = []

    def add(parts: list[int], first: int, stop: int) -> None:
        parts.append(sum(range(first, stop)))

    def work() -> None:
        for _ in range(50):
            parts: list[int] = []
            run(16, functools.partial(add, parts))
            totals.append(sum(parts))

    asking = [Thread(target=work) for _ in range(6)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join(60)
    assert totals == [120] * 300


@several
def test_no_more_threads_than_processors_that_the_caller_may_use() -> None:
    everything = os.sched_getaffinity(0)
    assert allowed() > 1
    os.sched_setaffinity(0, {min(everything)})
    try:
        assert allowed() == 1
    finally:
        os.sched_setaffinity(0, everything)


@several
def test_no_more_threads_than_there_is_work_for() -> None:
    before, found = jobs(), []
    run(8, lambda first, stop: found.append((first, stop)), wanted=1)
    assert found == [(0, 8)] and jobs() == before
    run(8, lambda first, stop: found.append((first, stop)), wanted=2)
    assert len(found) == 9 and jobs() == before + 1


@several
def test_no_more_threads_than_are_asked_for() -> None:
    made = threads.engine()
    try:
        threads.limit(made, 1)
        assert allowed() == 1
        before = jobs()
        run(8, lambda first, stop: None)
        assert jobs() == before
    finally:
        threads.limit(made, PROCESSORS)


def test_a_limit_of_numpys_library_is_one_of_ours() -> None:
    import numpy as np

    library = ctypes.CDLL(np._core._multiarray_umath.__file__)
    names = [name for name in threads._BLAS if hasattr(library, name)]
    if not names or "get_num" not in names[0]:
        pytest.skip("NumPy has no OpenBLAS")
    limit, most = getattr(library, names[0].replace("get_num", "set_num")), getattr(library, names[0])()
    try:
        limit(1)
        assert allowed() == 1
    finally:
        limit(most)


SCRIPT = """
import os, sys, threading, ctypes
import numpy as np, transpile
from transpile.devices.cpu import pieces, threads
pieces.LEAST = 1

@transpile.convert(strict=True)
def f(x):
    return np.sqrt(x) + x * 2

x = np.linspace(0, 1, 100_000)
want = np.sqrt(x) + x * 2
def check():
    assert f(x).tobytes() == want.tobytes()
def tasks():
    return len(os.listdir("/proc/self/task"))
"""


def test_a_process_that_forks_has_no_workers_and_its_child_may_have_its_own(run_script) -> None:
    assert run_script(SCRIPT + """
check()
many = []
os.register_at_fork(after_in_parent=lambda: many.append(tasks()))
before = tasks()
for _ in range(3):
    check()
    child = os.fork()
    if child == 0:
        check(), check()
        os._exit(7)
    assert os.waitpid(child, 0)[1] == 7 << 8
    check()
print(all(count < before for count in many) or len(os.sched_getaffinity(0)) < 2)
""") == "True"  # fmt: skip


def test_a_fork_in_the_midst_of_a_loop_hangs_neither_process(run_script) -> None:
    assert run_script(SCRIPT + """
import time, signal
check()
stop = []
def work():
    while not stop:
        check()
others = [threading.Thread(target=work) for _ in range(2)]
for thread in others:
    thread.start()
for _ in range(20):
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        check()
        os._exit(7)
    assert os.waitpid(child, 0)[1] == 7 << 8
stop.append(True)
for thread in others:
    thread.join()
print("done")
""") == "done"  # fmt: skip


def test_a_pool_of_processes(run_script) -> None:
    assert run_script(SCRIPT + """
import multiprocessing
check()
def each(k):
    return float(f(x + k).sum())
with multiprocessing.get_context("fork").Pool(2) as pool:
    found = pool.map(each, range(8))
print(found == [float((np.sqrt(x + k) + (x + k) * 2).sum()) for k in range(8)])
""") == "True"  # fmt: skip


def test_one_thread_is_asked_for(run_script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    assert run_script(SCRIPT + """
before = tasks()
check()
print(tasks() - before)
""") == "0"  # fmt: skip


@several
def test_who_had_to_wait_for_long_runs_alone_for_a_while() -> None:
    threads.be_patient(400_000_000)
    both, caller = Barrier(2, timeout=30), get_native_id()

    def slow_worker(first: int, stop: int) -> None:
        if first < 2:
            both.wait()
            time.sleep(0.05 * (get_native_id() != caller))

    run(2, slow_worker)
    before, found = jobs(), []
    run(8, lambda first, stop: found.append((first, stop)))
    assert found == [(0, 8)] and jobs() == before
    time.sleep(0.45)
    run(8, lambda first, stop: found.append((first, stop)))
    assert len(found) > 2 and jobs() == before + 1
