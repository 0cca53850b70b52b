"""What may be lost on traces that come to nothing: no more time than the function has been there for."""

from __future__ import annotations

from time import perf_counter

# What may be lost before anything is earned, in seconds.
_FREE = 1.0


class Losses:
    """The time of the processor that was lost on a function and its units, and since when."""

    def __init__(self) -> None:
        self._began = self._lost = 0.0

    def note(self, seconds: float) -> None:
        """Note that so much was lost."""
        self._began = self._began or perf_counter() - seconds
        self._lost += seconds

    @property
    def are_too_many(self) -> bool:
        """Whether it would be unsound to risk more."""
        return self._lost > max(_FREE, perf_counter() - self._began - self._lost)
