"""What of a graph can be seen from outside, besides its results."""

from __future__ import annotations

from transpile.runtime.graph.ir import Graph

from .table import TABLE

# Ops with an effect that is no more than to leave the function.
_LEAVES = frozenset(("deoptimise_if", "heed", "raise", "raise_if"))


def is_visible(graph: Graph) -> bool:
    """Whether a graph does something that can be seen from outside, besides giving its results."""
    return bool(graph.written) or any(
        TABLE[op.name].effect and op.name not in _LEAVES for op in graph.block.walk()
    )
