"""Traces, compiled: how they serve calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

from transpile.runtime.cache.match import match_function
from transpile.runtime.errors import StagingError
from transpile.runtime.ops.handles import holding
from transpile.runtime.ops.journal import recording
from transpile.runtime.ops.scalars import CannotDeoptimise
from transpile.runtime.ops.visible import is_visible
from transpile.runtime.positions import Location
from transpile.runtime.trace.path import Path
from transpile.runtime.trace.tracer import Trace

from .outputs import builder, ending, given_paths, storing


class Run(NamedTuple):
    """What runs a trace; whether the original may have to run a call anew after effects; where arrays are copied; how many calls were flagged."""

    run: Callable[..., Any]
    noted: bool
    copies: Sequence[Location] = ()
    flagged: Callable[[], int] = lambda: 0
    kernel: Any = None


@dataclass(eq=False, repr=False)
class Entry:
    """A trace, compiled; known by what it is: `match` gives what to feed `run` where it serves a call."""

    match: Callable[..., tuple[Any, ...] | None]
    run: Callable[..., Any]
    trace: Trace
    # Whether it does something that can be seen before it ends.
    visible: bool = True
    copies: Sequence[Location] = ()
    seconds: float = 0.0
    # The floating-point errors that NumPy is told to warn of where it serves calls; None where that does not matter.
    heeds: int | None = None
    # How many calls have met some, of which the processor's flags do not tell where.
    flagged: Callable[[], int] = lambda: 0
    # Whether the original may have to run a call anew after something was done that can be seen.
    noted: bool = False
    # The least there has to be to do for calls to go straight to it; None where that is not known yet.
    least: int | None = None
    # Calls served by Python; and what serves others by machine code.
    served: int = 0
    direct: Any = None
    # Whether it was seen that it is often asked for.
    is_often: bool = False
    deoptimised: int = 0
    # What makes results of those of the kernel, where there is no more to a call than these two.
    kernel: Any = None
    build: Callable[..., Any] | None = None
    # Where the things are that are handed to this, besides the results.
    given: Sequence[Path] = ()

    @property
    def hits(self) -> int:
        """How many calls it has served."""
        return self.served + (self.direct.hits if self.direct else 0)

    def obeys(self, heeds: int) -> bool:
        """Whether it serves calls where NumPy is told to warn of these errors."""
        return self.heeds is None or self.heeds == heeds


def executable(found: Trace, device: str) -> Run:
    """Return what runs a trace on a device."""
    try:
        if device == "host":
            from transpile.devices.host.interpreter import Interpreter
            from transpile.devices.host.late import note_effects

            noted = note_effects(found.graph)
            interpreter = Interpreter(found.graph)
            return Run(lambda *values: interpreter.run(values), noted)
        from transpile.devices.cpu.executable import Executable

        kernel = Executable(found.graph)
        flagged = lambda: kernel.flagged  # noqa: E731
        return Run(kernel.run, kernel.program.noted, kernel.program.copies, flagged, kernel)
    except CannotDeoptimise as error:
        raise StagingError(
            "S260-too-late",
            f"what may have to be left to plain Python comes after what cannot be done anew: {error}",
            location=error.op.location,
        ) from None
    except SyntaxError as error:
        # What a graph becomes is Python, of which the compiler takes so many levels and no more.
        raise StagingError(
            "S269-too-deep", f"control flow is nested deeper than Python can compile: {error.msg}"
        ) from None


def compiled(found: Trace, parameters: Sequence[str], device: str) -> Entry:
    """Compile a trace of a function of these parameters."""
    start = perf_counter()
    execute, noted, copies, flagged, kernel = executable(found, device)
    inputs = [i for i in found.graph.inputs if i.source != "dim"]
    feeds = [i.path for i in inputs]
    described = (found.output, *(store.value for store in found.stores))
    given = [store.path for store in found.stores]
    given += [path for part in described for path in given_paths(part) if path not in given]
    build = storing(found, given) if found.stores else builder(found.output, given)
    count = len(feeds)

    def run_alone(*values: Any) -> Any:
        return build(execute(*values), ())

    def run_with_given(*values: Any) -> Any:
        return build(execute(*values[:count]), values[count:])

    run = first = run_with_given if given else run_alone
    if found.ends:
        run = ending(run, found.ends)
    if found.holds:
        run = holding(run, [i.held for i in inputs])
    if noted:
        run = recording(run)
    match = match_function(parameters, found.guards, [*feeds, *given])
    entry = Entry(match, run, found, is_visible(found.graph), copies, 0.0, found.told, flagged, noted)
    if run is first:
        entry.kernel, entry.build, entry.given = kernel, build, given
    entry.seconds = perf_counter() - start
    return entry
