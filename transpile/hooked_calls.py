"""Calls of functions that nobody asked for one by one, and when these are compiled: where that promises to pay."""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from transpile.runtime.arrays.current import tracing
from transpile.runtime.errors import StagingError

from .budget import Budget
from .calls import Calls
from .experience import Past, lost_before, past_of
from .fallback import NESTED
from .forecast import foreseen
from .losses import ALL, PAST, TRUSTED, Losses
from .turns import has_loop, holds_array

if TYPE_CHECKING:
    from transpile.runtime.graph.ir import Graph

    from .entry import Entry

# What a trace takes, and what makes traces to be loaded, in seconds; how much of the latter is reckoned for a function that was asked for; and how many times
# longer calls have to take for a trace to be risked.
_TRACE, _LOAD, _LOAD_ASKED, _TIMES = 0.02, 0.3, 0.1, 10.0

# Calls after which it is known how long those of a function take, without or with loops that may have seen no array yet; and
# what is next to no time. After fewer calls, as from these on, it is as much less.
_ENOUGH, _ENOUGH_WITH_LOOPS = 1000, 10_000
_FEW = 125
_NOTHING = 10e-6

# How long a call has to take to be seen for itself, as seeing it takes up to three microseconds, and what calls it is seen, too; and one of how many is seen at least.
_SEEN, _MOST_UNSEEN = 256e-6, 64

# How many times longer than that a call has to promise to take, of which no trace would be done in time, for its loops to be looked at.
_MUCH_LONGER = 2.0

# How many times longer calls have to have taken for it to be asked again whether a trace may be risked.
_SLIGHTLY = 1.05

# How many times longer than looks at them for work calls have to take for a further one; it takes so long that goes without, in seconds.
_LOOKING, _LOOK = 200.0, 0.002

# How many times more there has to be to do for a call to be looked at before others have taken as long as compiling may take.
_MORE = 4

# What is as long as anything, in seconds.
_FOREVER = 1e6

# How long calls have to have taken in an earlier process, in seconds, for a trace that has served there to be made at once. How many times longer than
# there, and than what was lost there, for one to be tried again that came to nothing; and how many times what calls took there counts where one has served.
_WORTH, _AGAIN, _KNOWN = 0.5, 2.0, 2.0
# How many times longer than in other calls those have to have taken there for a trace of a function to be risked of which none was made yet.
_UNTRIED = 2.0

# How many times longer calls may take than a graph promises, for it to be a matter of estimates.
_LIBRARY_TIMES = 3.0

# What is loaded where traces are made.
_TRACING = f"{__package__}.tracing"

offered: list[HookedCalls] = []


class HookedCalls(Calls):
    """Calls of a function that was not asked to be converted one by one: it is once that promises to pay.

    Without a `budget` it is asked for, as a file is whose functions these are: then one with a loop is looked at in its first call with an array. It is
    compiled where the call promises to take as long as that, and otherwise once its calls have.
    """

    is_direct = False

    def __init__(
        self,
        function: types.FunctionType,
        device: str = "cpu",
        listed: bool = True,
        budget: Budget | None = None,
        accuracy: str = "numpy",
        parallel: bool = True,
        eager: bool = False,
    ) -> None:
        super().__init__(function, False, device, False, accuracy, parallel)
        self.budget = budget
        # Whether a trace may be made however short the call is.
        self._eager = eager
        self.losses = Losses(self._plain_seconds)
        self._takes_places = self.positional and not self.counts
        # How long calls have run as plain Python; how many do so now, one in the other, and since when.
        self._plain = self._since = 0.0
        self._depth = 0
        self._taken = 0.0
        # How long they took in an earlier process in which they were compiled, as far as that was not spent on compiling in this one.
        self._earlier = 0.0
        self._calls = 0
        # After how many calls it is asked whether the function is to be left to plain Python for good; and one of how many is seen.
        self._enough = _FEW
        self._every = 1
        # How long it was looked for work in calls.
        self._looked = 0.0
        self._hot = self._begun = False
        # How long calls have to take before another trace is made, but for those with so much to do; and before it is asked whether one may be risked.
        self._due, self._much = 0.0, 0
        self._asked = _TIMES * _TRACE
        # How long the call promised to take that is looked at, judged by its source.
        self._foreseen = _FOREVER
        # How long a trace may take, in seconds, judged by the source of the function.
        self._trace = _TRACE
        # How much the last call had to do for which none might be traced yet.
        self._declined = 0
        if listed:
            offered.append(self)

    def __call__(self, *values: Any) -> Any:
        """Call the function, converted where that promises to pay."""
        if not self._begun:
            self._begin(values)
        looked = self._looked
        if self._hot or (self.budget is None and self._loops and self._sees_work(values)):
            if tracing():
                return super().run_plain(values)
            if self.pauses and self._extent(values) <= max(self._much, self._declined):
                return self.run_plain(values)
            self._hot = True
            self._foreseen = self.losses.promised if self._looked > looked and not self._eager else _FOREVER
            return super().__call__(*values)
        if self._looked == looked or self.losses.promised > self._patience():
            return self.run_plain(values)
        # What it calls need not be looked at as long as it does not take longer than it promised to.
        until, ALL.foreseen = ALL.foreseen, ALL.now() + min(self.losses.promised, self._patience())
        try:
            return self.run_plain(values)
        finally:
            ALL.foreseen = until

    @functools.cached_property
    def _past(self) -> Past | None:
        return past_of(self)

    def _begin(self, values: Sequence[Any]) -> None:
        """Go the way at once that calls went in the end in an earlier process, or that would have paid there."""
        self._begun = True
        past = self._past
        if past is None or past.taken < _WORTH or self._eager:
            return
        would_pay = not past.tried and self._would_pay(past.taken, values)
        if not (past.served or past.served_in_parts or would_pay):
            return
        self._earlier = _KNOWN * past.taken
        # Of a trace nobody knows yet whether it comes to something.
        self.losses.known = past.taken / _UNTRIED if would_pay else self._earlier
        self._hot = past.served or would_pay
        if past.served_in_parts and not past.served:
            self.part()

    def _would_pay(self, taken: float, values: Sequence[Any]) -> bool:
        """Whether to compile the function at once would have paid where its calls took so long, as far as its source tells."""
        from .estimate import COMPILE_TIMES

        self._trace = self.losses.expected = foreseen(self.function, values).trace
        risked = self._patience() + _TIMES * (ALL.lost + lost_before(self))
        return taken > max(_UNTRIED * risked, PAST * COMPILE_TIMES.foreseen(self._trace) / _KNOWN)

    @property
    def _came_to_nothing(self) -> bool:
        """Whether traces have come to nothing in an earlier process, in which calls took as long or nearly so."""
        past = self._past
        if past is None or past.served or not past.lost or self._eager:
            return False
        return self._plain_seconds() < max(_AGAIN * past.taken, _TIMES * past.lost)

    def experience(self) -> Past | None:
        """Return what became of the function in this process, if anything was tried or its calls took long."""
        # What was compiled for the very last call, too.
        served = bool(self.entries) and (self.choices is None or not self.choices.measured_plain)
        in_parts = self._served_in_parts
        lost = self.losses.lost + sum(entry.seconds for entry in self.entries) * (not served)
        if not served and not in_parts and not lost:
            return self._untried()
        taken = self._plain_seconds() + (self._past.taken if self._past is not None else 0.0) * served
        return Past(round(lost, 2), round(taken, 2), served, in_parts)

    def _untried(self) -> Past | None:
        """Return how long calls took of which none was tried, where that is long, and other than was known."""
        taken, past = self._plain_seconds() * ALL.share, self._past
        is_known = past is not None and (past.tried or abs(taken - past.taken) < past.taken / 4)
        return (
            None
            if is_known or taken < _UNTRIED * _TIMES * _LOAD_ASKED
            else Past(0.0, round(taken, 2), False, False)
        )

    def run_plain(self, values: Sequence[Any]) -> Any:
        """Run the original, and note how long it takes."""
        # Every call goes through here, short ones too: nothing is asked that need not be.
        if not self._depth:
            self._since = perf_counter() - ALL.away
        self._depth += 1
        running = self.running
        running.append(None)
        try:
            if len(running) >= NESTED:
                return self._called_in_own_frames(self.plain, values)
            return self.plain(*values) if self._takes_places else self._call(self.plain, values)
        finally:
            running.pop()
            self._depth -= 1
            self._calls += self._every
            if not self._depth:
                taken = (perf_counter() - ALL.away - self._since) * self._every
                self._plain += taken
                self._taken += taken
                if self._taken > self._asked and not self._hot:
                    # One call of many stands for all, also where it is within another one that was not seen: together they cannot have taken longer than the program.
                    self._taken = min(self._taken, ALL.ran)
                    # To ask takes longer than many a call.
                    self._asked = _SLIGHTLY * self._taken
                    self._hot = self._has_taken_long(values) and self._pays()
                    if self._hot:
                        self._see(1)
            if self._calls >= self._enough and not self._depth:
                self._leave()

    def _plain_seconds(self) -> float:
        """Return how long calls have run as plain Python, that under way included, but for what was lost on traces."""
        return min(self._plain + (ALL.now() - self._since if self._depth else 0.0), ALL.ran)

    @functools.cached_property
    def _loops(self) -> bool:
        return has_loop(self.function.__code__)

    def _sees_work(self, values: Sequence[Any]) -> bool:
        """Whether a call that is looked at has much to do; calls are as long as that does not take more than a small share of their time."""
        if self._looked > _LOOK and self._taken < _LOOKING * self._looked:
            return False
        if ALL.now() < ALL.foreseen:
            return False
        start = perf_counter()
        if self._eager:
            seconds = _FOREVER if self.wants(values) else 0.0
        else:
            seconds, self._trace = foreseen(self.function, values)
            self.losses.expected = self._trace
        self._looked += perf_counter() - start
        # Nothing tells how long a call may take that is not judged.
        self.losses.promised = min(seconds, TRUSTED) if self._eager else seconds
        if seconds <= self._patience() or self._came_to_nothing:
            return False
        patience = self.losses.patience
        if self._eager or patience is None or self._trace <= patience:
            return True
        # It would be left before it is done.
        if self.parts is None and seconds > _MUCH_LONGER * self._patience():
            # Its loops are looked at once there is time for such a trace.
            self.left_after = self._trace / 2
            self.part()
        return False

    def _patience(self) -> float:
        """Return how long calls have to take, or to promise to take, in seconds, for a trace to be risked."""
        load = _LOAD_ASKED if self.budget is None else _LOAD
        return _TIMES * (self._trace if _TRACING in sys.modules else self._trace + load)

    def _has_taken_long(self, values: Sequence[Any]) -> bool:
        """Whether calls, of which the last one had these values, have taken so long that a trace may be risked."""
        enough = self._patience()
        if self._taken > enough and self._trace == _TRACE and not self._eager:
            self._trace = self.losses.expected = foreseen(self.function, values).trace
            enough = self._patience()
        is_long = self._taken > enough and self._taken * ALL.share > enough
        return is_long and not self._came_to_nothing and (self._eager or self._may_pay())

    def _may_pay(self) -> bool:
        """Whether calls have taken so long that compiling may pay as soon as there is a trace, which would be of no use yet otherwise."""
        from .estimate import COMPILE_TIMES

        expected = COMPILE_TIMES.foreseen(self._trace)
        average = self._plain / max(self._calls, 1)
        return average > expected or self._taken * ALL.share > PAST * expected

    def _pays(self) -> bool:
        """Whether calls have taken as long as converting the function may take."""
        if self.budget is None:
            return True
        cost = self.budget.cost(self.function.__code__)
        return self._taken > cost and self.budget.affords(cost)

    def _leave(self) -> None:
        """Leave a function to plain Python for good where its calls, of which there were many, take next to no time; look again after as many more."""
        self._enough = 2 * self._calls
        if self.entries or self._served_in_parts:
            return
        share = min(self._calls / (_ENOUGH_WITH_LOOPS if self._loops else _ENOUGH), 1.0)
        average = self._plain * ALL.share / self._calls
        if average < share * _NOTHING:
            self.broken = StagingError("S271-nothing-to-gain", "its calls take next to no time")
            if self.parts is None:
                self._stand(self.function.__code__)
            else:
                self.settle()
        else:
            self._see(max(1 << round(min(_SEEN / average, _MOST_UNSEEN)).bit_length() >> 1, 1))

    def _see(self, every: int) -> None:
        """Have one call of so many come here, and count for all of them."""
        if every != self._every and self.link is not None:
            self._every = every
            if every == 1:
                self.link.lead(self)
            else:
                self.link.lead_sometimes(self, every)

    def renew(self) -> None:
        """Let calls of which it is known go their way at once."""
        self._see(1)
        super().renew()

    def note_part(self) -> None:
        """Have every call run in parts, of which one is compiled."""
        self._see(1)

    @property
    def _served_in_parts(self) -> bool:
        return self.parts is not None and any(unit.entries for unit in self.parts.units)

    def postpones(self, values: Sequence[Any]) -> bool:
        """Whether calls are still to run as plain Python for some time before another trace is made, and this one has not much more to do than they."""
        return self._taken + self._earlier < self._due and self._extent(values) <= self._much

    @property
    def postponed(self) -> str:
        if not self._begun:
            return ""
        taken = f"they took {self._taken:.2f} s, and"
        if 0 < self._taken < self._due:
            return f"{taken} compiling pays after {self._due:.2f} s"
        if self._looked and not self._hot:
            return f"{taken} a trace pays after {self._patience():.2f} s"
        return super().postponed

    @staticmethod
    def _extent(values: Sequence[Any]) -> int:
        """Return how much there may be to do for these values, as far as they tell."""
        from .choice import extent

        return sum(map(extent, values))

    def _make(self, values: Sequence[Any]) -> Entry | None:
        """Trace and compile for a call; where none may be traced yet, have those that have no more to do than it run as plain Python for a while without a look at them."""
        made = super()._make(values)
        if made is None:
            # It is soon asked again which calls are to be seen.
            self._enough = self._calls
            if not self.failures:
                self._declined = self._extent(values)
        return made

    def pays(self, values: Sequence[Any], graph: Graph) -> bool:
        """Whether a call promises to take as long as it has to for its graph to be compiled, or as that lacks."""
        from .estimate import COMPILE_TIMES, calls_libraries, promised_seconds

        seconds = promised_seconds(graph, self.parameters, values)
        if seconds is None:
            return super().pays(values, graph)
        # A graph does not tell how soon a loop is left, nor a forecast what is not written in the source.
        seconds = min(seconds, self._foreseen)
        self._due = PAST * COMPILE_TIMES.expected(graph) / ALL.share
        self._much = _MORE * self._extent(values)
        earned = COMPILE_TIMES.earned(graph)
        taken = self._taken + self._earlier
        in_libraries = calls_libraries(graph) and not self._earlier
        if in_libraries:
            # The rest passes there.
            taken = min(taken, _LIBRARY_TIMES * self._calls * seconds)
        if taken * earned + seconds * self._due < self._due * earned:
            self._due = max(self._due, _AGAIN * self._taken * in_libraries)
            return False
        self._earlier = max(self._earlier - self._due, 0.0)
        self._taken = 0.0
        return super().pays(values, graph)

    def wants(self, values: Sequence[Any]) -> bool:
        """Whether there is an array among these values, or the globals of the function."""
        namespace, names = self.function.__globals__, self.function.__code__.co_names
        return any(map(holds_array, values)) or any(holds_array(namespace.get(name)) for name in names)
