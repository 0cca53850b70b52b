"""Finds the ops whose floating-point errors show in a few numbers that are computed after them.

    for i in range(n):
        s = x[i]
        for k in range(m): s -= a[i, k] * y[k]
        x[i] = s / d

An error leaves an infinity or NaN, which goes on through differences, products and numerators: where `s / d` is finite, nothing has gone wrong in a turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from transpile.runtime.graph.ir import Block, Op, Value
from transpile.runtime.graph.types import ScalarType, element
from transpile.runtime.ops.table import TABLE

# What gives infinity or NaN where an operand is: any, or the one at a place.
_ANY = frozenset(("add", "subtract", "multiply", "negative", "absolute", "square", "sqrt", "cast"))

_WORK = frozenset(("reduce", "matmul", "dot"))
# The place of what is both choices of a selection.
_BOTH = -1


@dataclass(frozen=True)
class Run:
    """Ops one after the other, which do nothing but compute numbers; where all of `numbers`, which some of them give, are finite, none has met an error."""

    ops: Sequence[Op]
    numbers: Sequence[Value]


class Shown:
    """Finds runs with loops, sums or products in them: to look at what these come to is much less than to look at each number on the way.

    `told_of` gives the errors of an op that are to be told, and `is_sure` says whether they show for certain.
    """

    def __init__(self, block: Block, told_of: Callable[[Op], int], is_sure: Callable[[Op], bool]) -> None:
        self._told_of, self._is_sure = told_of, is_sure
        # Where values are operands, and where loops end their turns with them.
        self._users: dict[Value, list[tuple[Op, int]]] = {}
        self._ends: dict[Value, list[tuple[Op, int]]] = {}
        self._kept: dict[tuple[Op, int], bool] = {}
        self._runs: dict[Block, list[Run]] = {}
        for op in block.walk():
            for place, operand in enumerate(op.operands):
                self._users.setdefault(operand, []).append((op, place))
            if op.name == "select" and _source(op.operands[1]) is _source(op.operands[2]):
                # The same number, as one of Python's or of NumPy's.
                self._users.setdefault(_source(op.operands[1]), []).append((op, _BOTH))
            for place, value in enumerate(_turn(op).results or () if op.name == "for_loop" else ()):
                self._ends.setdefault(value, []).append((op, place))

    def runs(self, block: Block) -> list[Run]:
        """Return the runs among the ops of a block: as long as they can be, or single loops."""
        if block not in self._runs:
            self._runs[block] = list(self._found(block))
        return self._runs[block]

    def _found(self, block: Block) -> Iterator[Run]:
        together: list[Op] = []
        for op in [*block.ops, None]:
            if op is not None and _only_computes(op):
                together.append(op)
                continue
            loops = [op for op in together if op.regions and any(map(self._told_of, op.walk()))]
            # A sum or product by itself is one number to look at anyway.
            several = any(map(works, together)) and sum(bool(self._told_of(op)) for op in together) > 1
            whole = self._run(together) if loops or several else None
            yield from [whole] if whole else filter(None, (self._run([loop]) for loop in loops))
            together = []

    def _run(self, ops: Sequence[Op]) -> Run | None:
        """Return ops as a run, None where some of their errors do not show."""
        last: dict[Value, Value] = {}
        own = set(ops)
        numbers: dict[Value, None] = {}
        for op in _backwards(ops):
            for result in op.results:
                later = next((last[value] for value in self._next(result) if value in last), None)
                if later is not None or op in own:
                    last[result] = later or result
            if self._told_of(op):
                if not self._shows(op) or op.result not in last:
                    return None
                numbers[last[op.result]] = None
        return Run(tuple(ops), tuple(numbers))

    def _shows(self, op: Op) -> bool:
        """Whether all errors of an op leave infinity or NaN."""
        return self._is_sure(op) and _are_floats(op)

    def _next(self, value: Value) -> Iterator[Value]:
        """Yield what is not finite where a value was not, at any time."""
        yield from self._same(value)
        for loop, place in self._ends.get(value, ()):
            if self._keeps(loop, place):
                yield loop.results[place]

    def _same(self, value: Value) -> Iterator[Value]:
        """Yield what is computed of a value in its own block, and is not finite where that was not."""
        for user, place in self._users.get(value, ()):
            if user.block is value.block:
                if user.name == "for_loop":
                    if place > 2 and self._keeps(user, place - 3):
                        yield user.results[place - 3]
                elif _passes_on(user, place):
                    yield user.result

    def _keeps(self, loop: Op, place: int) -> bool:
        """Whether what a loop carries is not finite any more once it was not."""
        if (loop, place) not in self._kept:
            body = _turn(loop)
            keeping = {(body.results or ())[place]}
            for op in reversed(body.ops):
                keeping.update(r for r in op.results if not keeping.isdisjoint(self._same(r)))
            argument = body.arguments[1 + place]
            self._kept[loop, place] = not keeping.isdisjoint((argument, *self._same(argument)))
        return self._kept[loop, place]


def works(op: Op) -> bool:
    """Whether an op goes over its operands for each number that it gives, or is a loop."""
    return op.name in _WORK or (bool(op.regions) and op.name != "cond")


def _turn(loop: Op) -> Block:
    (body,) = loop.regions
    return body


def _backwards(ops: Sequence[Op]) -> Iterator[Op]:
    """Yield ops from the last one on, and those in loops after what these give."""
    for op in reversed(ops):
        yield op
        for region in op.regions:
            yield from _backwards(region.ops)


def _only_computes(op: Op) -> bool:
    """Whether an op does nothing but compute numbers, and cannot fail."""
    if op.regions:
        turn = op.regions[0]
        return op.name == "for_loop" and turn.results is not None and all(map(_only_computes, turn.ops))
    definition = TABLE[op.name]
    if definition.effect or definition.fails or definition.writes is not None:
        return False
    return op.name == "view" or all(isinstance(result.type, ScalarType) for result in op.results)


def _are_floats(op: Op) -> bool:
    return {element(value.type).kind for value in (*op.operands, *op.results)} == {"f"}


def _source(value: Value) -> Value:
    """Return the float that a value is, in another type."""
    while value.op is not None and value.op.name == "cast" and _are_floats(value.op):
        (value,) = value.op.operands
    return value


def _passes_on(op: Op, place: int) -> bool:
    """Whether an op on real numbers gives infinity or NaN where the operand at a place is one."""
    if place == _BOTH:
        return True
    name = op.name.removeprefix("scalar_")
    if not all(isinstance(result.type, ScalarType) for result in op.results) or not _are_floats(op):
        return False
    if name == "power":
        exponent = op.operands[1].op
        if place != 0 or exponent is None or exponent.name != "constant":
            return False
        return bool(0 < float(exponent.attributes["value"]) < np.inf)
    return name in _ANY or (name == "divide" and place == 0)
