"""``global`` and bare annotations, which say something about a whole function."""

from typing import Any

import gast

from .converter import Converter
from .syntax import has_docstring, place


class Declarations(Converter):
    """Moves declarations to the start of the function, and drops annotations without a value.

    Inside a generated function they would speak of that function alone.

    Before:
        def f():
            if ready:
                global total
                x: int
                print(total)

    After:
        def f():
            global total
            if ready:
                pass
                pass
                print(total)
    """

    def convert(self, function: gast.FunctionDef) -> None:
        """Rewrites a function in place, but not the functions inside it."""
        self._moved: list[gast.stmt] = []
        super().convert(function)
        start = has_docstring(function.body)
        function.body[start:start] = self._moved

    def visit(self, node: gast.AST) -> Any:
        """Looks at statements and ``except`` clauses only."""
        return super().visit(node) if isinstance(node, gast.stmt | gast.ExceptHandler) else node

    def visit_FunctionDef(self, node: gast.FunctionDef) -> Any:
        """Leaves a function inside alone: it is converted by itself."""
        return node

    def visit_Global(self, node: gast.Global) -> gast.stmt:
        """Moves a declaration."""
        self._moved.append(node)
        return place(gast.Pass(), node)

    visit_Nonlocal = visit_Global

    def visit_AnnAssign(self, node: gast.AnnAssign) -> gast.stmt:
        """Drops an annotation without a value, which does nothing when it is reached."""
        if isinstance(node.target, gast.Name) and node.value is None:
            return place(gast.Pass(), node)
        return node
