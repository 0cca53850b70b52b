"""Makes traces of calls. It is loaded where the first is to be made, with all that takes: a program may end without one."""

from __future__ import annotations

from collections.abc import Sequence
from time import thread_time
from typing import TYPE_CHECKING, Any

from transpile.runtime.trace.tracer import Trace, trace

from .conversions import convert
from .known import changing
from .prepare import prepare
from .texts import traced_for_texts

if TYPE_CHECKING:
    from .calls import Calls

# Traces of a function that are for one size alone, so that loops can be written out; calls of others run as plain Python, in parts.
_FOR_ONE_SIZE = 4

# How long a trace of a function that was asked for may take, in seconds of the processor: nobody waits for more.
_LONGEST = 10.0


def traced(calls: Calls, values: Sequence[Any], watched: bool) -> Trace:
    """Trace for a call; `watched`, so that it shows of every floating-point error where it is."""

    def call(converted: Any, wrapped: dict[str, Any]) -> Any:
        args, kwargs = calls.arguments(list(wrapped.values()))
        return converted(*args, **kwargs)

    arguments = dict(zip(calls.parameters, values, strict=True))
    patience = _LONGEST if calls.losses.patience is None else calls.losses.patience
    until = None if calls.strict else thread_time() + patience
    alone = sum(entry.trace.for_one_size for entry in calls.entries)
    for_one_size = watched or calls.strict or alone < _FOR_ONE_SIZE
    found = traced_for_texts(
        lambda given: trace(calls.function, convert, given, call, watched, until, for_one_size),
        arguments,
        (entry.trace for entry in calls.entries),
        calls.known_texts,
    )
    others = changing(entry.trace for entry in calls.entries)
    prepare(found, calls.device, calls.accuracy, calls.parallel, watched, others)
    return found
