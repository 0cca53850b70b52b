"""Multiples of one integer, with numbers added: they stay within 64 bits as long as that integer lies between two numbers that are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from transpile.runtime.graph.dim import Dim
from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.sums import dim_of
from transpile.runtime.graph.types import INT

# Note [Multiples]
# Both steps of `3 * n + 1` may leave 64 bits. Neither does where n lies between two numbers: one test of n, which need not wait for the product, and LLVM takes product and sum for
# what they are, one instruction often. Both have to fit, also where a sum would bring back what has left 64 bits.

_LEAST, _MOST = -(2**63), 2**63 - 1


class Within(NamedTuple):
    """An integer, between which numbers it has to lie, both inclusive, and the numbers that fit into 64 bits then."""

    value: Value
    least: int
    most: int
    fitting: tuple[Value, ...]


class Multiples:
    """The multiples among the Python integers of a graph, given its uses of each value."""

    def __init__(self, uses: Mapping[Value, Sequence[tuple[Op, int]]]) -> None:
        self._uses = uses

    def within(self, op: Op) -> Within | None:
        """Return where an integer has to lie for a multiple of it to fit into 64 bits, with what is added to that afterwards; None where an op gives something else."""
        if op.name != "multiply":
            return None
        least, most, value = _LEAST, _MOST, None
        fitting = []
        for step in self._steps(op):
            ends = _ends(step.result)
            if ends is None or value not in (None, ends[0]):
                break
            low, high = max(least, ends[1]), min(most, ends[2])
            if low > high:
                break
            value, least, most = ends[0], low, high
            fitting.append(step.result)
        return Within(value, least, most, tuple(fitting)) if value is not None else None

    def _steps(self, op: Op) -> Iterator[Op]:
        """Yield an op and those that add to what it gives, one after the other, where each is used by the next one alone."""
        while op.result.type == INT and sum(map(_is_known, op.operands)) == 1:
            yield op
            uses = self._uses.get(op.result, ())
            if len(uses) != 1:
                return
            ((user, _),) = uses
            if user.name not in ("add", "subtract") or user.block is not op.block:
                return
            op = user


def _ends(multiple: Value) -> tuple[Value, int, int] | None:
    """Return the integer that a number is a multiple of, and between which numbers that lies where it fits into 64 bits."""
    dim = dim_of(multiple)
    values = set(dim.values()) if isinstance(dim, Dim) else set()
    if len(values) != 1:
        return None
    assert isinstance(dim, Dim)
    (value,) = values
    factor = dim.coefficient(value)
    if not isinstance(factor, int):
        return None
    rest = dim - factor * Dim.of_value(value)
    assert isinstance(rest, int)
    low, high = (_LEAST - rest, _MOST - rest) if factor > 0 else (_MOST - rest, _LEAST - rest)
    return value, -(-low // factor), high // factor


def _is_known(value: Value) -> bool:
    return value.op is not None and value.op.name == "constant"
