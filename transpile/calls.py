"""The calls of a converted function: traces, and what they serve."""

from __future__ import annotations

import contextlib
import functools
import os
import types
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from transpile.runtime.errors import (
    AlwaysRaises,
    Deoptimise,
    FallbackWarning,
    NotAssumed,
    StagingError,
    TranspileError,
)
from transpile.runtime.garbage import no_collections

from .fallback import Fallback, fault_of
from .frames import WATCHES, is_watched
from .retraces import Retraces
from .watching import watching

if TYPE_CHECKING:
    from transpile.runtime.graph.ir import Graph
    from transpile.runtime.ops.journal import Journal
    from transpile.runtime.trace.tracer import Trace

    from .choice import Choices
    from .direct import Direct
    from .entry import Entry
    from .tiers import Job

# Traces made in vain, after which a call that no trace's assumptions fit runs as plain Python at once.
_REFUTED = 4
# The most traces of one function, of which the most recent ones are not given up for others.
TRACES = 32
_RECENT = 8
# How long it is not asked again whether another trace can be afforded, in seconds.
_PAUSE = 0.1
# Calls that a trace may leave to plain Python before it is given up, unless it served more; and where it has served none.
_LEFT, _LEFT_ALL = 50, 16


class Calls(Fallback):
    """Calls of one converted function: each is served by a trace, a new one, or by plain Python."""

    # Whether calls may go straight to a trace, and what they do there with other errors than those that leave a call to the original.
    is_direct = True
    on_error = ""
    # What tells whether a call is to run as the original in its own frame; and whether that was not asked before a call goes straight to a trace.
    watches: Sequence[Callable[[], Any]] = WATCHES
    watches_late = False
    # Whether calls go the plain way where that is faster.
    chooses = os.environ.get("TRANSPILE_ADAPTIVE") != "0"

    def __init__(
        self,
        function: types.FunctionType,
        strict: bool,
        device: str,
        warns: bool = True,
        accuracy: str = "numpy",
        parallel: bool = True,
    ) -> None:
        super().__init__(function, strict, device, warns)
        self.accuracy = accuracy
        self.parallel = parallel
        # What the function that stands for the original calls, and the link by which that finds it.
        self.entrance: Callable[..., Any] = self
        self.link: Any = None
        # What is compiled in the background.
        self.jobs: list[Job] = []
        # Traces that did not even serve the call that they were made for.
        self.refuted = 0
        # How often tracing has met what the call then raised.
        self._raised = 0
        self.served = self.misses = 0
        # What serves calls by machine code.
        self.direct: Direct | None = None
        # Where there are as many traces as there may be, or calls go on raising: how much longer than a trace took no other is made, and until when.
        self.pace = 20.0
        self._next_trace = 0.0
        # Until when calls of a function that nobody asked for are not looked at, where there is no trace.
        self._next_look = 0.0
        self.retraces = Retraces()
        self.known_texts: set[str] = set()

    @functools.cached_property
    def choices(self) -> Choices | None:
        """Which way calls go, where that is measured."""
        if not self.chooses or self.strict or self.device != "cpu":
            return None
        from .choice import Choices

        return Choices(self)

    def __reduce__(self) -> Any:
        """Pickle what is called, for those who pickle functions by their code, and no traces."""
        how = self.strict, self.device, self.warns, self.accuracy, self.parallel
        return Calls, (self.function, *how), self.link

    def __setstate__(self, link: Any) -> None:
        self.link = link
        link.lead(self)

    def __call__(self, *values: Any) -> Any:
        return self.ours(values) if self.choices is None else self.choices.call(values)

    def ours(self, values: Sequence[Any]) -> Any:
        """Run a call compiled where a trace serves it, or can be made that does."""
        from transpile.runtime.ops.floating_errors import heeded

        heeds = heeded()
        if heeds < 0 or is_watched():
            return self.run_plain(values)
        unassumed = False
        for entry in self.entries:
            feeds = entry.match(*values) if entry.obeys(heeds) else None
            if feeds is not None:
                try:
                    result = self.run(entry, feeds, values)
                except NotAssumed:
                    unassumed = True
                    continue
                self.served += 1
                return result
        if unassumed and self.refuted >= _REFUTED:
            return self.run_plain(values)
        if self.broken is not None or perf_counter() < self._next_trace:
            return self.run_plain(values)
        made = None
        fault: StagingError | None = None
        start = perf_counter()
        try:
            made = self._make(values)
            if made is None and not self.losses.asked:
                # To look whether something can be made takes longer than many a call.
                self._next_look = perf_counter() + _PAUSE
        except AlwaysRaises as error:
            if self.strict:
                raise
            fault = error
            self.note_failure(values, error)
        except (TranspileError, FallbackWarning):
            raise
        except Exception as error:
            fault = fault_of(error)
        if fault is not None:
            # What the program itself raises, the original raises too; a fault of the tracer it shows to be one.
            taken = perf_counter() - start
            try:
                result = self.run_plain(values)
            except Exception:
                # Its frames would lead here, and keep the arguments.
                fault = None
                self._note_raised(taken)
                raise
            self.fall_back(values, fault)
            return result
        feeds = made.match(*values) if made else None
        if made is None or feeds is None:
            return self.run_plain(values)
        try:
            return self.run(made, feeds, values)
        except NotAssumed:
            # What the trace had to assume does not hold for the very arguments that it was made of: NumPy has an error for them, or no trace can serve them.
            self.refuted += 1
            self.losses.note(made.seconds)
            self._forget(made)
        # Where it raises, that is the program's error, of which the next call need know nothing.
        result = self.run_plain(values)
        if self.refuted >= _REFUTED and not self.entries and not self.strict:
            reason = "what has to be assumed while tracing does not hold for the very call"
            self.fall_back(values, StagingError("S320-refuted", reason))
        return result

    def _note_raised(self, seconds: float) -> None:
        """Note that a trace which took so long has met the error that the call then raised: where that goes on, the time has to be earned first."""
        self._raised += 1
        if self._raised >= _REFUTED:
            self._next_trace = perf_counter() + self.pace * seconds

    @property
    def hits(self) -> int:
        """How many calls traces have served."""
        return self.served + (self.direct.hits if self.direct is not None else 0)

    @property
    def pauses(self) -> bool:
        """Whether there is no trace, and none is to be made just now."""
        return not self.entries and perf_counter() < max(self._next_trace, self._next_look)

    @property
    def postponed(self) -> str:
        """Why calls that no trace serves are still to run as plain Python; nothing where they are not."""
        return "tracing others has taken long, and came to nothing" if self.losses.are_too_many else ""

    @property
    def goes_straight(self) -> bool:
        """Whether calls may go their way without being asked which."""
        return self.link is not None and self.is_direct

    def renew(self) -> None:
        """Let calls of which it is known go their way at once."""
        if not self.goes_straight:
            return
        from .direct import direct
        from .entrance import entrance

        first = next(iter(self.entries), None)
        choices = []
        if self.choices is not None:
            choices = self.choices.first
            first = first if first is not None and first.least is not None else None
        new = self if first is None and not choices else entrance(self, first, choices)
        if self.direct is not None:
            self.served += self.direct.retire()
        self.direct = direct(self, first, new) if first is not None and not choices else None
        if self.direct is not None:
            new = self.direct.function
        # In this order: what the link leads to is always there.
        self.link.lead(new)
        self.entrance = new

    def entry_for(self, values: Sequence[Any]) -> Entry | None:
        """Return the trace that serves a call."""
        return next((entry for entry in self.entries if _serves(entry, values)), None)

    def run(self, entry: Entry, feeds: tuple[Any, ...], values: Sequence[Any]) -> Any:
        try:
            result = entry.run(*feeds)
            entry.served += 1
            return result
        except NotAssumed:
            raise
        except Deoptimise as left:
            journal = left.journal
        # Not in the handler: what the original raises has nothing to do with ours.
        return self.left(entry, values, journal)

    def left(self, entry: Entry, values: Sequence[Any], journal: Journal | None) -> Any:
        """Run a call that a trace has left to plain Python; a trace that mostly does so is given up, and what can be compiled by itself is.

        What the call has done before is in its journal, if there may be anything.
        """
        entry.deoptimised += 1
        if self.jobs:
            from .tiers import adopt

            adopt(self, values)
        is_new = not entry.trace.graph.watched and entry in self.entries
        if is_new and entry.flagged() == 1:
            watched = watching(self, entry, values)
            # A call that has done something before has to be run anew.
            feeds = watched.match(*values) if watched is not None and journal is None else None
            if watched is not None and feeds is not None:
                with contextlib.suppress(NotAssumed):
                    return self.run(watched, feeds, values)
        most = max(_LEFT, entry.hits) if entry.hits else _LEFT_ALL
        if entry.deoptimised > most and not self.strict and entry in self.entries:
            self.entries.remove(entry)
            self.renew()
            error = StagingError("S265-rarely-holds", "what was assumed while tracing rarely holds")
            self.fall_back(values, error)
        if journal is None:
            return self.run_plain(values)
        if entry.deoptimised == 1 and not self.strict:
            # The original may take long for it.
            self.part()
        return self._anew(values, journal)

    def _anew(self, values: Sequence[Any], journal: Journal) -> Any:
        """Run a call anew that has done something before it was left."""
        return journal.run_anew(lambda: self.run_plain(values))

    # -- tracing -----------------------------------------------------------------------------------------------

    def traced(self, values: Sequence[Any], watched: bool = False) -> Trace:
        """Trace for a call; `watched`, so that it shows of every floating-point error where it is."""
        from .tracing import traced

        return traced(self, values, watched)

    def _make(self, values: Sequence[Any]) -> Entry | None:
        """Trace and compile for a call that no trace serves; None where the original must run it."""
        import threading

        from .making import at_once
        from .tiers import adopt, is_tiered

        if self.jobs:
            if adopt(self, values):
                return None
            if (served := self.entry_for(values)) is not None:
                return served
        if self.postpones(values) or not threading.main_thread().is_alive():
            # In the latter case Python ends, and lets nothing begin any more that a compiler needs.
            return None
        if not self.strict and self.failures and self.has_failed(values):
            return None
        if not self.strict and (self.losses.are_too_many or self._needs_longer()):
            self._next_trace = perf_counter() + _PAUSE
            return None
        code = self.function.__code__
        if self.budget is not None and not self.budget.affords(self.budget.cost(code)):
            return None
        known = self.entries
        tiered = is_tiered(self)
        with at_once(not tiered) as makes:
            if not makes:
                return None
            # Another thread may have made it meanwhile.
            made = next((e for e in self.entries if e not in known and _serves(e, values)), None)
            if made is not None:
                return made
            self.misses += 1
            start = perf_counter()
            # The first time, that takes a while, which was reckoned with.
            with no_collections():
                from .tracing import make

            found = make(self, values, tiered, start)
            if isinstance(found, TranspileError):
                # It says itself where it comes from, in the user's program; how it came here is of no interest there.
                self.fall_back(values, found.with_traceback(None))
                return None
            return found

    def _needs_longer(self) -> bool:
        """Whether a trace would be left after no more than twice the time that one has taken already."""
        patience = self.losses.patience
        return patience is not None and patience < 2 * self.left_after

    def postpones(self, values: Sequence[Any]) -> bool:
        """Whether it is too early to make a trace for a call."""
        return False

    def pays(self, values: Sequence[Any], graph: Graph) -> bool:
        """Whether compiling the graph of a call promises to pay; the original runs it where not."""
        return self.choices is None or not self.choices.leave(values, graph)

    def keep(self, entry: Entry) -> None:
        """Keep a trace; of too many, one goes, and no other is made before the time that it took has been earned."""
        kept = self.entries
        if len(kept) >= TRACES:
            idle = min(reversed(kept[_RECENT:]), key=lambda old: old.hits)
            kept = [old for old in kept if old is not idle]
            self._next_trace = perf_counter() + self.pace * entry.seconds
        # What is for one size alone is quicker there than what serves all, and what is for one way may be left by that.
        alone = [] if entry.trace.goes_first else [old for old in kept if old.trace.goes_first]
        self.entries = [*alone, entry, *(old for old in kept if old not in alone)]
        self.renew()

    def _forget(self, entry: Entry) -> None:
        with self._lock:
            self.entries = [other for other in self.entries if other is not entry]
            self.renew()

    def compiled(self, values: Sequence[Any], found: Trace | None = None) -> Entry:
        """Compile a trace, by default one made for a call."""
        from .entry import compiled

        with self._lock:
            return compiled(found or self.traced(values), self.parameters, self.device)

    def clear(self) -> None:
        """Forget all traces."""
        with self._lock:
            self.entries = []
            self.jobs = []
            self.retraces = Retraces()
            self._next_trace = 0.0
            if self.choices is not None:
                self.choices.clear()
            self.renew()
            self.refuted = 0
            self._raised = 0
            self.begin_anew()

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """Return the values of the parameters for a call."""
        import inspect

        bound = inspect.signature(self.function).bind(*args, **kwargs)
        bound.apply_defaults()
        return [bound.arguments[name] for name in self.parameters]


def _serves(entry: Entry, values: Sequence[Any]) -> bool:
    from transpile.runtime.ops.floating_errors import heeded

    return entry.obeys(max(heeded(), 0)) and entry.match(*values) is not None
