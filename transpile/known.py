"""Numbers that globals hold are known to a trace where that spares much: as long as they stay what they are."""

from __future__ import annotations

from collections.abc import Iterable, Set

from transpile.runtime.graph.types import ScalarType
from transpile.runtime.passes import know_numbers
from transpile.runtime.trace.guard import Guard
from transpile.runtime.trace.path import Path
from transpile.runtime.trace.sameness import same_number
from transpile.runtime.trace.tracer import Trace

_NUMBERS = (int, float)

# A global, by the identity of the dictionary and its name.
Global = tuple[int, str]


def changing(traces: Iterable[Trace]) -> set[Global]:
    """Return the globals that hold other numbers than those that traces were made for: they may change again."""
    found = set()
    for trace in traces:
        for guard in trace.guards:
            path = guard.path
            if guard.kind == "equals" and path.kind == "global" and type(guard.expected) in _NUMBERS:
                namespace, name = path.key
                if not same_number(namespace.get(name), guard.expected):
                    found.add(_place(path))
    return found


def know_globals(found: Trace, others: Set[Global]) -> None:
    """Have the graph of a trace know the numbers of globals, but for `others`, where that spares much, and the trace serve calls alone where they are these."""
    graph = found.graph
    given = {}
    for argument, item in zip(graph.block.arguments, graph.inputs, strict=True):
        path = item.path
        if item.source != "scalar" or item.held or path.kind != "global" or _place(path) in others:
            continue
        namespace, name = path.key
        number = namespace.get(name)
        type_ = argument.type
        # It may be another one by now.
        is_it = isinstance(type_, ScalarType) and type_.weak and type(number) is type_.python
        if is_it and type(number) in _NUMBERS and (type(number) is float or -(2**63) <= number < 2**63):
            given[argument] = path, number
    known = know_numbers(graph, {argument: number for argument, (_, number) in given.items()})
    found.guards += [
        Guard(path, "equals", number) for argument, (path, number) in given.items() if argument in known
    ]


def _place(path: Path) -> Global:
    namespace, name = path.key
    return id(namespace), name
