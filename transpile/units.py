"""Loops of a function that are compiled by themselves, within the original that runs."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from typing import Any

from transpile.converters.islands import Piece
from transpile.runtime.errors import Deoptimise, NotAssumed, StagingError, TranspileError
from transpile.runtime.graph.ir import Graph
from transpile.runtime.ops.journal import Journal
from transpile.runtime.ops.table import TABLE
from transpile.runtime.trace.tracer import Trace

from .calls import Calls
from .entry import Entry
from .estimate import (
    COMPILE_TIMES,
    does_less_than_it_is_handed,
    does_little,
    is_long,
    promised_seconds,
    size,
    sure_seconds,
)
from .fallback import Fallback
from .trial import Trial

# How long a loop within a loop runs as plain Python, in seconds, before it is worth compiling.
_PATIENCE = 0.1
# From one start of such a loop to the next; what is longer may be something else that takes time.
_LONGEST = 0.05
# Where it is less on the average, calling compiled code would not be faster.
_SHORTEST = 15e-6

# Turns of which it is known how long they took.
_TURNS = 99

# How many operations a piece may be made of that has no loop left: some milliseconds each to compile, and less than a microsecond to save.
_LARGE = 1000

# Traces of a piece that is on trial, or has passed it, before another one is made only now and then.
_ON_TRIAL, _PASSED = 2, 4

# Calls without an array after which a unit is given up that waits for one.
_UNWANTED = 1000
# Errors of the tracer's own, which may come from what the program itself raises.
_FAULTS = 3


class Link:
    """What the code of a function in parts holds of a unit or of what stands for a callee."""

    __slots__ = ("function", "live", "to")

    def __init__(self, to: Any, function: Callable[[], Any] = lambda: None) -> None:
        self.lead(to)
        self.function = function
        self.live = True

    def __reduce__(self) -> Any:
        """Pickle as one that is not live: the statements themselves run. Nobody keeps the set."""
        return Link, (set(),)

    def lead(self, to: Any) -> None:
        """Lead to something that takes calls."""
        self.to = weakref.ref(to, self._die)

    def _die(self, _: Any) -> None:
        # Code may outlast what it calls: that of a generator which waits.
        self.live = False


class Unit(Calls):
    """Calls of a piece of a function. They return None where the piece has to run as it was written."""

    # What the statements themselves take is not seen.
    chooses = False
    watches_late = True
    on_error = """
            except Exception:
                if entry.visible:
                    raise
                journal = None"""

    def __init__(self, owner: Fallback, piece: Piece) -> None:
        super().__init__(piece.bind(owner.function), strict=False, device=owner.device, warns=owner.warns)
        self.piece = piece
        self.link = Link(self)
        self._owner = weakref.ref(owner)
        self._wants = owner.wants
        self.budget = owner.budget
        self.losses = owner.losses
        # Of what takes too long as a whole, a piece may, too.
        self.left_after = owner.left_after
        self._waits = piece.repeated
        self._started = self._waited = 0.0
        # How long calls of the function have to take before another trace is made.
        self._due = 0.0
        self._starts = self._unwanted = 0
        # How long the last of its turns took.
        self._turns: deque[float] = deque(maxlen=_TURNS)
        self._faults = 0
        # Which way turns of a loop around it are faster, as long as that is open.
        self._trial: Trial | None = None
        # Pieces of this one; and whether it is left to plain Python, as the turn of one around it is.
        self.within: list[Unit] = []
        self.rests = False
        # How long each call that was compiled may take in plain Python; None where that is not known.
        self._plain: list[float | None] = []

    @property
    def title(self) -> str:
        """Names the piece."""
        first, last = self.piece.first_line, self.piece.last_line
        lines = f"line {first}" if first == last else f"lines {first} to {last}"
        return f"{self.function.__qualname__}, {lines},"

    def __call__(self, *values: Any) -> Any:
        """Run the piece compiled, and return the tuple that it gives; None where that cannot be."""
        if self.rests or self.pauses or (self._waits and self._wait()):
            return None
        if not self.entries and not self._wants(values):
            self._unwanted += 1
            if self._unwanted == _UNWANTED:
                self.broken = StagingError("S272-unwanted", "no array has come to the loop in many calls")
                self.give_up()
            return None
        if self._trial is not None and self.entries and self._tries_plain(self._trial):
            return None
        result = super().__call__(*values)
        if result is None and self.broken is not None and not self.entries:
            self.give_up()
        return result

    def _tries_plain(self, trial: Trial) -> bool:
        """Whether a turn is to go the plain way, to be compared; gives the piece up where that is faster. See Note [Trials]."""
        now = perf_counter()
        if trial.verdict == "plain":
            if trial.rests(now):
                return True
            # There is more to do now.
            trial = self._trial = Trial(trial.plain)
        plain = trial.begin(now)
        for unit in self.within:
            unit.rests = plain
        if not trial.verdict:
            return plain
        if trial.verdict == "ours":
            self._trial = None
            self.renew()
            return False
        if trial.plain >= _SHORTEST:
            return True
        self.broken = StagingError("S264-short", "the loop is faster as plain Python")
        self.entries = []
        self.give_up()
        return True

    def renew(self) -> None:
        # On trial, no call goes straight to a trace.
        if self._trial is None:
            super().renew()

    def _wait(self) -> bool:
        """Whether it is too early to tell that compiling the piece pays; gives up one that it would not."""
        now = perf_counter()
        if self._started:
            taken = min(now - self._started, _LONGEST)
            self._waited += taken
            self._starts += 1
            self._turns.append(taken)
        self._started = now
        if self._waited < _PATIENCE:
            return True
        self._waits = False
        if self._starts and Calls.chooses:
            self._trial = Trial(median(self._turns))
        if self._waited < _SHORTEST * self._starts:
            self.broken = StagingError(
                "S264-short", "the loop takes less time than calling compiled code would"
            )
            self.give_up()
            return True
        return False

    def give_up(self) -> None:
        """Leave the piece to plain Python for good."""
        self.link.live = False
        owner = self._owner()
        if owner is not None:
            owner.settle()

    def run_plain(self, values: Sequence[Any]) -> Any:
        return None

    def run(self, entry: Entry, feeds: tuple[Any, ...], values: Sequence[Any]) -> Any:
        try:
            result = entry.run(*feeds)
        except NotAssumed:
            raise
        except Deoptimise as left:
            journal = left.journal
        except Exception:
            if entry.visible:
                raise
            # Nothing has been done yet that can be seen. The statements themselves raise it, and leave every name as it then is.
            journal = None
        else:
            entry.served += 1
            return result
        return self.left(entry, values, journal)

    def _anew(self, values: Sequence[Any], journal: Journal) -> Any:
        """Run the piece as a function, in plain Python: the statements themselves would not know what was shown already."""
        return journal.run_anew(lambda: self.function(*values))

    def pays(self, values: Sequence[Any], graph: Graph) -> bool:
        count = size(graph)
        if count > _LARGE and is_long(graph):
            raise StagingError("S319-large", f"{count} operations, one after the other, take long to compile")
        handed = graph, self.parameters, values
        if does_little(*handed) or does_less_than_it_is_handed(*handed):
            raise StagingError("S264-short", "the lines do less than it takes to hand their many things in")
        if not (self._promises(values, graph) and super().pays(values, graph)):
            return False
        self._plain.append(sure_seconds(graph, self.parameters, values))
        return True

    @property
    def plain_seconds(self) -> float | None:
        """How long the calls that were served may have taken in plain Python, all together; None where that is not known."""
        if not self.entries:
            return 0.0
        if len(self._plain) < len(self.entries):
            return None
        known = [seconds for seconds in self._plain if seconds is not None]
        return self.served * max(known) if len(known) == len(self._plain) else None

    def postpones(self, values: Sequence[Any]) -> bool:
        """Whether calls of the function are still to take some time before another trace of the piece is made."""
        on_trial = self._trial is not None and len(self.entries) >= _ON_TRIAL
        return on_trial or self.losses.lacks(self._due) > 0

    def _promises(self, values: Sequence[Any], graph: Graph) -> bool:
        """Whether the loop promises to take as long as it has to for its graph to be compiled, or as calls of the function lack for that."""
        promised = promised_seconds(graph, self.parameters, values)
        if promised is None:
            return True
        self._due = COMPILE_TIMES.earned(graph)
        if promised < self.losses.lacks(self._due):
            return False
        self.losses.spend(max(self._due - promised, 0.0))
        self._due = 0.0
        return True

    def keep(self, entry: Entry) -> None:
        """Keep a trace; where such are made over and over, no other before the statements had time for what it took."""
        super().keep(entry)
        owner = self._owner()
        if owner is not None:
            owner.note_part()
        if self._trial is not None:
            self._trial.leave_out()
        if self.retraces.go_on or (self.piece.repeated and len(self.entries) >= _PASSED):
            self._next_trace = perf_counter() + self.pace * entry.seconds

    def compiled(self, values: Sequence[Any], found: Trace | None = None) -> Entry:
        entry = super().compiled(values, found)
        if entry.visible and self.piece.hopes:
            raise StagingError(
                "S267-perhaps-unbound",
                "a name that the loop may not bind is read after it, and the loop writes what can be seen",
                hint="give the name a value before the loop",
            )
        if entry.visible and self.piece.caught and (entry.noted or can_fail(entry.trace.graph)):
            raise StagingError(
                "S266-caught",
                "an error in the loop is handled where names that the loop binds are read",
                hint="handle the error within the loop, or move the loop into a function of its own",
            )
        return entry

    def fall_back(self, values: Sequence[Any], error: TranspileError) -> None:
        if error.code in ("S290-fault", "S291-elsewhere") and self._faults < _FAULTS:
            self._faults += 1
            return
        super().fall_back(values, error)

    def part(self) -> None:
        """Pieces of a piece are parts of the same function."""

    def leave_out(self, error: TranspileError) -> None:
        owner = self._owner()
        if owner is not None:
            owner.leave_out(error)


def can_fail(graph: Graph) -> bool:
    """Whether a compiled graph may raise, other than by leaving the call to plain Python."""
    return any(TABLE[op.name].fails and op.name != "deoptimise_if" for op in graph.block.walk())
