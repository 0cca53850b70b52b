"""How calls enter: those known to go the plain way take it, others go straight to the newest trace, and the rest is handed on."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Sequence
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

import numpy as np

from transpile.runtime.errors import Deoptimise, NotAssumed
from transpile.runtime.ops.floating_errors import heeded, state_of

from . import direct
from .choice import tests
from .fallback import NESTED
from .frames import is_watched

if TYPE_CHECKING:
    from .calls import Calls
    from .choice import Choice
    from .entry import Entry

_PLAIN = """
    if {test}:
        if len(running) >= nested: return calls.original([{names}])
        running.append(None)
        try:
            return plain({names})
        finally:
            running.pop()
"""
# Where the arguments do not tell how much there is to do.
_TIMED = """
    if {test}:
        start = clock()
        result = calls.original([{names}])
        taken = clock() - start
        if taken > limit{number}:
            calls.choices.note_long(choice{number}, taken)
        return result
"""
# What no state of NumPy's is.
_NOTHING = object()
# Nothing is run in a handler: what is raised there has nothing to do with what was.
_STRAIGHT = """
    if (state_of() is usual or heeded() {heeds}){watched}:
        feeds = match({names})
        if feeds is not None{large}:
            try:
                result = run(*feeds)
                entry.served += 1
                calls.served += 1
                if entry.served >= often and not entry.is_often: calls.renew()
                return result
            except NotAssumed:
                feeds = None
            except Deoptimise as left:
                journal = left.journal{on_error}
            if feeds is not None:
                return calls.left(entry, [{names}], journal)
"""


def entrance(calls: Calls, entry: Entry | None, choices: Sequence[Choice]) -> Callable[..., Any]:
    """Return a function that runs calls of the kinds of `choices` plainly and those that the trace serves by it, and hands on the others."""
    names = ", ".join(f"value{place}" for place in range(len(calls.parameters)))
    namespace: dict[str, Any] = {
        "calls": calls,
        "plain": calls.function
        if calls.positional and not calls.counts
        else lambda *values: calls.original(values),
        "heeded": heeded,
        "state_of": state_of,
        "is_watched": is_watched,
        "Deoptimise": Deoptimise,
        "NotAssumed": NotAssumed,
        "ndarray": np.ndarray,
        "clock": perf_counter_ns,
        "running": calls.running,
        "nested": NESTED,
        "often": direct.OFTEN,
    }
    text = f"def enter({names}):\n"
    for number, (test, choice) in enumerate(tests(choices, namespace)):
        namespace |= {f"choice{number}": choice, f"limit{number}": choice.limit}
        text += (_PLAIN if choice.tells else _TIMED).format(test=test, names=names, number=number)
    if entry is not None:
        entry.is_often = entry.hits >= direct.OFTEN
        namespace |= {"entry": entry, "match": entry.match, "run": entry.run}
        heeds = ">= 0" if entry.heeds is None else f"== {entry.heeds}"
        # Of what NumPy is to warn is asked when it was told anew.
        namespace["usual"] = state_of() if heeded() >= 0 and entry.obeys(heeded()) else _NOTHING
        watched = " and not is_watched()" * calls.watches_late
        sizes = _sizes(calls.parameters, entry) if entry.least else []
        large = f" and {' + '.join(sizes)} >= {entry.least}" if sizes else ""
        text += _STRAIGHT.format(
            names=names, heeds=heeds, watched=watched, large=large, on_error=calls.on_error
        )
    exec(_code(f"{text}    return calls({names})\n"), namespace)
    made: Callable[..., Any] = namespace["enter"]
    return made


def _sizes(parameters: Sequence[str], entry: Entry) -> list[str]:
    """Return Python for the sizes of the arguments that are surely arrays or integers, where the trace serves the call."""
    texts = []
    for guard in entry.trace.guards:
        if guard.path.kind == "argument" and guard.path.key in parameters:
            value = f"value{parameters.index(guard.path.key)}"
            if guard.kind == "array":
                texts.append(f"{value}.size")
            elif guard.kind == "type" and guard.expected is int:
                texts.append(f"abs({value})")
    return texts


@functools.lru_cache
def _code(text: str) -> types.CodeType:
    return compile(text, "<transpile>", "exec")
