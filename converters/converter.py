"""The base of the converters."""

from ast import NodeTransformer
from collections.abc import Iterator
from typing import Any

import gast

from .context import Context


class Converter(NodeTransformer):
    """Walks a function and replaces nodes, leaving out what is never evaluated and what stays as it is."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def convert(self, function: gast.FunctionDef | gast.Lambda) -> None:
        """Rewrites a function in place. Its decorators, defaults and annotations belong to the scope around it."""
        if isinstance(function, gast.Lambda):
            function.body = self.visit(function.body)
        else:
            function.body = self.block(function.body)

    def generic_visit(self, node: gast.AST) -> gast.AST:
        """Visits the parts of a node, but not those that have none themselves. Most of the time goes here."""
        values = vars(node)
        for name in node._fields:
            value = values.get(name)
            if isinstance(value, list):
                if value:
                    value[:] = self._visited(value)
            elif isinstance(value, gast.AST) and value._fields:
                values[name] = self.visit(value)
        return node

    def _visited(self, nodes: list[Any]) -> Iterator[Any]:
        for node in nodes:
            result = self.visit(node) if isinstance(node, gast.AST) else node
            if isinstance(result, list):
                yield from result
            else:
                yield result

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        """Rewrites each statement into none, one or several."""
        converted: list[gast.stmt] = []
        for statement in statements:
            result = self.visit(statement)
            if isinstance(result, list):
                converted += result
            elif result is not None:
                converted.append(result)
        return converted

    def visit_FunctionDef(self, node: gast.FunctionDef) -> Any:
        """Rewrites what a function inside evaluates here, and its body unless it stays as it is."""
        self.visit_outside(node)
        if node not in self.context.opaque:
            node.body = self.block(node.body)
        return node

    def visit_Lambda(self, node: gast.Lambda) -> Any:
        """Rewrites what a lambda evaluates here, and its body."""
        self.visit_outside(node)
        node.body = self.visit(node.body)
        return node

    def visit_AsyncFunctionDef(self, node: gast.AsyncFunctionDef) -> Any:
        """Rewrites what an asynchronous function inside evaluates here; the function stays as it is."""
        self.visit_outside(node)
        return node

    def visit_outside(self, node: gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda) -> None:
        """Rewrites decorators and defaults."""
        if not isinstance(node, gast.Lambda):
            node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        node.args.defaults = [self.visit(default) for default in node.args.defaults]
        node.args.kw_defaults = [default and self.visit(default) for default in node.args.kw_defaults]

    def visit_AnnAssign(self, node: gast.AnnAssign) -> Any:
        """Rewrites value and target; the annotation is never evaluated in a function."""
        if node.value is not None:
            node.value = self.visit(node.value)
        node.target = self.visit(node.target)
        return node
