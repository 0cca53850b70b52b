"""What cannot be converted, refused before anything is rewritten."""

import sys
from ast import NodeVisitor
from collections.abc import Iterator

import gast

from transpile.runtime.errors import ConversionError

from .context import Context
from .scopes import Scopes
from .syntax import COMPREHENSIONS, inner_blocks, outside_expressions

FRAME_ACCESS = frozenset(["breakpoint", "dir", "eval", "exec", "globals", "locals", "vars"])
"""Builtins that look at the frame that calls them."""

_REFUSED = {
    gast.Yield: "C010-yield",
    gast.YieldFrom: "C010-yield",
    gast.Await: "C011-async",
    gast.AsyncFor: "C011-async",
    gast.AsyncWith: "C011-async",
    gast.TryStar: "C012-except-star",
    gast.ClassDef: "C014-class",
    gast.TypeAlias: "C019-type-alias",
}


class Unsupported(NodeVisitor):
    """Refuses one function. A function inside that would be refused stays as it is instead.

    So does one with decorators, which may want to see the code that the user wrote.

    Before:
        def f():
            return [(yield 1), 2]

    After:
        C010-yield
    """

    def __init__(self, scopes: Scopes, context: Context, variables: frozenset[str] = frozenset()) -> None:
        self._scopes = scopes
        self._context = context
        self._handles = False
        # The places where the function may yield.
        self._yields: frozenset[gast.AST] = frozenset()
        # The names that are declared global or nonlocal, with the reason for which they are not deleted.
        self._declared: dict[str, str] = {}
        # What names mean a variable here, and no builtin.
        self._variables = variables | context.shadowed

    def check(self, function: gast.FunctionDef | gast.Lambda) -> None:
        """Raises ``ConversionError`` for what cannot be converted."""
        scope = self._scopes[function]
        self._variables |= frozenset(scope.bound)
        if isinstance(function, gast.FunctionDef):
            self._yields = frozenset(_yields_of_statements(function.body))
        self._declared = dict.fromkeys(scope.globals, "C015-global") | dict.fromkeys(
            scope.nonlocals, "C016-nonlocal"
        )
        for node in function.body if isinstance(function.body, list) else [function.body]:
            self.visit(node)

    def visit(self, node: gast.AST) -> None:
        """Looks at one node of the function, and refuses it or looks inside."""
        code = _REFUSED.get(type(node))
        if code is not None and node not in self._yields:
            raise self._context.refuse(code, node)
        outer = self._variables
        if isinstance(node, (gast.Lambda, *COMPREHENSIONS)):
            self._variables |= frozenset(self._scopes[node].bound)
        super().visit(node)
        self._variables = outer

    def visit_FunctionDef(self, node: gast.FunctionDef | gast.AsyncFunctionDef) -> None:
        """Looks at what a function inside evaluates here, and decides whether the function stays as it is."""
        for expression in outside_expressions(node):
            self.visit(expression)
        inner = Unsupported(self._scopes, self._context.inside(node.name), self._variables)
        try:
            if isinstance(node, gast.FunctionDef):
                inner.check(node)
        except ConversionError:
            self._context.opaque.add(node)
        if node.decorator_list or isinstance(node, gast.AsyncFunctionDef):
            self._context.opaque.add(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ExceptHandler(self, node: gast.ExceptHandler) -> None:
        """Lets ``raise`` alone pass."""
        if node.name is not None:
            self._keep(node.name, node)
        outer, self._handles = self._handles, True
        self.generic_visit(node)
        self._handles = outer

    def visit_Raise(self, node: gast.Raise) -> None:
        """Refuses ``raise`` alone where no handler is around."""
        if node.exc is None and not self._handles:
            raise self._context.refuse("C018-reraise", node)
        self.generic_visit(node)

    def visit_comprehension(self, node: gast.comprehension) -> None:
        """Refuses ``async for``."""
        if node.is_async:
            raise self._context.refuse("C011-async", node.iter)
        self.generic_visit(node)

    def visit_Call(self, node: gast.Call) -> None:
        """Lets builtins that look at the frame around them pass where their arguments keep them from it."""
        enough = {"vars": 1, "dir": 1, "eval": 2, "exec": 2}
        if isinstance(node.func, gast.Name) and len(node.args) >= enough.get(node.func.id, sys.maxsize):
            for argument in (*node.args, *node.keywords):
                self.visit(argument)
        else:
            self.generic_visit(node)

    def visit_Name(self, node: gast.Name) -> None:
        """Refuses builtins that look at the frame around them, and to delete variables of other scopes."""
        if isinstance(node.ctx, gast.Del):
            self._keep(node, node)
        if node.id in FRAME_ACCESS and node.id not in self._variables:
            raise self._context.refuse("C017-frame", node, name=node.id)

    def _keep(self, name: gast.Name, at: gast.AST) -> None:
        if name.id in self._declared:
            raise self._context.refuse(self._declared[name.id], at, name=name.id)


def _yields_of_statements(block: list[gast.stmt]) -> Iterator[gast.expr]:
    """Finds the places in a block, but not in functions inside, that yield without an expression around them."""
    for node in block:
        if isinstance(node, gast.Expr | gast.Assign | gast.AugAssign | gast.Return):
            if isinstance(node.value, gast.Yield | gast.YieldFrom):
                yield node.value
        for inner in inner_blocks(node):
            yield from _yields_of_statements(inner)
        for case in getattr(node, "cases", ()):
            yield from _yields_of_statements(case.body)
