"""Passes: each takes a graph and returns it improved, with the same results and effects."""

from transpile.runtime.graph.ir import Graph

from .dce import remove_dead_ops


def optimise(graph: Graph) -> Graph:
    """Run all passes."""
    return remove_dead_ops(graph)
