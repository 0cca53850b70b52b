"""Makes traces of calls. It is loaded where the first is to be made, with all that takes: a program may end without one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Any

from transpile.runtime.cache.miss import first_miss
from transpile.runtime.errors import AlwaysRaises, OutOfTime, StagingError, TranspileError
from transpile.runtime.garbage import no_collections
from transpile.runtime.room import with_room
from transpile.runtime.trace.tracer import Trace, trace

from . import direct, entrance  # noqa: F401 (what serves calls by a trace)
from .conversions import convert
from .entry import Entry
from .estimate import COMPILE_TIMES
from .known import changing, defaults_in
from .losses import ALL
from .prepare import prepare
from .progress import telling
from .retraces import warn_of_retracing
from .texts import traced_for_texts
from .tiers import begin

if TYPE_CHECKING:
    from .calls import Calls

# Traces of a function that are for one size alone, so that loops can be written out; calls of others run as plain Python, in parts.
_FOR_ONE_SIZE = 4

# How long a trace of a function that was asked for may take, in seconds of the processor: nobody waits for more.
_LONGEST = 4.0


def traced(calls: Calls, values: Sequence[Any], watched: bool) -> Trace:
    """Trace for a call; `watched`, so that it shows of every floating-point error where it is."""

    def call(converted: Any, wrapped: dict[str, Any]) -> Any:
        args, kwargs = calls.arguments(list(wrapped.values()))
        return converted(*args, **kwargs)

    arguments = dict(zip(calls.parameters, values, strict=True))
    patience = _LONGEST if calls.losses.patience is None else calls.losses.patience
    until = None if calls.strict else thread_time() + patience
    alone = sum(entry.trace.for_one_size for entry in calls.entries)

    def attempt(given: Mapping[str, Any], for_one_size: bool = watched or alone < _FOR_ONE_SIZE) -> Trace:
        try:
            return trace(calls.function, convert, given, call, watched, until, for_one_size)
        except StagingError:
            if for_one_size or not calls.strict:
                raise
            return attempt(given, True)

    found = traced_for_texts(
        attempt,
        arguments,
        (entry.trace for entry in calls.entries),
        calls.known_texts,
    )
    others = changing(entry.trace for entry in calls.entries)
    defaults = defaults_in(calls.function, arguments)
    prepare(found, calls.device, calls.accuracy, calls.parallel, watched, others, defaults)
    return found


@with_room
@no_collections()
def make(calls: Calls, values: Sequence[Any], tiered: bool, start: float) -> Entry | TranspileError | None:
    """Trace and compile for a call, which began to be looked at at `start`, or return why no trace serves such calls; None where the original runs this one."""
    _note_miss(calls, values)
    busy = thread_time()
    try:
        found = calls.traced(values)
        if not calls.pays(values, found.graph):
            calls.losses.postpone(thread_time() - busy)
            return None
        if tiered:
            begin(calls, values, found)
            return None
        with telling(calls.title):
            entry = calls.compiled(values, found)
        entry.seconds = perf_counter() - start
        COMPILE_TIMES.note(found.graph, entry.seconds)
    except AlwaysRaises:
        raise
    except OutOfTime as error:
        calls.left_after = thread_time() - busy
        calls.losses.note(calls.left_after)
        if not calls.losses.asked:
            # It may be tried again once calls have taken longer; what can be compiled by itself is looked at now.
            calls.part()
            return None
        return error
    except TranspileError as error:
        calls.losses.note(thread_time() - busy)
        return error
    else:
        calls.keep(entry)
        return entry
    finally:
        ALL.pause(perf_counter() - start)
        if calls.budget is not None:
            calls.budget.spend(perf_counter() - start, calls.function.__code__)


def _note_miss(calls: Calls, values: Sequence[Any]) -> None:
    """Note why the newest trace does not serve a call, and warn where it is the same over and over."""
    if calls.entries:
        miss = first_miss(calls.parameters, calls.entries[0].trace.guards, values)
        if miss is not None and calls.retraces.are_many(miss) and calls.warns:
            warn_of_retracing(calls.title, calls.function, miss)
