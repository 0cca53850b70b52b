"""Numbers that globals hold, and those that nobody gave, are known to a trace where that spares much: as long as they stay what they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from types import FunctionType
from typing import Any

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


def defaults_in(function: FunctionType, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call that are defaults of its function: most likely, nobody gave them."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    last = function.__defaults__ or ()
    defaults = dict(zip(names[len(names) - len(last) :], last, strict=True)) | (function.__kwdefaults__ or {})
    return {name: value for name, value in defaults.items() if name in arguments and arguments[name] is value}


def know_globals(found: Trace, others: Set[Global], defaults: Mapping[str, Any]) -> None:
    """Have the graph of a trace know the numbers of globals, but for `others`, and `defaults`, where that spares much, and the trace serve calls alone where they are these."""
    graph = found.graph
    given = {}
    for argument, item in zip(graph.block.arguments, graph.inputs, strict=True):
        path = item.path
        if item.source != "scalar" or item.held:
            continue
        if path.kind == "argument" and path.key in defaults:
            number = defaults[path.key]
        elif path.kind == "global" and _place(path) not in others:
            namespace, name = path.key
            number = namespace.get(name)
        else:
            continue
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
