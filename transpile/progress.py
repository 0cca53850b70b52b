"""A line on the terminal where compiling takes long."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from typing import Any

# How long compiling takes before it is told, in seconds.
_PATIENCE = 2.0


@contextlib.contextmanager
def telling(title: str) -> Iterator[None]:
    """Say on a terminal that something is compiled, once that takes long."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    line = _Line(title)
    timer = threading.Timer(_PATIENCE, line.show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        line.end()


class _Line:
    def __init__(self, title: str) -> None:
        self._title = title
        self._lock = threading.Lock()
        self._status: Any = None
        self._over = False

    def show(self) -> None:
        """Show the line, unless all is over."""
        from rich.console import Console

        with self._lock:
            if not self._over:
                self._status = Console(stderr=True).status(f"compiling {self._title}")
                self._status.start()

    def end(self) -> None:
        """Take the line away."""
        with self._lock:
            self._over = True
            if self._status is not None:
                self._status.stop()
