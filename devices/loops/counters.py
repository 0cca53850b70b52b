"""Counters: integers that only ever change by small steps, and so never leave 64 bits."""

from __future__ import annotations

from transpile.runtime.graph.ir import Graph, Op, Value
from transpile.runtime.graph.types import INT64, ScalarType, element

from .memory import carried_of

# Note [Counters]
# A number that begins within 2**60 and is changed by at most 2**12 at a time leaves 64 bits after 2**50 changes, for which
# the fastest of loops would run for weeks.
_BEGIN = 2**60
_STEP = 2**12


class Counters:
    """What the integers of a graph are made of, through branches and loops."""

    def __init__(self, graph: Graph) -> None:
        self._sizes = {
            argument
            for argument, input_ in zip(graph.block.arguments, graph.inputs, strict=True)
            if input_.source == "dim"
        }
        self._sources: dict[Value, tuple[Value, ...]] = {}
        for op in graph.block.walk():
            if op.name == "cond":
                ways = [region.results for region in op.regions if region.results is not None]
                for result in op.results:
                    self._sources[result] = tuple(way[result.index] for way in ways)
            elif op.regions:
                self._loop(op)

    def _loop(self, op: Op) -> None:
        carried, arguments = carried_of(op)
        after = op.regions[-1].results or tuple(arguments)
        ends = op.regions[0].results[1:] if op.name == "while_loop" and op.regions[0].results else ()
        for place, (argument, result) in enumerate(zip(arguments, op.results, strict=True)):
            self._sources[argument] = (carried[place], after[place])
            self._sources[result] = (argument, after[place], *ends[place : place + 1])
        if op.name == "for_loop":
            # The position begins at the start, and is there as many steps later as turns were made.
            start, _, step = op.operands[:3]
            if _constant(step, _STEP):
                self._sources[op.regions[0].arguments[0]] = (start,)

    def counts(self, value: Value) -> bool:
        """Whether a number is a counter."""
        stack, seen = [value], {value}
        while stack:
            parts = self._parts(stack.pop())
            if parts is None:
                return False
            new = set(parts) - seen
            seen |= new
            stack += new
        return True

    def _parts(self, value: Value) -> tuple[Value, ...] | None:
        """Return the numbers that one is made of, but for small steps; None where it is made otherwise."""
        if value in self._sources:
            return self._sources[value]
        if value in self._sizes or _constant(value, _BEGIN) or _small(value, 4):
            return ()
        op = value.op
        if op is None:
            return None
        if op.name == "select":
            return op.operands[1:]
        if op.name == "cast" and op.operands[0].type == ScalarType(INT64, True):
            return op.operands
        if op.name in ("add", "subtract"):
            one, other = op.operands
            if _constant(other, _STEP) or _small(other, 1):
                return (one,)
            if _constant(one, _STEP) or _small(one, 1):
                return (other,)
        return None


def _constant(value: Value, limit: int) -> bool:
    """Whether a number is known, and not large."""
    op = value.op
    return op is not None and op.name == "constant" and abs(int(op.attributes["value"])) <= limit


def _small(value: Value, size: int) -> bool:
    """Whether a number comes from an integer of few bytes, or from a truth value."""
    op = value.op
    if op is None or op.name != "cast":
        return False
    dtype = element(op.operands[0].type)
    return dtype.kind in "biu" and dtype.itemsize <= size
