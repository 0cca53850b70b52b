"""``assert`` and ``raise``."""

import sys
from typing import Any

import gast

from .converter import Converter
from .syntax import place, thunk


class Failures(Converter):
    """Hands ``assert`` and ``raise`` to operators, which do not return when they fail.

    Before:
        def f(x):
            assert x > 0
            assert x < 9, g(x)
            raise ValueError(x) from None

    After:
        def f(x):
            ops.assert_(x > 0)
            ops.assert_(x < 9, lambda: g(x))
            ops.raise_(ValueError(x), None)
    """

    def visit_Assert(self, node: gast.Assert) -> Any:
        """Rewrites ``assert``, which does nothing where Python runs optimised."""
        if not __debug__:
            return place(gast.Pass(), node)
        at = _pointed_at(node)
        self.generic_visit(node)
        message = [] if node.msg is None else [thunk(node.msg)]
        call = self.context.operator("assert_", node.test, *message)
        return place(gast.Expr(place(call, at)), node)

    def visit_Raise(self, node: gast.Raise) -> Any:
        """Rewrites ``raise``, unless it raises again what is being handled."""
        if node.exc is None:
            return node
        self.generic_visit(node)
        cause = [] if node.cause is None else [node.cause]
        call = self.context.operator("raise_", node.exc, *cause)
        return place(gast.Expr(place(call, node)), node)


def _pointed_at(node: gast.Assert) -> gast.AST:
    """Gives what the error of an ``assert`` points at: from 3.13 the test, in 3.11 its last comparison, or else all."""
    if sys.version_info >= (3, 12):
        return node.test if sys.version_info >= (3, 13) else node
    found: gast.AST = node
    pending = [node.test]
    while pending:
        match pending.pop():
            case gast.Compare() as comparison:
                found = comparison
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                pending.append(operand)
            case gast.BoolOp(values=values):
                pending += reversed(values)
            case gast.IfExp(test=test, body=body, orelse=orelse):
                pending += [orelse, body, test]
    return found
