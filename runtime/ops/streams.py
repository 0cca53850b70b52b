"""Streams on which text that was shown is not shown again."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

# Note [Shown once]
# What a call has written to a stream is counted, text by text, and summed up in one number. When the original runs the call anew, the stream has another
# `write` of its own, which keeps back as many texts of this thread, and is gone when the last of them has come: so the stream stays the object that it
# is, whoever refers to it, and other threads write to it meanwhile. Calls may nest: of what is waited for, the innermost is asked.

_lock = threading.RLock()


class Shown:
    """Writes to a stream, and counts what it writes."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.count = 0
        self.sum = 0

    def write(self, text: str) -> Any:
        """Write a text."""
        written = self.stream.write(text)
        self.count += 1
        self.sum = hash((self.sum, text))
        return written

    def flush(self) -> None:
        """Flush the stream."""
        self.stream.flush()


class _Waiting:
    """Keeps back what was shown before."""

    def __init__(self, shown: Shown) -> None:
        self.shown = shown
        self.count = 0
        self.sum = 0

    @property
    def is_over(self) -> bool:
        """Whether all of it has come."""
        return self.count == self.shown.count

    def take(self, text: str) -> int:
        """Keep back a text."""
        self.count += 1
        self.sum = hash((self.sum, text))
        self.check()
        return len(text)

    def check(self) -> None:
        """Raise RuntimeError where other text has come than before."""
        if self.is_over and self.sum != self.shown.sum:
            raise RuntimeError("compiled code has shown other text than plain Python shows")


class _Gate:
    """Stands for the `write` of a stream: keeps back what threads wait for, and lets through the rest."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.before = vars(stream).get("write")
        self.write = stream.write
        self.waiting: dict[int, list[_Waiting]] = {}

    def __call__(self, text: str) -> Any:
        waiting = self.waiting.get(threading.get_ident())
        if not waiting:
            return self.write(text)
        innermost = waiting[-1]
        try:
            return innermost.take(text)
        finally:
            if innermost.is_over:
                self.leave(innermost)

    def enter(self, one: _Waiting) -> None:
        """Wait for what was shown, on this thread."""
        self.waiting.setdefault(threading.get_ident(), []).append(one)
        self.stream.write = self

    def leave(self, one: _Waiting) -> None:
        """Wait no longer."""
        with _lock:
            waiting = self.waiting.get(threading.get_ident(), [])
            if one not in waiting:
                return
            waiting.remove(one)
            if not waiting:
                del self.waiting[threading.get_ident()]
            if not self.waiting:
                del _gates[id(self.stream)]
                if self.before is None:
                    del self.stream.write
                else:
                    self.stream.write = self.before


_gates: dict[int, _Gate] = {}


def can_wait(stream: Any) -> bool:
    """Whether a stream can have a `write` of its own for a time."""
    kind = type(stream)
    plain = kind.__setattr__ is object.__setattr__ and kind.__getattribute__ is object.__getattribute__
    return plain and hasattr(stream, "__dict__") and not hasattr(getattr(kind, "write", None), "__set__")


@contextmanager
def waiting(streams: Iterable[Shown]) -> Iterator[None]:
    """Keep back, on this thread, what was shown before, until all of it has come; RuntimeError where something else comes."""
    entered: list[tuple[_Gate, _Waiting]] = []
    try:
        for shown in streams:
            if shown.count:
                one = _Waiting(shown)
                with _lock:
                    gate = _gates.setdefault(id(shown.stream), _Gate(shown.stream))
                    entered.append((gate, one))
                    gate.enter(one)
        yield
    finally:
        for gate, one in entered:
            gate.leave(one)
    for _, one in entered:
        if not one.is_over:
            raise RuntimeError("compiled code has shown more text than plain Python shows")
        one.check()
