"""Removes ops whose results nobody uses.

Before:
    t0: int = add(n, m)
    s: f64 = load(x)[0]
    return s
After:
    s: f64 = load(x)[0]
    return s

Ops with an effect stay: those that call Python, leave the function, or write to an argument.
"""

from __future__ import annotations

from transpile.runtime.graph.dim import values_of
from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import dims_of
from transpile.runtime.ops.table import TABLE


def has_effect(op: Op) -> bool:
    """Whether an op must stay whatever becomes of its results."""
    definition = TABLE[op.name]
    if definition.effect or (definition.fails and not definition.view_of):
        return True
    if TABLE[op.name].writes is not None and op.attributes["input"] is not None:
        return True
    if op.name == "while_loop":
        return True
    return any(has_effect(inner) for region in op.regions for inner in region.walk()) or any(
        region.results is None for region in op.regions
    )


def remove_dead_ops(graph: Graph) -> Graph:
    """Remove dead ops from a graph, in place, and return it."""
    used: set[Value] = set()
    for value in graph.block.results or ():
        _use(value, used)
    for dim in (*graph.assumptions, *(d for _, d in graph.equalities)):
        used.update(values_of(dim))
    _sweep(graph.block, used)
    return graph


def _use(value: Value, used: set[Value]) -> None:
    used.add(value)
    for dim in dims_of(value.type):
        used.update(values_of(dim))


def _sweep(block: Block, used: set[Value]) -> None:
    kept: list[Op] = []
    for op in reversed(block.ops):
        if not has_effect(op) and used.isdisjoint(op.results):
            continue
        kept.append(op)
        for region in op.regions:
            for value in region.results or ():
                _use(value, used)
        for region in reversed(op.regions):
            _sweep(region, used)
        for value in op.used_values():
            _use(value, used)
        for region in op.regions:
            for argument in region.arguments:
                for dim in dims_of(argument.type):
                    used.update(values_of(dim))
    block.ops[:] = reversed(kept)
