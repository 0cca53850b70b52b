"""The calls of a converted function: traces, what they serve, and the fallback to the original."""

from __future__ import annotations

import contextlib
import inspect
import os
import types
import weakref
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from transpile.converters import convert as convert_syntax
from transpile.runtime.cache.match import match_function
from transpile.runtime.cache.miss import ENDLESS, first_miss
from transpile.runtime.errors import (
    AlwaysRaises,
    ConversionError,
    FallbackWarning,
    StagingError,
    TranspileError,
)
from transpile.runtime.operators.attempts import is_of_program
from transpile.runtime.ops.floating_errors import heeded
from transpile.runtime.ops.handles import holding
from transpile.runtime.ops.journal import Journal, recording
from transpile.runtime.ops.scalars import Deoptimise, NotAssumed
from transpile.runtime.passes import keep_errors, optimise, warns, watch
from transpile.runtime.trace.tracer import Trace, trace

from .budget import Budget
from .choice import Choices
from .entrance import entrance
from .entry import Entry, executable, is_visible
from .frames import SUSPENDED, WATCHES, is_watched, looks_at_frames
from .kinds import kinds_of
from .making import MAKING
from .outputs import builder, given_paths, storing

if TYPE_CHECKING:
    from .units import Parts

# Kinds of arguments that cannot be staged, after which a function runs as plain Python for good.
_FAILURES = 8
# Traces made in vain, after which a call that no trace's assumptions fit runs as plain Python at once.
_REFUTED = 4
# The most traces of one function, of which the most recent ones are not given up for others.
_TRACES = 32
_RECENT = 8
# Traces that are made for one reason, before a warning says so.
_RETRACES = 8
# How often calls of some kind are found to have failed before their kind is told apart only roughly, and before it is taken for the only one.
_FOUND = 4
_FOUND_FOR_GOOD = 200

# Calls that a trace may leave to plain Python before it is given up, unless it served more.
_LEFT = 50


class Calls:
    """Calls of one converted function.

    `failures` are the kinds of arguments that no trace serves, and why; `broken` is why none serves any. `warns` says so as it happens.
    Such calls run `plain`: the original, or the original in parts, of which some are compiled.
    """

    # Whether calls may go straight to a trace, and what they do there with other errors than those that leave a call to the original.
    is_direct = True
    on_error = ""
    # What tells whether a call is to run as the original in its own frame; and whether that was not asked before a call goes straight to a trace.
    watches: Sequence[Callable[[], Any]] = WATCHES
    watches_late = False
    # Whether calls go the plain way where that is faster.
    chooses = os.environ.get("TRANSPILE_ADAPTIVE") != "0"
    # What compiling may cost; None where it was asked for.
    budget: Budget | None = None

    def __init__(self, function: types.FunctionType, strict: bool, device: str, warns: bool = True) -> None:
        self.function = function
        self.strict = strict
        self.device = device
        self.warns = warns
        code = function.__code__
        variadic = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
        self.parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + variadic]
        self.entries: list[Entry] = []
        self.failures: dict[Any, TranspileError] = {}
        self.broken: TranspileError | None = None
        self.plain = function
        self.parts: Parts | None = None
        self.positional = code.co_argcount == len(self.parameters)
        # Kinds of arguments that were found among the failures, told apart roughly, and how often.
        self._found: dict[Any, int] = {}
        # What the function that stands for the original calls, and the link by which that finds it.
        self.entrance: Callable[..., Any] = self
        self.link: Any = None
        # The function that stands for the original, and its code as long as it hands on calls.
        self._stub: weakref.ref[types.FunctionType] | None = None
        self._handing_on: types.CodeType | None = None
        self._lock = MAKING
        # Traces that did not even serve the call that they were made for.
        self.refuted = 0
        self.hits = self.misses = 0
        # Where there are as many traces as there may be: how much longer than it took to make one no other is made, and until when.
        self.pace = 20.0
        self._next_trace = 0.0
        # How often a trace was made because of a value, and the kind of what is asked of it.
        self._reasons: dict[tuple[str, str], int] = {}
        self.choices = Choices(self) if self.chooses and not strict and device == "cpu" else None

    def __reduce__(self) -> Any:
        """Pickle what is called, for those who pickle functions by their code, and no traces."""
        return Calls, (self.function, self.strict, self.device, self.warns), self.link

    def __setstate__(self, link: Any) -> None:
        self.link = link
        link.lead(self)

    @property
    def title(self) -> str:
        """Names what is called."""
        return self.function.__qualname__

    def __call__(self, *values: Any) -> Any:
        return self.ours(values) if self.choices is None else self.choices.call(values)

    def ours(self, values: Sequence[Any]) -> Any:
        """Run a call compiled where a trace serves it, or can be made that does."""
        heeds = heeded()
        if heeds < 0 or is_watched():
            return self._original(values)
        unassumed = False
        for entry in self.entries:
            feeds = entry.match(*values) if entry.obeys(heeds) else None
            if feeds is not None:
                try:
                    result = self._run(entry, feeds, values)
                except NotAssumed:
                    unassumed = True
                    continue
                self.hits += 1
                return result
        if unassumed and self.refuted >= _REFUTED:
            return self._original(values)
        if self.broken is not None or perf_counter() < self._next_trace:
            return self._original(values)
        made = None
        fault: StagingError | None = None
        try:
            made = self._make(values)
        except AlwaysRaises as error:
            if self.strict:
                raise
            fault = error
            self.failures[kinds_of(values)] = error
        except (TranspileError, FallbackWarning):
            raise
        except Exception as error:
            fault = _fault(error)
        if fault is not None:
            # What the program itself raises, the original raises too; a fault of the tracer it shows to be one.
            result = self._original(values)
            self._fall_back(values, fault)
            return result
        feeds = made.match(*values) if made else None
        if made is None or feeds is None:
            return self._original(values)
        try:
            return self._run(made, feeds, values)
        except NotAssumed:
            # What the trace had to assume does not hold for the very arguments that it was made of: NumPy has an error for them.
            self.refuted += 1
            self._forget(made)
        return self._original(values)

    def renew(self) -> None:
        """Let calls of which it is known go their way at once."""
        if self.link is None or not self.is_direct:
            return
        first = next(iter(self.entries), None)
        choices = []
        if self.choices is not None:
            choices = self.choices.first
            first = first if first is not None and first.least is not None else None
        new = self if first is None and not choices else entrance(self, first, choices)
        # In this order: what the link leads to is always there.
        self.link.lead(new)
        self.entrance = new

    def entry_for(self, values: Sequence[Any]) -> Entry | None:
        """Return the trace that serves a call."""
        return next((entry for entry in self.entries if _serves(entry, values)), None)

    def _run(self, entry: Entry, feeds: tuple[Any, ...], values: Sequence[Any]) -> Any:
        try:
            result = entry.run(*feeds)
            entry.hits += 1
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
        is_new = not entry.trace.graph.watched and entry in self.entries
        if is_new and entry.flagged() == 1:
            watched = self._watch(entry, values)
            # A call that has done something before has to be run anew.
            feeds = watched.match(*values) if watched is not None and journal is None else None
            if watched is not None and feeds is not None:
                with contextlib.suppress(NotAssumed):
                    return self._run(watched, feeds, values)
        if entry.deoptimised > max(_LEFT, entry.hits) and not self.strict and entry in self.entries:
            self.entries.remove(entry)
            self.renew()
            error = StagingError("S265-rarely-holds", "what was assumed while tracing rarely holds")
            self._fall_back(values, error)
        if journal is None:
            return self._original(values)
        if entry.deoptimised == 1 and not self.strict:
            # The original may take long for it.
            self._part()
        return self._anew(values, journal)

    def _watch(self, entry: Entry, values: Sequence[Any]) -> Entry | None:
        """Have calls that a trace serves, of which some meet floating-point errors, served by one that shows where these are, and return it, if there can be one."""
        with self._lock:
            try:
                watched = self._compile(values, self._trace(values, watched=True))
            except Exception:
                return None
            self.entries = [watched if other is entry else other for other in self.entries]
            self.renew()
        return watched

    def _anew(self, values: Sequence[Any], journal: Journal) -> Any:
        """Run a call anew that has done something before it was left."""
        return journal.run_anew(lambda: self._original(values))

    def _original(self, values: Sequence[Any]) -> Any:
        return self._run_plain(self.plain, values)

    def original(self, values: Sequence[Any]) -> Any:
        """Run a call as the plain Python it was."""
        return self._run_plain(self.function, values)

    def _run_plain(self, function: Callable[..., Any], values: Sequence[Any]) -> Any:
        if self.positional:
            return function(*values)
        args, kwargs = self.arguments(values)
        return function(*args, **kwargs)

    def arguments(self, values: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return values of the parameters as they are handed to a call."""
        code = self.function.__code__
        count, keywords = code.co_argcount, code.co_kwonlyargcount
        args = list(values[:count])
        kwargs = dict(
            zip(self.parameters[count : count + keywords], values[count : count + keywords], strict=True)
        )
        rest = list(values[count + keywords :])
        if code.co_flags & inspect.CO_VARARGS:
            args += rest.pop(0)
        if code.co_flags & inspect.CO_VARKEYWORDS:
            kwargs |= rest.pop(0)
        return args, kwargs

    # -- tracing -----------------------------------------------------------------------------------------------

    def _trace(self, values: Sequence[Any], watched: bool = False) -> Trace:
        """Trace for a call; `watched`, so that it shows of every floating-point error where it is."""

        def call(converted: Any, wrapped: dict[str, Any]) -> Any:
            args, kwargs = self.arguments(list(wrapped.values()))
            return converted(*args, **kwargs)

        arguments = dict(zip(self.parameters, values, strict=True))
        found = trace(self.function, convert_syntax, arguments, call, watched)
        if warns(found.graph):
            found.told = found.graph.heeds = max(heeded(), 0)
            if self.device == "host":
                keep_errors(found.graph)
            else:
                watch(found.graph, found.reporters, found.heeds, found.told, watched)
        optimise(found.graph)
        return found

    def _make(self, values: Sequence[Any]) -> Entry | None:
        """Trace and compile for a call that no trace serves; None where the original must run it."""
        if not self.strict and self.failures and self._has_failed(values):
            return None
        code = self.function.__code__
        if self.budget is not None and not self.budget.affords(self.budget.cost(code)):
            return None
        known = self.entries
        with self._lock:
            # Another thread may have made it meanwhile.
            made = next((e for e in self.entries if e not in known and _serves(e, values)), None)
            if made is not None:
                return made
            self.misses += 1
            self._note_miss(values)
            start = perf_counter()
            refused: TranspileError | None = None
            try:
                found = self._trace(values)
                if self.choices is not None and self.choices.leave(values, found.graph):
                    return None
                entry = self._compile(values, found)
                entry.seconds = perf_counter() - start
            except AlwaysRaises:
                raise
            except TranspileError as error:
                refused = error
            finally:
                if self.budget is not None:
                    self.budget.spend(perf_counter() - start, code)
            if refused is not None:
                # It says itself where it comes from, in the user's program; how it came here is of no interest there.
                self._fall_back(values, refused.with_traceback(None))
                return None
            self._keep(entry)
            return entry

    def _keep(self, entry: Entry) -> None:
        """Keep a trace; of too many, one goes, and no other is made before the time that it took has been earned."""
        kept = self.entries
        if len(kept) >= _TRACES:
            idle = min(reversed(kept[_RECENT:]), key=lambda old: old.hits)
            kept = [old for old in kept if old is not idle]
            self._next_trace = perf_counter() + self.pace * entry.seconds
        self.entries = [entry, *kept]
        self.renew()

    def _forget(self, entry: Entry) -> None:
        with self._lock:
            self.entries = [other for other in self.entries if other is not entry]
            self.renew()

    def stop(self) -> None:
        """Leave the function to plain Python for good, as there is nothing in it to compile."""
        self.broken = StagingError("S283-idle", "its calls leave nothing to compile")
        self.settle()

    def _note_miss(self, values: Sequence[Any]) -> None:
        """Count why traces are made anew, and warn where it is for one reason over and over."""
        if not self.entries:
            return
        miss = first_miss(self.parameters, self.entries[0].trace.guards, values)
        if miss is None or miss.kind not in ENDLESS:
            return
        key = (miss.path, miss.kind)
        self._reasons[key] = self._reasons.get(key, 0) + 1
        if self._reasons[key] == _RETRACES and self.warns:
            from .report import warn_of_retracing

            warn_of_retracing(self, miss)

    def _fall_back(self, values: Sequence[Any], error: TranspileError) -> None:
        """Note that no trace serves calls of this kind. Under `strict` raises the error instead."""
        from .report import warn_of_fallback

        if self.strict:
            raise error
        self.failures[kinds_of(values)] = error
        if isinstance(error, ConversionError) or len(self.failures) >= _FAILURES:
            self.broken = error
        self._part()
        if self.warns:
            warn_of_fallback(self, error)
        self.settle()

    def _has_failed(self, values: Sequence[Any]) -> bool:
        """Whether calls of this kind are known to fail. What has often been found is looked up by less, and in the end not at all."""
        rough = tuple(
            [(value.dtype, value.ndim) if type(value) is np.ndarray else type(value) for value in values]
        )
        found = self._found.get(rough, 0)
        if found < _FOUND and kinds_of(values) not in self.failures:
            return False
        self._found[rough] = found + 1
        if found > _FOUND_FOR_GOOD and not self.entries and self.broken is None:
            self.broken = next(iter(self.failures.values()))
            self.settle()
        return True

    # -- plain Python ------------------------------------------------------------------------------------------

    def _part(self) -> None:
        """Let what is compiled by itself run within the original from now on."""
        from .units import parts_of

        with self._lock:
            if self.parts is None:
                self.parts = parts_of(self)
                if self.parts is not None:
                    self.plain = self.parts.function

    def wants(self, values: Sequence[Any]) -> bool:
        """Whether a loop of the function that works on these values is to be compiled."""
        return True

    def begin(self) -> types.CodeType | None:
        """Return the code of what stands for the original where that must run in a frame of its own; None where it can hand on its calls."""
        error = None if self.strict else self._own_frame()
        if error is None:
            return None
        self.broken = error
        self._fall_back((), error)
        return self.plain.__code__

    def stands_in(self, stub: types.FunctionType, hands_on: bool) -> None:
        """Note which function stands for the original, and whether it hands on its calls."""
        self._stub, self._handing_on = weakref.ref(stub), stub.__code__ if hands_on else None

    def _own_frame(self) -> TranspileError | None:
        """Return why the function has to run in a frame of its own; None where it need not."""
        code = self.function.__code__
        if code.co_flags & SUSPENDED:
            return StagingError("S270-suspended", "it is left and entered again, and lives on between calls")
        if looks_at_frames(code):
            return StagingError("S268-frames", "it looks at the frames that call it")
        return None

    def settle(self) -> None:
        """Once nothing serves calls any more, make the function that stands for the original run its code, so that a call costs nothing more."""
        with self._lock:
            if self.parts is not None and not self.parts.live:
                self.plain = self.function
            if self.broken is not None and not self.entries:
                self._stand(self.plain.__code__)

    def _stand(self, code: types.CodeType | None) -> None:
        stub = self._stub and self._stub()
        if stub and code and code.co_freevars == stub.__code__.co_freevars:
            stub.__code__ = code

    def _compile(self, values: Sequence[Any], found: Trace | None = None) -> Entry:
        start = perf_counter()
        with self._lock:
            found = found or self._trace(values)
            execute, noted, copies, flagged = executable(found, self.device)
        feeds = [i.path for i in found.graph.inputs if i.source != "dim"]
        described = (found.output, *(store.value for store in found.stores))
        given = [store.path for store in found.stores]
        given += [path for part in described for path in given_paths(part) if path not in given]
        build = storing(found, given) if found.stores else builder(found.output, given)
        count = len(feeds)

        def run_alone(*values: Any) -> Any:
            return build(execute(*values), ())

        def run_with_given(*values: Any) -> Any:
            return build(execute(*values[:count]), values[count:])

        run = run_with_given if given else run_alone

        if found.holds:
            run = holding(run, [i.held for i in found.graph.inputs if i.source != "dim"])
        if noted:
            run = recording(run)
        match = match_function(self.parameters, found.guards, [*feeds, *given])
        seconds = perf_counter() - start
        visible = is_visible(found.graph)
        return Entry(match, run, found, visible, copies, seconds, found.told, flagged, noted)

    # -- looking into it ---------------------------------------------------------------------------------------

    def source(self) -> str:
        """Return the rewritten Python; where calls run in parts, those."""
        if self.parts is not None:
            units = (str(convert_syntax(unit.function).source()) for unit in self.parts.units if unit.entries)
            return "\n\n".join((self.parts.source(), *units))
        try:
            return str(convert_syntax(self.function).source())
        except ConversionError:
            if self.strict:
                raise
            self._part()
            if self.parts is None:
                raise
            return self.source()

    def graph(self, *args: Any, **kwargs: Any) -> Any:
        """Return the graph for the signature of these arguments."""
        return self._trace(self.bind(args, kwargs)).graph

    def kernels(self, *args: Any, **kwargs: Any) -> str:
        """Return the text of the kernel for the signature of these arguments."""
        from transpile.devices.cpu.emit import emit
        from transpile.devices.loops.schedule import schedule

        return emit(schedule(self.graph(*args, **kwargs))).text

    def trace(self, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        """Trace and compile for the signature of these arguments, and return the function that runs it."""
        values = self.bind(args, kwargs)
        entry = self.entry_for(values) or self._compile(values)

        def run(*args: Any, **kwargs: Any) -> Any:
            values = self.bind(args, kwargs)
            feeds = entry.match(*values)
            return self._original(values) if feeds is None else self._run(entry, feeds, values)

        return run

    def explain(self, *args: Any, **kwargs: Any) -> str:
        """Return what is compiled, and what is not and why: for these arguments, or for all calls so far."""
        from .report import explain

        values = self.bind(args, kwargs) if args or kwargs else None
        if values is not None and self.entry_for(values) is None:
            try:
                self._keep(self._compile(values))
            except TranspileError as error:
                self.failures[kinds_of(values)] = error
        return explain(self, values)

    def explain_miss(self, *args: Any, **kwargs: Any) -> str:
        """Return, for each trace, the newest first, which argument or other value keeps it from serving a call, and why."""
        values = self.bind(args, kwargs)
        lines = []
        for entry in self.entries:
            miss = first_miss(self.parameters, entry.trace.guards, values)
            lines.append("a trace serves the call" if miss is None else miss.text)
        return "\n".join(lines) or "nothing has been traced"

    def cache_info(self) -> Any:
        """Return how many calls found a trace, how many did not, and how many traces there are."""
        from functools import _CacheInfo

        return _CacheInfo(self.hits, self.misses, _TRACES, len(self.entries))

    def cache_clear(self) -> None:
        """Forget all traces."""
        with self._lock:
            self.entries = []
            self._reasons.clear()
            self._next_trace = 0.0
            self.failures.clear()
            self._found.clear()
            if self.parts is not None:
                self.parts.give_up()
            self.broken = self.parts = None
            if self.choices is not None:
                self.choices.clear()
            self.renew()
            self.refuted = 0
            self.plain = self.function
            self._stand(self._handing_on or self.begin())

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """Return the values of the parameters for a call."""
        bound = inspect.signature(self.function).bind(*args, **kwargs)
        bound.apply_defaults()
        return [bound.arguments[name] for name in self.parameters]


def _serves(entry: Entry, values: Sequence[Any]) -> bool:
    return entry.obeys(max(heeded(), 0)) and entry.match(*values) is not None


def _fault(error: Exception) -> StagingError:
    """Return what is said of an error while tracing that the program does not raise."""
    code = "S291-elsewhere" if is_of_program(error) else "S290-fault"
    fault = StagingError(code, f"tracing met {type(error).__name__}: {error}")
    fault.__cause__ = error
    return fault
