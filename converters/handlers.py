"""The names of ``except`` clauses."""

from typing import Any

import gast

from .converter import Converter
from .syntax import assign, load, place, store


class Handlers(Converter):
    """Gives the name of an exception its value, and takes it away, by statements.

    The variable of the clause itself is one that no other statement knows of.

    Before:
        def f(g):
            try:
                g()
            except ValueError as error:
                print(error)

    After:
        def f(g):
            try:
                g()
            except ValueError as caught:
                error = caught
                print(error)
                del error
    """

    def visit(self, node: gast.AST) -> Any:
        """Looks at statements and their clauses only."""
        return super().visit(node) if isinstance(node, gast.stmt | gast.ExceptHandler) else node

    def visit_FunctionDef(self, node: gast.FunctionDef) -> Any:
        """Leaves a function inside alone: it is converted by itself."""
        return node

    def visit_ExceptHandler(self, node: gast.ExceptHandler) -> gast.ExceptHandler:
        """Binds the name in the clause's body, and unbinds it at the end."""
        self.generic_visit(node)
        if node.name is not None:
            name = node.name.id
            caught = self.context.names.fresh("caught")
            node.name = place(store(caught), node)
            node.body.insert(0, assign(name, load(caught), node))
            if not isinstance(node.body[-1], gast.Raise):
                node.body.append(place(gast.Delete([gast.Name(name, gast.Del(), None, None)]), node))
        return node
