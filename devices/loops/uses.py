"""Which values a graph uses, how often, and in which dims."""

from __future__ import annotations

from collections.abc import Iterator

from transpile.runtime.graph.dim import values_of
from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import dims_of

# Ops that one expression is made of, each an operand of the next: what goes through expressions goes no deeper into Python's stack.
DEEPEST = 64


def count_uses(block: Block) -> dict[Value, int]:
    """Return how often each value is used: once where the use alone is computed from it, more where it has to be kept."""
    uses: dict[Value, int] = {}

    def count(inner: Block) -> None:
        for op in inner.ops:
            for operand in op.operands:
                # An operand of an array op is used once for each element.
                uses[operand] = uses.get(operand, 0) + (2 if op.result_is_array() or op.regions else 1)
            for region in op.regions:
                count(region)
        for value in inner.results or ():
            uses[value] = uses.get(value, 0) + 2

    count(block)
    for op in block.walk():
        for region in op.regions:
            for inner in region.walk():
                for operand in inner.operands:
                    if operand.block is not inner.block:
                        uses[operand] = uses.get(operand, 0) + 1
    return uses


def users(graph: Graph) -> dict[Value, list[tuple[Op, int]]]:
    """Return the ops that use each value, each with the place of the operand."""
    found: dict[Value, list[tuple[Op, int]]] = {}
    for op in graph.block.walk():
        for place, operand in enumerate(op.operands):
            found.setdefault(operand, []).append((op, place))
    return found


def values_in_dims(graph: Graph) -> set[Value]:
    """Return the values that dims of the graph depend on."""
    found: set[Value] = set()
    for op in graph.block.walk():
        for dim in op.attribute_dims():
            found.update(values_of(dim))
        for result in op.results:
            for dim in dims_of(result.type):
                found.update(values_of(dim))
    return found


def all_values(block: Block) -> Iterator[Value]:
    """Yield the values of a block and those inside."""
    yield from block.arguments
    for op in block.ops:
        yield from op.results
        for region in op.regions:
            yield from all_values(region)
