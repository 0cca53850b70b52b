"""Streams on which text that was shown is not shown again."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

# Note [Shown once]
# Of what a call has written to a stream, the hash of each text is kept. When the original runs the call anew, the stream has another `write` of its
# own, which keeps back these texts where they come again on this thread, and is gone when the last of them has come: so the stream stays the object that
# it is, whoever refers to it. What else comes meanwhile, of other threads, of handlers of signals, is let through. Calls may nest: of what is waited for, the
# innermost is asked.

_lock = threading.RLock()


class Shown:
    """Writes to a stream, and notes what it has written."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.texts = array("q")

    def write(self, text: str) -> Any:
        """Write a text."""
        written = self.stream.write(text)
        self.texts.append(hash(text))
        return written

    def flush(self) -> None:
        """Flush the stream."""
        self.stream.flush()


class _Waiting:
    """Waits for texts that were shown before."""

    def __init__(self, shown: Shown) -> None:
        self.texts = shown.texts
        self.count = 0

    @property
    def is_over(self) -> bool:
        """Whether all of them have come."""
        return self.count == len(self.texts)

    def takes(self, text: str) -> bool:
        """Whether a text is the next one."""
        if hash(text) != self.texts[self.count]:
            return False
        self.count += 1
        return True


class _Gate:
    """Stands for the `write` of a stream: keeps back what threads wait for, and lets through the rest."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.before = vars(stream).get("write")
        self.write = stream.write
        self.waiting: dict[int, list[_Waiting]] = {}

    def __call__(self, text: str) -> Any:
        waiting = self.waiting.get(threading.get_ident())
        if not waiting or not waiting[-1].takes(text):
            return self.write(text)
        if waiting[-1].is_over:
            self.leave(waiting[-1])
        return len(text)

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
    kind: Any = type(stream)
    plain = kind.__setattr__ is object.__setattr__ and kind.__getattribute__ is object.__getattribute__
    return plain and hasattr(stream, "__dict__") and not hasattr(getattr(kind, "write", None), "__set__")


@contextmanager
def waiting(streams: Iterable[Shown]) -> Iterator[None]:
    """Keep back, on this thread, what was shown before, where it comes again; RuntimeError where not all of it does."""
    entered: list[tuple[_Gate, _Waiting]] = []
    try:
        for shown in streams:
            if shown.texts:
                one = _Waiting(shown)
                with _lock:
                    gate = _gates.setdefault(id(shown.stream), _Gate(shown.stream))
                    entered.append((gate, one))
                    gate.enter(one)
        yield
    finally:
        for gate, one in entered:
            gate.leave(one)
    if not all(one.is_over for _, one in entered):
        raise RuntimeError("compiled code has shown text that plain Python does not show")
