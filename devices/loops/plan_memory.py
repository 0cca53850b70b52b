"""Decides what is computed where it is used, what is stored, and what is copied before it is written."""

from transpile.runtime.graph.ir import Graph

from .conflicts import Conflicts
from .lazy import decide_lazy
from .memory import Memory


def plan_memory(graph: Graph) -> Memory:
    """Return the memory of a graph's arrays."""
    memory = Memory(graph)
    memory.find_roots()
    decide_lazy(memory, graph.block)
    memory.decided = True
    known = -1
    # What is copied has memory of its own, and may be in the way of other updates.
    while known != len(memory.copied) + len(memory.copied_initial):
        known = len(memory.copied) + len(memory.copied_initial)
        memory.find_roots()
        Conflicts(memory).check()
    return memory
