"""``assert`` and ``raise``."""

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
        self.generic_visit(node)
        message = [] if node.msg is None else [thunk(node.msg)]
        call = self.context.operator("assert_", node.test, *message)
        return place(gast.Expr(place(call, node)), node)

    def visit_Raise(self, node: gast.Raise) -> Any:
        """Rewrites ``raise``."""
        self.generic_visit(node)
        cause = [] if node.cause is None else [node.cause]
        call = self.context.operator("raise_", node.exc, *cause)
        return place(gast.Expr(place(call, node)), node)
