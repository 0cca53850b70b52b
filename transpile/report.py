"""Says what is compiled, and what runs as plain Python and why."""

from __future__ import annotations

import linecache
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from transpile.runtime.errors import FallbackWarning, TranspileError
from transpile.runtime.positions import describe, shown
from transpile.runtime.trace.guard import Guard
from transpile.runtime.trace.path import Path

from .kinds import kinds_of

if TYPE_CHECKING:
    from .calls import Calls
    from .choice import Choice
    from .entry import Entry
    from .fallback import Fallback
    from .units import Unit

# How much of what a trace asks of the arguments is shown.
_SHOWN = 20

# Where it was said that something runs as plain Python; each place is told once.
_said: set[tuple[Any, ...]] = set()


def warn_of_fallback(calls: Fallback, error: TranspileError) -> None:
    """Warn that a function, or a piece of one, runs as plain Python, once for each function and place of the reason."""
    code = calls.function.__code__
    site = (code.co_filename, code.co_qualname, error.code, error.location[-1:])
    if site in _said:
        return
    _said.add(site)
    loops = ", but for loops in it" if calls.parts is not None and calls.parts.units else ""
    text = f"{calls.title} runs as plain Python{loops}: {error}"
    warnings.warn_explicit(
        text, FallbackWarning, code.co_filename, code.co_firstlineno, calls.function.__module__
    )


def explain(calls: Calls, values: Sequence[Any] | None = None) -> str:
    """Return a report of the calls of a function; of the trace that serves `values` only, where they are given."""
    return "\n".join(_lines(calls, values))


def _lines(calls: Calls, values: Sequence[Any] | None) -> Iterator[str]:
    code = calls.function.__code__
    yield f"{calls.title}  ({shown(code.co_filename)}:{code.co_firstlineno})"
    yield from _served(calls, values)
    if calls.parts is not None:
        for unit in calls.parts.units:
            yield from _unit(unit)


def _unit(unit: Unit) -> Iterator[str]:
    """Yield what became of a piece of a function."""
    source = linecache.getline(unit.function.__code__.co_filename, unit.piece.first_line).strip()
    yield f"  {unit.title} {source}"
    yield from ("  " + line for line in _served(unit, None))
    if not unit.link.live:
        yield f"    given up: {unit.broken.message}" if unit.broken is not None else "    given up"


def _served(calls: Calls, values: Sequence[Any] | None) -> Iterator[str]:
    """Yield what traces serve calls, and why none serves others."""
    entries = [e for e in calls.entries if values is None or e.match(*values) is not None]
    failures = calls.failures
    if values is not None:
        kinds = kinds_of(values)
        failures = {kinds: failures[kinds]} if kinds in failures else {}
    for entry in entries:
        yield from _entry(calls, entry)
    for kinds, error in failures.items():
        yield f"  {signature(calls.parameters, kinds) or 'all calls'}"
        yield from ("    " + line for line in f"runs as plain Python: {error}".splitlines())
    choices = [] if calls.choices is None else calls.choices.plain
    if values is not None and calls.choices is not None:
        choices = [choice for choice in choices if choice is calls.choices.of(values)]
    for choice in choices:
        yield f"  {_asked(calls.parameters, choice)}"
        yield f"    left to plain Python: {choice.why}"
    if calls.broken is not None and values is None:
        yield "  all other calls run as plain Python"
    postponed = calls.postponed if values is None else ""
    if postponed:
        yield f"  other calls run as plain Python: {postponed}"
    if not entries and not failures and not choices and not postponed:
        yield "  not called yet"


def _entry(calls: Calls, entry: Entry) -> Iterator[str]:
    asked = list(_guards(entry.trace.guards))
    more = f", and {len(asked) - _SHOWN} more" if len(asked) > _SHOWN else ""
    yield f"  {', '.join(asked[:_SHOWN])}{more}"
    yield f"    compiled whole for {calls.device}, in {entry.seconds:.2f} s; ran {entry.hits} {_times(entry.hits)}"
    if entry.deoptimised:
        yield f"    left to plain Python {entry.deoptimised} {_times(entry.deoptimised)}, where something assumed did not hold"
    for location in entry.copies:
        yield "    copies an array that is written while its old contents are still needed:"
        yield from ("    " + line for line in describe(location).splitlines())


def _asked(parameters: Sequence[str], choice: Choice) -> str:
    """Return what a choice is about: kinds of arguments as annotations, and the size of all together."""
    kinds = [(np.ndarray, *kind) if type(kind) is tuple else kind for kind in choice.kinds]
    return f"{signature(parameters, kinds) or 'all calls'}, of size {choice.least} to {choice.beyond - 1}"


def _times(count: int) -> str:
    return "time" if count == 1 else "times"


def _guards(guards: Sequence[Guard]) -> Iterator[str]:
    """Yield what a trace asks of the arguments themselves, as annotations."""
    for guard in guards:
        name, expected = str(guard.path), guard.expected
        if _root(guard.path).kind != "argument":
            continue
        if guard.kind == "array":
            dims = ", ".join("1" if one else ":" for one in expected.ones)
            yield f"{name}: {expected.dtype}[{dims}]"
        elif guard.kind == "type":
            yield f"{name}: {expected.__name__}"
        elif guard.kind == "equals":
            yield f"{name} = {expected!r}"
        elif guard.kind == "dim":
            yield f"{name}.shape[{expected[0]}] = {expected[1]}"
        elif guard.kind == "same":
            yield f"{name} is {expected}"


def _root(path: Path) -> Path:
    while path.base is not None:
        path = path.base
    return path


def signature(parameters: Sequence[str], kinds: Sequence[Any]) -> str:
    """Return the kinds of arguments as annotations; nothing where they are those of no values."""
    if kinds == kinds_of(()):
        return ""
    return ", ".join(
        f"{name}: {kind[1]}[{', '.join(':' * kind[2])}]"
        if isinstance(kind, tuple)
        else f"{name}: {kind.__name__}"
        for name, kind in zip(parameters, kinds)
    )
