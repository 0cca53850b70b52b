"""From a graph to a program: the scheduler with all that it can lower."""

from __future__ import annotations

from transpile.runtime.graph.ir import Graph

from . import lower_arrays, lower_control, lower_effects, lower_reductions, lower_updates
from .scheduler import Scheduler
from .statement import Program

__all__ = [
    "lower_arrays",
    "lower_control",
    "lower_effects",
    "lower_reductions",
    "lower_updates",
    "schedule",
]


def schedule(graph: Graph) -> Program:
    """Schedule a graph.

    Raises CannotDeoptimise where the original would have to take over after an effect that cannot be undone.
    """
    return Scheduler(graph).run()
