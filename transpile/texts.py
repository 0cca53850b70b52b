"""Has a function that is called with one text after the other traced for all of them."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from transpile.runtime.errors import OutOfTime
from transpile.runtime.trace.texts import AnyText
from transpile.runtime.trace.tracer import Trace

# What functions often hand on alone.
_TEXTS = (str, bytes, type(pathlib.Path()))


def traced_for_texts(
    run: Callable[[Mapping[str, Any]], Trace],
    arguments: Mapping[str, Any],
    traces: Iterable[Trace],
    known: set[str],
) -> Trace:
    """Return the trace that `run` makes for arguments: for any text where another trace is for another text, if the function does not look into it.

    The names of texts that it looks into are added to `known`.
    """
    texts = {
        guard.path.key
        for trace in traces
        for guard in trace.guards
        if guard.path.kind == "argument"
        and guard.kind == "equals"
        and type(guard.expected) in _TEXTS
        and type(arguments[guard.path.key]) is type(guard.expected)
        and guard.expected != arguments[guard.path.key]
    } - known
    if texts:
        try:
            return run({name: AnyText(a) if name in texts else a for name, a in arguments.items()})
        except OutOfTime:
            raise
        except Exception:
            # Python's own functions, too, take no stand-in for a text that they look into.
            known |= texts
    return run(arguments)
