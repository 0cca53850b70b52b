"""Passes: each takes a graph and returns it improved, with the same results and effects."""

from __future__ import annotations

import os
from collections.abc import Callable

from transpile.runtime.graph.ir import Graph
from transpile.runtime.graph.parse import parse_graph
from transpile.runtime.graph.verify import verify
from transpile.runtime.ops.table import TABLE
from transpile.runtime.views.view import View

from .cse import merge_equal_ops
from .dce import remove_dead_ops
from .final import mark_final
from .fold import fold_constants
from .hoist import hoist_invariants
from .know import know_numbers
from .reuse import store_over
from .simplify import simplify
from .sizes import know_sizes
from .watch import keep_errors, warns, watch

# The passes in their order.
PIPELINE: tuple[Callable[[Graph], Graph], ...] = (
    # The recorder leaves much that nobody uses: first, because every other pass then has less to read.
    remove_dead_ops,
    # Before all that asks of dims whether they are numbers.
    know_sizes,
    # Laws ask for constants, and for values to be the same: so folding and merging go before them.
    fold_constants,
    merge_equal_ops,
    simplify,
    # A branch that was taken, or a value that is now captured, leaves constants and equal ops where there were none.
    fold_constants,
    merge_equal_ops,
    simplify,
    # After merging, which finds the first of equal ops in its own region: of two equal ones it is enough to move one.
    hoist_invariants,
    # What stood in two loops now stands twice in front of them.
    merge_equal_ops,
    # Because all of them leave ops behind whose results they have replaced.
    remove_dead_ops,
    # When nothing is taken for something else any more: what is computed is not what is stored.
    store_over,
    # Last, when nothing is moved any more.
    mark_final,
)

# Set in the environment, the graph is verified after every pass.
VERIFY = "TRANSPILE_VERIFY"


def optimise(graph: Graph, *, check: bool | None = None) -> Graph:
    """Run all passes on a graph, in place, and return it; with `check`, or as the environment says, verify it after each."""
    check = bool(os.environ.get(VERIFY)) if check is None else check
    if check:
        verify(graph, TABLE)
    for run in PIPELINE:
        graph = run(graph)
        if check:
            verify(graph, TABLE)
    return graph


def parsed(text: str, functions: dict[str, Callable[..., object]] | None = None) -> Graph:
    """Return the graph of a text, verified."""
    graph = parse_graph(text, View, functions)
    verify(graph, TABLE)
    return graph


__all__ = [
    "PIPELINE",
    "fold_constants",
    "hoist_invariants",
    "keep_errors",
    "know_numbers",
    "know_sizes",
    "mark_final",
    "merge_equal_ops",
    "optimise",
    "parsed",
    "remove_dead_ops",
    "simplify",
    "store_over",
    "warns",
    "watch",
]
