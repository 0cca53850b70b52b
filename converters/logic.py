"""``and``, ``or``, ``not`` and conditional expressions."""

from typing import Any

import gast

from .context import Context
from .converter import Converter
from .syntax import place, thunk


class Logic(Converter):
    """Hands logic to operators, with the operands that Python may not evaluate as functions.

    Where only the truth of ``and`` and ``or`` is asked for, so it is of their operands, which need not be of one kind.

    Before:
        def f(a, b):
            return a and not b or (a if b and a > 1 else g(b))

    After:
        def f(a, b):
            return ops.or_(ops.and_(a, lambda: ops.not_(b)), lambda: ops.if_exp(
                ops.and_(ops.truth(b), lambda: a > 1), lambda: a, lambda: g(b)))
    """

    def visit_BoolOp(self, node: gast.BoolOp) -> Any:
        """Rewrites ``and`` and ``or``, which give one of their operands."""
        self.generic_visit(node)
        name = "and_" if isinstance(node.op, gast.And) else "or_"
        first, *others = node.values
        return place(self.context.operator(name, first, *map(thunk, others)), node)

    def visit_UnaryOp(self, node: gast.UnaryOp) -> Any:
        """Rewrites ``not``; the other operators are left to the values."""
        if isinstance(node.op, gast.Not):
            ask_truth(node.operand, self.context)
        self.generic_visit(node)
        if isinstance(node.op, gast.Not):
            return place(self.context.operator("not_", node.operand), node)
        return node

    def visit_IfExp(self, node: gast.IfExp) -> Any:
        """Rewrites a conditional expression."""
        ask_truth(node.test, self.context)
        self.generic_visit(node)
        return place(self.context.operator("if_exp", node.test, thunk(node.body), thunk(node.orelse)), node)


def ask_truth(test: gast.expr, context: Context) -> None:
    """Asks for the truth of the operands where nothing but that of the whole is used."""
    if isinstance(test, gast.BoolOp):
        for operand in test.values:
            ask_truth(operand, context)
        test.values = [
            place(context.operator("truth", operand), operand)
            if isinstance(operand, gast.Name | gast.Attribute | gast.Subscript)
            else operand
            for operand in test.values
        ]
