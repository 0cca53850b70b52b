"""Comparisons that Python does not leave to the values alone: chains, ``is``, ``in``, and of what is, or may be, a tuple or list."""

from typing import Any

import gast

from .converter import Converter
from .syntax import constant, place, thunk

_OPERATORS = {gast.Is: "is_", gast.IsNot: "is_not", gast.In: "in_", gast.NotIn: "not_in"}

# Those for which two tuples are compared item by item.
_EQUALITIES = {gast.Eq: "eq", gast.NotEq: "ne"}

# What may well give a tuple; arithmetic and constants do not.
_GIVERS = (gast.Name, gast.Attribute, gast.Subscript, gast.Call)

_SYMBOLS = {
    gast.Eq: "==",
    gast.NotEq: "!=",
    gast.Lt: "<",
    gast.LtE: "<=",
    gast.Gt: ">",
    gast.GtE: ">=",
    gast.Is: "is",
    gast.IsNot: "is not",
    gast.In: "in",
    gast.NotIn: "not in",
}


class Comparisons(Converter):
    """Hands chained comparisons to an operator that evaluates each operand at most once.

    Before:
        def f(a, b, xs):
            return 0 < g(a) <= b, a < b, a in xs, b is not None, (a, b) == xs, a == b

    After:
        def f(a, b, xs):
            return ops.compare(0, "<", lambda: g(a), "<=", lambda: b), a < b, ops.in_(a, xs), ops.is_not(b, None), ops.compare((a, b), "==", lambda: xs), ops.eq(a, b)
    """

    def visit_Compare(self, node: gast.Compare) -> Any:
        """Rewrites a comparison."""
        sides = (node.left, *node.comparators)
        operators = (
            _OPERATORS | _EQUALITIES if all(isinstance(side, _GIVERS) for side in sides) else _OPERATORS
        )
        self.generic_visit(node)
        name = operators.get(type(node.ops[0]))
        displayed = any(isinstance(side, gast.Tuple | gast.List) for side in sides)
        if len(node.ops) > 1 or (displayed and name is None):
            links = [
                part
                for op, right in zip(node.ops, node.comparators)
                for part in (constant(_SYMBOLS[type(op)]), thunk(right))
            ]
            return place(self.context.operator("compare", node.left, *links), node)
        if name is None:
            return node
        return place(self.context.operator(name, node.left, node.comparators[0]), node)
