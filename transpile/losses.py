"""What may be lost on traces that come to nothing: no more time than the function has been there for, or has earned."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, process_time

# What may be lost before anything is earned, in seconds: on a function, and on all together that nobody asked for by name.
_FREE, _FREE_ALL = 1.0, 0.1
# How many times longer than what is lost a function has to have taken that nobody asked for by name, or else the program: a program of many short calls
# is to take hardly longer than it did. And how many times longer than what is lost on all: what one function takes, those that call it have taken, too, and
# each of them is to find little left where others have lost much; and than one more trace.
_TIMES, _TIMES_ALL, _TIMES_ONE = 20.0, 10.0, 10.0
# How many times longer than it was to take a trace may take.
_DEARER = 3.0
# How many times longer calls that are over have to have taken for compiling to pay, of which nobody knows whether others come.
PAST = 4.0
# How much of what a call promises to take is trusted, in seconds; what share of it where that is more, and how much at the most.
TRUSTED, _TRUSTED_SHARE, _TRUSTED_MOST = 2.0, 0.125, 10.0
# Seconds after which it is known how busy the machine is, and for which that is taken to stay so: some systems take longer to say it than a call takes.
_LITTLE, _STAYS = 0.1, 0.01


class _All:
    """What was lost on all functions that nobody asked for by name: seconds, in how many traces; and since when the program runs."""

    def __init__(self) -> None:
        self._began = perf_counter()
        self._busy = process_time()
        # What was lost; and how long the clock of the program has stood still.
        self.lost = self.away = 0.0
        self.traces = 0
        self._share, self._share_until = 1.0, 0.0
        # Until when, by that clock, a call that is under way was to take, in which there is too little to do.
        self.foreseen = 0.0

    def note(self, seconds: float) -> None:
        """Note that a trace took so long, and came to nothing."""
        self.lost += seconds
        self.traces += 1

    def pause(self, seconds: float) -> None:
        """Have the clock stand still for time that was spent on traces and on compiling, and not by the program."""
        self.away += seconds

    def now(self) -> float:
        """Return the time, in seconds, of a clock that stands still while that is done."""
        return perf_counter() - self.away

    @property
    def share(self) -> float:
        """The share of its time that the process has a processor: on a busy machine, all takes longer than is known of traces."""
        now = perf_counter()
        if now >= self._share_until:
            self._share = min((process_time() - self._busy + _LITTLE) / (now - self._began + _LITTLE), 1.0)
            self._share_until = now + _STAYS
        return self._share

    @property
    def left(self) -> float:
        """How much more, in seconds, may be lost on what has earned nothing: all together, a share of what the program has taken."""
        return max(_FREE_ALL, self.taken / _TIMES) - self.lost

    @property
    def taken(self) -> float:
        """How long, in seconds of the processor, the program has taken."""
        return self.ran * self.share

    @property
    def ran(self) -> float:
        """How long, in seconds, the program has run."""
        return self.now() - self._began


ALL = _All()


class Losses:
    """The time of the processor that was lost on a function and its units, and since when.

    `taken` tells how long the calls of the function have taken; it is None where somebody asked for the function by name.
    """

    def __init__(self, taken: Callable[[], float] | None = None) -> None:
        self._began = self._lost = self._spent = 0.0
        self._taken = taken
        # What a call that is looked at promises to take, in seconds; and what calls are known to take, by earlier processes.
        self.promised = self.known = 0.0
        # How long the next trace may take, in seconds, judged by the source; None where it was not looked at.
        self.expected: float | None = None

    @property
    def asked(self) -> bool:
        """Whether somebody asked for the function by name."""
        return self._taken is None

    @property
    def lost(self) -> float:
        """How much was lost, in seconds."""
        return self._lost

    def note(self, seconds: float) -> None:
        """Note that so much was lost."""
        self._began = self._began or perf_counter() - seconds
        self._lost += seconds
        if self._taken is not None:
            ALL.note(seconds)

    def load(self, seconds: float) -> None:
        """Note that it took so long to find parts."""
        if self._taken is not None:
            ALL.lost += seconds

    def postpone(self, seconds: float) -> None:
        """Note that a trace took so long that is of no use yet, where nobody asked for the function."""
        if self._taken is not None:
            self.note(seconds)

    def lacks(self, seconds: float) -> float:
        """Return how much of what compiling a unit may take the calls of the function have not taken yet: nothing where somebody asked for it."""
        return (
            0.0 if self._taken is None else max(seconds + self._spent - self._taken() * ALL.share / PAST, 0.0)
        )

    def spend(self, seconds: float) -> None:
        """Note that a unit is compiled, which may take so much of what the calls have taken."""
        self._spent += seconds

    @property
    def are_too_many(self) -> bool:
        """Whether it would be unsound to risk more."""
        if self._lost > max(_FREE, perf_counter() - self._began - self._lost):
            return True
        if self._taken is None or ALL.left >= 0:
            return False
        earned, one = self._earned(), ALL.lost / max(ALL.traces, 1)
        if self.expected is not None:
            one = min(one, _DEARER * self.expected)
        return earned < _TIMES * (self._lost + one) or max(earned, ALL.taken) < _TIMES_ALL * ALL.lost

    @property
    def patience(self) -> float | None:
        """How long one more trace may take, in seconds; None where that is not limited."""
        return None if self._taken is None else max(_FREE_ALL, ALL.left, self._earned() / _TIMES_ONE)

    def _earned(self) -> float:
        """Return how long the calls have taken, and the one that is looked at may take, as far as that is trusted."""
        assert self._taken is not None
        trusted = max(TRUSTED, min(_TRUSTED_SHARE * self.promised, _TRUSTED_MOST))
        return self._taken() * ALL.share + min(self.promised, trusted) + self.known
