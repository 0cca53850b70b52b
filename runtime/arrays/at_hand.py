"""What scalars of a graph are once some of them are known, as for the arguments at hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT
from transpile.runtime.ops.table import TABLE

from .recorder import recorder


class Computed:
    """What scalars are, given what some are, and the integers among the arguments where they are those `at_hand`; each is computed once."""

    def __init__(self, known: Mapping[Value, int], at_hand: bool) -> None:
        self.at_hand = at_hand
        self._numbers: dict[Value, Any] = dict(known)

    def number(self, value: Value) -> Any:
        """Return what a value is, None where more decides on it."""
        if value not in self._numbers:
            self._numbers[value] = self._computed(value)
        return self._numbers[value]

    def _computed(self, value: Value) -> Any:
        op = value.op
        if op is not None and op.name == "cond":
            test = self.number(op.operands[0])
            given = None if test is None else op.regions[0 if test else 1].results
            return None if given is None else self.number(given[value.index])
        if op is None or op.regions or op.name == "shape":
            at_hand = self.at_hand and value.type == INT
            return recorder().sample_of(recorder().dim(value)) if at_hand else None
        if op.name == "constant":
            return op.attributes["value"]
        evaluate = TABLE[op.name].evaluate
        if evaluate is None or TABLE[op.name].effect or any(op.attribute_dims()):
            return None
        numbers = [self.number(operand) for operand in op.operands]
        if any(number is None for number in numbers):
            return None
        try:
            return evaluate(op.attributes, *numbers)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return None


# Ops by which a test singles out one value of an argument, as `pad == 0` does, and not many, as `n > 3` or `n % 2` do.
_SINGLE = frozenset(
    ("equal", "not_equal", "cond", "select", "cast", "add", "subtract", "negative", "constant", "logical_not")
)


def is_one_of_its_kind(test: Value) -> bool:
    """Whether the call at hand comes here, and has a test hold that one value of each argument it is of passes, so that a trace for that value pays."""
    record = recorder()
    if record.frame is not record.graph_frame:
        return False
    stack, seen = [test], set()
    while stack:
        item = stack.pop()
        op = item.op
        if item in seen or (op is None and item.block is record.graph.block):
            continue
        seen.add(item)
        if op is None or op.name not in _SINGLE:
            return False
        ways = [region.results for region in op.regions]
        stack.extend([*op.operands, *(way[item.index] for way in ways if way is not None)])
    return bool(Computed({}, True).number(test))
