"""Integers of which only the low bits matter: they may leave 64 bits without anybody knowing."""

from __future__ import annotations

from transpile.runtime.graph.ir import Graph, Op, Value
from transpile.runtime.graph.types import INT

from .uses import users, values_in_dims

# Note [Low bits]
# Of `(a * x + c) & 0xFFFFFFFF` and `(a * x + c) % 2**32` the low bits alone are seen. Those of sums, products and shifts to the left depend on the low bits of what they are made of and
# on nothing else, in Python's integers as in 64 bits that wrap around. So what leads to nothing else needs no check, and no plain Python where it leaves 64 bits.

# Ops whose low bits are made of the low bits of their operands.
_RINGS = frozenset(
    ("add", "subtract", "multiply", "negative", "bitwise_and", "bitwise_or", "bitwise_xor", "invert")
)
# Those of them that may leave 64 bits where their operands do not.
_WRAPPING = frozenset(("add", "subtract", "multiply", "negative"))


class LowBits:
    """The integers of a graph of which only the low bits matter."""

    def __init__(self, graph: Graph) -> None:
        self._uses = users(graph)
        self._kept = values_in_dims(graph)
        for block in (graph.block, *(region for op in graph.block.walk() for region in op.regions)):
            self._kept.update(block.results or ())
        # Those of which only the low bits are ever seen. What uses a value comes after it, and is looked at first.
        self._enough: set[Value] = set()
        for op in reversed([*graph.block.walk()]):
            self._enough.update(filter(self._suffice, op.results))

    def wraps(self, op: Op) -> bool:
        """Whether an op may be computed in 64 bits that wrap around."""
        return (op.name in _WRAPPING or _shifts(op)) and op.result in self._enough

    def _suffice(self, value: Value) -> bool:
        """Whether nothing but the low bits of a Python integer is ever seen."""
        uses = self._uses.get(value, ())
        return bool(uses) and value not in self._kept and all(self._cuts(op, place) for op, place in uses)

    def _cuts(self, op: Op, place: int) -> bool:
        """Whether of an operand nothing but the low bits is seen in what an op gives, or in what becomes of that."""
        if not op.results or op.results[0].type != INT:
            return False
        if op.name == "bitwise_and" and _known(op.operands[1 - place]) >= 0:
            return True
        if op.name == "remainder":
            divisor = _known(op.operands[1])
            return place == 0 and divisor > 0 and divisor & (divisor - 1) == 0
        return (op.name in _RINGS or (place == 0 and _shifts(op))) and op.result in self._enough


def _shifts(op: Op) -> bool:
    """Whether an op is a shift to the left that cannot fail."""
    return op.name == "left_shift" and _known(op.operands[1]) >= 0


def _known(value: Value) -> int:
    """Return an integer that is known, -1 for others."""
    op = value.op
    known = op is not None and op.name == "constant" and value.type == INT
    return int(op.attributes["value"]) if known and op is not None else -1
