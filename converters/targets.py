"""Targets of ``for`` that are more than a name."""

from typing import Any

import gast

from .converter import Converter
from .syntax import assign, load, place, store


class Targets(Converter):
    """Makes the target of every ``for`` a name.

    Before:
        def f(pairs):
            for a, (b, *c) in pairs:
                print(a, b, c)

    After:
        def f(pairs):
            for item in pairs:
                a, (b, *c) = item
                print(a, b, c)
    """

    def visit(self, node: gast.AST) -> Any:
        """Looks at statements and ``except`` clauses only."""
        return super().visit(node) if isinstance(node, gast.stmt | gast.ExceptHandler) else node

    def visit_FunctionDef(self, node: gast.FunctionDef) -> Any:
        """Leaves a function inside alone: it is converted by itself."""
        return node

    def visit_For(self, node: gast.For) -> gast.stmt:
        """Unpacks in the body what is not a name."""
        self.generic_visit(node)
        if not isinstance(node.target, gast.Name):
            item = self.context.names.shared("item")
            node.body.insert(0, assign(node.target, load(item), node.target))
            node.target = place(store(item), node.target)
        return node
