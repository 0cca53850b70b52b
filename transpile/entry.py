"""Traces, compiled: how they serve calls."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from transpile.runtime.errors import StagingError
from transpile.runtime.graph.ir import Graph
from transpile.runtime.ops.floating_errors import heeded
from transpile.runtime.ops.scalars import CannotDeoptimise, Deoptimise, NotAssumed
from transpile.runtime.ops.table import TABLE
from transpile.runtime.positions import Location
from transpile.runtime.trace.tracer import Trace

from .frames import is_watched

if TYPE_CHECKING:
    from .calls import Calls

# How a call goes straight to a trace. Nothing is run in a handler: what is raised there has nothing to do with what was.
_ENTRANCE = """
def enter({names}):
    if heeded() {heeds} and not is_watched():
        feeds = match({names})
        if feeds is not None:
            try:
                result = run(*feeds)
                entry.hits += 1
                calls.hits += 1
                return result
            except NotAssumed:
                feeds = None
            except Deoptimise:
                pass{on_error}
            if feeds is not None:
                return calls.left(entry, [{names}])
    return calls({names})
"""

# Ops with an effect that is no more than to leave the function.
_LEAVES = frozenset(("deoptimise_if", "raise", "raise_if"))


@dataclass
class Entry:
    """A trace, compiled: `match` gives what to feed `run` where it serves a call."""

    match: Callable[..., tuple[Any, ...] | None]
    run: Callable[..., Any]
    trace: Trace
    # Whether it does something that can be seen before it ends.
    visible: bool = True
    copies: list[Location] = field(default_factory=list)
    seconds: float = 0.0
    # The floating-point errors that NumPy is told to warn of where it serves calls; None where that does not matter.
    heeds: int | None = None
    hits: int = 0
    deoptimised: int = 0

    def obeys(self, heeds: int) -> bool:
        """Whether it serves calls where NumPy is told to warn of these errors."""
        return self.heeds is None or self.heeds == heeds


def entrance(calls: Calls, entry: Entry) -> Callable[..., Any]:
    """Return a function that runs the trace where it serves the call, and else hands the call on."""
    names = ", ".join(f"value{place}" for place in range(len(calls.parameters)))
    namespace: dict[str, Any] = {
        "calls": calls,
        "entry": entry,
        "match": entry.match,
        "run": entry.run,
        "heeded": heeded,
        "is_watched": is_watched,
        "Deoptimise": Deoptimise,
        "NotAssumed": NotAssumed,
    }
    exec(_entrance_code(names, calls.on_error, entry.heeds), namespace)
    made: Callable[..., Any] = namespace["enter"]
    return made


@functools.lru_cache
def _entrance_code(names: str, on_error: str, heeds: int | None) -> types.CodeType:
    test = ">= 0" if heeds is None else f"== {heeds}"
    return compile(_ENTRANCE.format(names=names, on_error=on_error, heeds=test), "<transpile>", "exec")


def is_visible(graph: Graph) -> bool:
    """Whether a graph does something that can be seen from outside, besides giving its results."""
    return bool(graph.written) or any(
        TABLE[op.name].effect and op.name not in _LEAVES for op in graph.block.walk()
    )


def executable(found: Trace, device: str) -> Callable[..., Any]:
    """Return what runs a trace on a device."""
    try:
        if device == "host":
            from transpile.devices.host.interpreter import Interpreter
            from transpile.devices.host.late import refuse_late

            refuse_late(found.graph)
            interpreter = Interpreter(found.graph)
            return lambda *values: interpreter.run(values)
        from transpile.devices.cpu.executable import Executable

        return Executable(found.graph)
    except CannotDeoptimise as error:
        raise StagingError(
            "S260-too-late",
            f"what may have to be left to plain Python comes after a visible effect: {error}",
            location=error.op.location,
        ) from None
    except SyntaxError as error:
        # What a graph becomes is Python, of which the compiler takes so many levels and no more.
        raise StagingError(
            "S269-too-deep", f"control flow is nested deeper than Python can compile: {error.msg}"
        ) from None
