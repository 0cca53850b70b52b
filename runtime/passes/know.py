"""Has a graph know numbers that it is given, where others are divided by them again and again, or raised to a power.

Before:
    graph rest:
        n: int = scalar('n')
        m: int = scalar('m')
        t0: int = 0
        t1: int = 1
        s: int = for i in range(t0, n, t1) with r = t0:
            t2: int = remainder(i, m)
            yield t2
        return s, m
After:
    graph rest:
        n: int = scalar('n')
        m: int = scalar('m')
        m_1: int = 7
        t0: int = 0
        t1: int = 1
        s: int = for i in range(t0, n, t1) with r = t0:
            t2: int = remainder(i, m_1)
            yield t2
        return s, m_1

Given that m is 7. Division by a number that is known takes no division. It is for who asks to see to it that the graph is given no others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from transpile.runtime.graph.ir import Graph, Op, Value

from .rewriter import Rewriter

# By place, the operands of ops that are worth knowing.
_WANTED = {"remainder": (1,), "floor_divide": (1,), "power": (0, 1)}


def know_numbers(graph: Graph, numbers: Mapping[Value, Any]) -> set[Value]:
    """Replace arguments of a graph by numbers, in place, where that spares much; return which."""
    knower = Knower(graph)
    known = {value for op in graph.block.walk() for value in _wanted(op, graph) if value in numbers}
    # In a dim, a size would become a number.
    known -= knower.sizes
    if known:
        for value in graph.block.arguments:
            if value in known:
                knower.know(value, numbers[value])
        knower.run()
    return known


def _wanted(op: Op, graph: Graph) -> Iterator[Value]:
    """Yield the operands that an op, which comes again and again, had better know."""
    if op.block is graph.block and not op.result_is_array():
        return
    for place in _WANTED.get(op.name.removeprefix("scalar_"), ()):
        value = op.operands[place]
        while value.op is not None and value.op.name == "cast":
            (value,) = value.op.operands
        yield value


class Knower(Rewriter):
    """Replaces arguments of a graph by numbers."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self._constants: list[Op] = []

    def know(self, value: Value, number: Any) -> None:
        """Have a constant stand for an argument."""
        op = Op("constant", (), (value.type,), {"value": number, "type": value.type}, (), ())
        op.result.name = value.name
        op.block = self.graph.block
        self._constants.append(op)
        self.replace(value, op.result)

    def run(self) -> Graph:
        """Rewrite the graph, in place, and return it."""
        self._update_types(self.graph.block.arguments)
        super().run()
        self.graph.block.ops[:0] = self._constants
        return self.graph
