"""Calls."""

from typing import Any

import gast

from .context import Context
from .converter import Converter
from .syntax import load, place


class Calls(Converter):
    """Hands every call to an operator.

    ``super()`` finds its arguments in the frame that calls it, so they are written out.

    Before:
        def f(g, xs):
            return g(xs.sum(), *xs, n=len(xs))

    After:
        def f(g, xs):
            return ops.call(g, ops.call(xs.sum), *xs, n=ops.call(len, xs))

    Before:
        def f(g):
            @g
            def h():
                pass

    After:
        def f(g):
            @ops.decorator(g)
            def h():
                pass
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._first: str | None = None

    def convert(self, function: gast.FunctionDef | gast.Lambda) -> None:
        """Rewrites a function in place, functions inside included."""
        self._first = _first_argument(function)
        super().convert(function)

    def visit_FunctionDef(self, node: gast.FunctionDef) -> Any:
        """Rewrites a function inside: ``super()`` means its own first argument there."""
        self.visit_outside(node)
        if node not in self.context.opaque:
            outer = self._first
            if node.name not in self.context.names.made_functions:
                self._first = _first_argument(node)
            node.body = self.block(node.body)
            self._first = outer
        return node

    def visit_outside(self, node: gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda) -> None:
        """Rewrites decorators, which are calls, and defaults."""
        super().visit_outside(node)
        if not isinstance(node, gast.Lambda):
            node.decorator_list = [
                place(self.context.operator("decorator", decorator), decorator)
                for decorator in node.decorator_list
            ]

    def visit_Lambda(self, node: gast.Lambda) -> Any:
        """Rewrites a lambda, in which ``super()`` means its own first argument, too."""
        self.visit_outside(node)
        outer, self._first = self._first, _first_argument(node)
        node.body = self.visit(node.body)
        self._first = outer
        return node

    def visit_Call(self, node: gast.Call) -> gast.expr:
        """Rewrites a call."""
        self.generic_visit(node)
        if self.context.is_operator(node):
            return node
        if self._is_super(node):
            if not self.context.in_class or self._first is None:
                return node
            node.args = [load("__class__"), load(self._first)]
        call = place(self.context.operator("call", node.func, *node.args), node)
        call.keywords = node.keywords
        self._start_at_method(call, node)
        return call

    def _start_at_method(self, call: gast.Call, node: gast.Call) -> None:
        """Moves the start of a call to the line of the method's name, if it is another one, as Python does."""
        method = node.func
        unpacks = any(isinstance(argument, gast.Starred) for argument in node.args)
        unpacks |= any(keyword.arg is None for keyword in node.keywords)
        if isinstance(method, gast.Attribute) and method.end_lineno != node.lineno and not unpacks:
            call.lineno = method.end_lineno
            call.col_offset = max(method.end_col_offset - len(method.attr), 0)

    def _is_super(self, node: gast.Call) -> bool:
        return (
            isinstance(node.func, gast.Name)
            and node.func.id == "super"
            and not node.args
            and not node.keywords
            and "super" not in self.context.shadowed
        )


def _first_argument(node: gast.FunctionDef | gast.Lambda) -> str | None:
    return next((argument.id for argument in (*node.args.posonlyargs, *node.args.args)), None)
