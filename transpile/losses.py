"""What may be lost on traces that come to nothing: no more time than the function has been there for, or has earned."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

# What may be lost before anything is earned, in seconds: on a function, and on all together that nobody asked for by name.
_FREE, _FREE_ALL = 1.0, 0.5
# How many times longer than what is lost on it a function has to have taken that nobody asked for by name.
_TIMES = 10.0


class _All:
    """What was lost on all functions that nobody asked for by name: seconds, in how many traces."""

    def __init__(self) -> None:
        self.lost = 0.0
        self.traces = 0

    def note(self, seconds: float) -> None:
        """Note that a trace took so long, and came to nothing."""
        self.lost += seconds
        self.traces += 1

    def now(self) -> float:
        """Return the time, in seconds, of a clock that stands still while it is lost on traces."""
        return perf_counter() - self.lost


ALL = _All()


class Losses:
    """The time of the processor that was lost on a function and its units, and since when.

    `taken` tells how long the calls of the function have taken; it is None where somebody asked for the function by name.
    """

    def __init__(self, taken: Callable[[], float] | None = None) -> None:
        self._began = self._lost = 0.0
        self._taken = taken

    def note(self, seconds: float) -> None:
        """Note that so much was lost."""
        self._began = self._began or perf_counter() - seconds
        self._lost += seconds
        if self._taken is not None:
            ALL.note(seconds)

    @property
    def are_too_many(self) -> bool:
        """Whether it would be unsound to risk more."""
        if self._lost > max(_FREE, perf_counter() - self._began - self._lost):
            return True
        if self._taken is None or ALL.lost <= _FREE_ALL:
            return False
        return self._taken() < _TIMES * (self._lost + ALL.lost / ALL.traces)

    @property
    def patience(self) -> float | None:
        """How long one more trace may take, in seconds; None where that is not limited."""
        return None if self._taken is None else max(_FREE, self._taken() / _TIMES)
