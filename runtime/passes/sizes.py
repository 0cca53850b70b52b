"""Has a graph know the sizes that tracing found to be certain numbers.

Before:
    graph turned:
        a0: int = shape(a, 0)
        a1: int = shape(a, 1)
        a: float64[a0, a1] = array('a')
        assume a1 == 3
        t0: float64[a0, a1] = negative(a)
        return t0, a1
After:
    graph turned:
        a0: int = shape(a, 0)
        a1: int = shape(a, 1)
        a: float64[a0, 3] = array('a')
        assume a1 == 3
        a1_1: int = 3
        t0: float64[a0, 3] = negative(a)
        return t0, a1_1

The assumption is often made late, where a function asks for three columns; with what stands before it, loops over them become short, and are written out.
"""

from __future__ import annotations

from transpile.runtime.graph.dim import Dim, DimLike, substitute
from transpile.runtime.graph.ir import Graph, Value
from transpile.runtime.graph.types import INT

from .know import Knower


def know_sizes(graph: Graph) -> Graph:
    """Replace integers of a graph by the numbers that it assumes them to be, in place, and return it."""
    numbers = _numbers(graph)
    # An axis of length 1 would seem to be one that broadcasts, which is settled when the graph is recorded.
    numbers = {value: number for value, number in numbers.items() if number > 1}
    if numbers:
        knower = Knower(graph)
        for value, number in numbers.items():
            knower.know(value, number)
        knower.run()
    return graph


def _numbers(graph: Graph) -> dict[Value, int]:
    """Return the arguments that are assumed to be numbers, and these."""
    numbers: dict[Value, int] = {}

    def known(value: Value) -> DimLike:
        return numbers.get(value, Dim.of_value(value))

    while True:
        before = len(numbers)
        for value, dim in graph.equalities:
            number = substitute(dim, known)
            if isinstance(number, int) and value.type == INT and value.owner is graph.block:
                numbers[value] = number
        if len(numbers) == before:
            return numbers
