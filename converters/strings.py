"""f-strings, and ``%`` on a literal string."""

from typing import Any

import gast

from .converter import Converter
from .syntax import constant, place


class Strings(Converter):
    """Hands formatting to operators.

    Before:
        def f(x, w):
            return f"err = {x!r:.3f} {w:{w}}" + "%d" % x

    After:
        def f(x, w):
            return ops.fstring("err = ", ops.formatted(x, "r", ".3f"), " ", ops.formatted(w, None, ops.fstring(ops.formatted(w, None, "")))) + ops.modulo("%d", x)
    """

    def visit_JoinedStr(self, node: gast.JoinedStr) -> Any:
        """Rewrites an f-string, or the format specification in one."""
        self.generic_visit(node)
        if all(isinstance(value, gast.Constant) for value in node.values):
            return place(constant("".join(value.value for value in node.values)), node)
        # Python 3.12 adds empty pieces.
        pieces = [value for value in node.values if not isinstance(value, gast.Constant) or value.value]
        return place(self.context.operator("fstring", *pieces), node)

    def visit_FormattedValue(self, node: gast.FormattedValue) -> Any:
        """Rewrites a value in an f-string."""
        self.generic_visit(node)
        conversion = constant(None if node.conversion == -1 else chr(node.conversion))
        return place(
            self.context.operator("formatted", node.value, conversion, node.format_spec or constant("")), node
        )

    def visit_BinOp(self, node: gast.BinOp) -> Any:
        """Rewrites ``%`` whose left side is the text of a string."""
        literal = isinstance(node.left, gast.JoinedStr) or (
            isinstance(node.left, gast.Constant) and isinstance(node.left.value, str)
        )
        self.generic_visit(node)
        if literal and isinstance(node.op, gast.Mod):
            return place(self.context.operator("modulo", node.left, node.right), node)
        return node
