"""Whether a piece of a function that a loop runs over and over is faster compiled: measured on its own turns."""

from __future__ import annotations

from statistics import median

# Note [Trials]
# How long the statements of a piece take is not seen from outside. But from one start of it to the next, all else is the same either way. So some turns are
# left to the statements at once, in an order without a rhythm that the program could have, too, and the medians decide: what it takes to find that no
# trace serves a turn counts for the compiled way. The plain way is tried only where compiled turns are not clearly shorter than turns were before anything was compiled.

# Turns of either way that are compared, and those of the compiled one that are looked at first.
_TURNS, _FIRST = 12, 4
# How many times longer plain turns have to take, how often one after the other, to be compared anew; and what is too long for one, in seconds.
_LONGER, _OFTEN, _LONGEST = 4, 3, 0.05
# How many times faster one way has to be than the other one.
_CLEARLY = 1.2
# Whether a turn goes the plain way: the sequence of Thue and Morse, in which nothing repeats three times.
_ORDER = tuple(bin(place).count("1") & 1 for place in range(4 * _TURNS))


class Trial:
    """How long turns of a piece take, from one start to the next; `before` is how long they took in plain Python, in seconds.

    `verdict` is "ours" or "plain" once that is clear. The latter holds until turns take much longer.
    """

    def __init__(self, before: float) -> None:
        self._before = before
        self._taken: tuple[list[float], list[float]] = ([], [])
        self._started = 0.0
        self._way: int | None = None
        # How long plain turns took.
        self.plain = 0.0
        self._turns = self._long = 0
        self.verdict = ""

    def begin(self, now: float) -> bool:
        """Note that a turn begins; tell whether it is to go the plain way."""
        if self._way is not None:
            self._taken[self._way].append(now - self._started)
            self._way = None
        ours, plain = self._taken
        if len(ours) >= _FIRST and not plain and median(ours) * 2 < self._before:
            self.verdict = "ours"
        elif len(ours) >= _TURNS and len(plain) >= _TURNS:
            self.plain = median(plain)
            self.verdict = "plain" if self.plain * _CLEARLY < median(ours) else "ours"
        if self.verdict:
            return False
        self._started = now
        if len(ours) < _FIRST:
            self._way = 0
        else:
            self._way = _ORDER[self._turns % len(_ORDER)]
            self._turns += 1
        return bool(self._way)

    def leave_out(self) -> None:
        """Leave out the turn that is under way: something else was done in it."""
        self._way = None

    def rests(self, now: float) -> bool:
        """Note that a turn begins which goes the plain way for good; tell whether that still holds."""
        is_long = _LONGER * self.plain < now - self._started < _LONGEST
        self._started = now
        self._long = self._long + 1 if is_long else 0
        return self._long < _OFTEN
