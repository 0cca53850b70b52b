"""The lock under which functions are traced and compiled, one at a time."""

from __future__ import annotations

import contextlib
import logging  # noqa: F401 (before the lock below: a process that forks takes locks in the reverse order, and a compiler logs)
import os
import threading
from collections.abc import Iterator

# Of the whole process. Numba, too, compiles one function at a time.
MAKING = threading.RLock()

if hasattr(os, "register_at_fork"):
    # A process forks between two of them: in the child the thread that would go on with one is not there.
    os.register_at_fork(before=MAKING.acquire, after_in_parent=MAKING.release, after_in_child=MAKING.release)


@contextlib.contextmanager
def at_once(waits: bool) -> Iterator[bool]:
    """Hold the lock if it is free, or after it was waited for; tell whether."""
    holds = MAKING.acquire(blocking=waits)
    try:
        yield holds
    finally:
        if holds:
            MAKING.release()
