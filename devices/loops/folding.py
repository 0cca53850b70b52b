"""Expressions of known numbers, computed: what decides branches once a loop is unrolled."""

from __future__ import annotations

from typing import Any

from transpile.runtime.graph.types import PYBOOL
from transpile.runtime.ops.table import TABLE

from .expression import Apply, Constant, Expression

# Ops on Python's numbers that cannot fail, nor leave 64 bits where they give truth values.
_TESTS = frozenset(
    (
        "less",
        "less_equal",
        "greater",
        "greater_equal",
        "equal",
        "not_equal",
        "logical_not",
        "bitwise_and",
        "bitwise_or",
        "bitwise_xor",
    )
)


def folded(expression: Expression) -> Expression:
    """Return an expression with its tests of known Python numbers decided."""
    if not isinstance(expression, Apply):
        return expression
    operands = tuple(map(folded, expression.operands))
    expression = Apply(expression.name, operands, expression.type, expression.attributes)
    if expression.name == "select":
        test, first, second = operands
        if isinstance(test, Constant):
            return first if test.value else second
        if first == second:
            return first
        if first == Constant(True, PYBOOL) and second == Constant(False, PYBOOL):
            return test
        return expression
    if expression.type != PYBOOL or expression.name not in _TESTS:
        return expression
    known: list[Any] = [operand.value for operand in operands if isinstance(operand, Constant)]
    if len(known) < len(operands) or not all(operand.type.weak for operand in operands):
        return expression
    evaluate = TABLE[expression.name].evaluate
    assert evaluate is not None
    return Constant(bool(evaluate(dict(expression.attributes), *known)), PYBOOL)
