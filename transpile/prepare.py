"""What becomes of a trace before a device takes it."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping, Set
from types import MappingProxyType
from typing import Any

from transpile.runtime.ops.floating_errors import heeded
from transpile.runtime.passes import keep_errors, optimise, warns, watch
from transpile.runtime.trace.tracer import Trace

from .known import Global, know_globals
from .options import OPTIONS


def prepare(
    found: Trace,
    device: str,
    accuracy: str,
    parallel: bool,
    watched: bool,
    changing: Set[Global] = frozenset(),
    defaults: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Have the graph of a trace say how it is to be computed and what is to be told of floating-point errors, and optimise it; numbers of globals are known, but for those that are `changing`, and `defaults`, which the call was not given."""
    graph = found.graph
    know_globals(found, changing, defaults)
    graph.accuracy = accuracy
    graph.parallel = parallel and OPTIONS.parallel
    if warns(graph, found.reporters):
        found.told = max(heeded(), 0)
        # Within the call it may be told to warn of more.
        graph.heeds = functools.reduce(operator.or_, found.heeds.values(), found.told)
        if device == "host":
            keep_errors(graph, found.reporters)
        else:
            watch(graph, found.reporters, found.heeds, found.told, watched)
    optimise(graph)
