"""Compiling in the background: calls run as plain Python meanwhile, and nobody waits for a compiler.

Only the compiler runs in a thread. Functions are traced in the call that comes first, as tracing runs their code, and what was compiled is taken over in a
later call: nothing changes behind the back of one.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from transpile.runtime.errors import TranspileError

from .estimate import COMPILE_TIMES
from .fallback import fault_of
from .kinds import kinds_of
from .making import at_once
from .options import OPTIONS

if TYPE_CHECKING:
    from transpile.runtime.trace.tracer import Trace

    from .calls import Calls
    from .entry import Entry


class Job:
    """A trace that is compiled in the background: for which calls, and what came of it."""

    def __init__(self, calls: Calls, values: Sequence[Any], found: Trace, replaces: Entry | None) -> None:
        self.calls, self.values, self.found, self.replaces = calls, values, found, replaces
        self.kinds = kinds_of(values)
        self.entry: Entry | None = None
        self.error: TranspileError | None = None
        self.done = False
        # A process that forks takes no thread along.
        self.process = os.getpid()

    def run(self) -> None:
        """Compile."""
        start = perf_counter()
        try:
            self.entry = self.calls.compiled(self.values, self.found)
            self.entry.seconds = perf_counter() - start
            self.values = ()
        except TranspileError as error:
            self.error = error
        except Exception as error:
            if not threading.main_thread().is_alive():
                # Python ends, and lets nothing begin any more that a compiler needs: calls go on as they are.
                return
            self.error = fault_of(error)
        self.done = True


class _Worker:
    """One thread, which lives as long as there is something to do."""

    def __init__(self) -> None:
        self._jobs: deque[Job] = deque()
        self._lock = threading.Lock()
        self._runs = False

    def take(self, job: Job) -> None:
        """Run a job soon."""
        with self._lock:
            self._jobs.append(job)
            if self._runs:
                return
            self._runs = True
        try:
            # Python waits for it at the end: what is being compiled is kept on disk.
            threading.Thread(target=self._work, name="transpile").start()
        except RuntimeError:
            # It ends already.
            self._runs = False
            self._jobs.clear()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._jobs or not threading.main_thread().is_alive():
                    self._jobs.clear()
                    self._runs = False
                    return
                job = self._jobs.popleft()
            job.run()


_WORKER = _Worker()
# Held while jobs are noted or taken over. What is taken over may run code that calls.
_NOTING = threading.RLock()


def _begin_anew() -> None:
    global _WORKER, _NOTING
    _WORKER, _NOTING = _Worker(), threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


def is_tiered(calls: Calls) -> bool:
    """Whether what is compiled for these calls is compiled in the background."""
    return OPTIONS.tiered and not calls.strict and calls.device == "cpu"


def begin(calls: Calls, values: Sequence[Any], found: Trace, replaces: Entry | None = None) -> None:
    """Have a trace compiled that was made for a call, in place of another one if need be."""
    job = Job(calls, values, found, replaces)
    with _NOTING:
        calls.jobs = [*calls.jobs, job]
    _WORKER.take(job)


def adopt(calls: Calls, values: Sequence[Any]) -> bool:
    """Take over what is compiled by now; tell whether calls of this kind still have to wait."""
    with _NOTING:
        jobs = [job for job in calls.jobs if job.done or job.process == os.getpid()]
        done = [job for job in jobs if job.done]
        calls.jobs = [job for job in jobs if job not in done]
        for job in done:
            if job.entry is not None:
                _serve(calls, job, job.entry)
            else:
                _refuse(calls, job)
        kinds = kinds_of(values)
        return any(job.kinds == kinds for job in calls.jobs)


def _serve(calls: Calls, job: Job, entry: Entry) -> None:
    COMPILE_TIMES.note(job.found.graph, entry.seconds)
    if calls.budget is not None:
        calls.budget.spend(entry.seconds, calls.function.__code__)
    if job.replaces is None:
        calls.keep(entry)
    elif job.replaces in calls.entries:
        calls.entries = [entry if other is job.replaces else other for other in calls.entries]
        calls.renew()


def _refuse(calls: Calls, job: Job) -> None:
    assert job.error is not None
    with at_once(False) as free:
        if free:
            calls.fall_back(job.values, job.error.with_traceback(None))
        else:
            # To look for parts that can be compiled, it would have to be waited for the compiler.
            calls.jobs = [*calls.jobs, job]
