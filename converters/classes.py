"""The classes of things."""

from typing import Any

import gast

from .converter import Converter
from .syntax import place


class Classes(Converter):
    """Asks an operator for the class of a thing: what stands for a number or an array is of another one.

    Before:
        def f(x):
            return x.__class__.__name__

    After:
        def f(x):
            return ops.class_of(x).__name__
    """

    def visit_Attribute(self, node: gast.Attribute) -> Any:
        """Rewrites a class that is read."""
        self.generic_visit(node)
        if node.attr == "__class__" and isinstance(node.ctx, gast.Load):
            return place(self.context.operator("class_of", node.value), node)
        return node
