"""Makes traces of calls. It is loaded where the first is to be made, with all that takes: a program may end without one."""

from __future__ import annotations

from collections.abc import Sequence
from time import thread_time
from typing import TYPE_CHECKING, Any

from transpile.runtime.trace.tracer import Trace, trace

from .conversions import convert
from .prepare import prepare
from .texts import traced_for_texts

if TYPE_CHECKING:
    from .calls import Calls


def traced(calls: Calls, values: Sequence[Any], watched: bool) -> Trace:
    """Trace for a call; `watched`, so that it shows of every floating-point error where it is."""

    def call(converted: Any, wrapped: dict[str, Any]) -> Any:
        args, kwargs = calls.arguments(list(wrapped.values()))
        return converted(*args, **kwargs)

    arguments = dict(zip(calls.parameters, values, strict=True))
    patience = calls.losses.patience
    until = None if patience is None else thread_time() + patience
    found = traced_for_texts(
        lambda given: trace(calls.function, convert, given, call, watched, until),
        arguments,
        (entry.trace for entry in calls.entries),
        calls.known_texts,
    )
    prepare(found, calls.device, calls.accuracy, calls.parallel, watched)
    return found
