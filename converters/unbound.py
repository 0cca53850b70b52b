"""Names that may hold no value: reading them raises as in Python, and ``del`` makes them so."""

from collections.abc import Iterator
from typing import Any

import gast

from .context import Context
from .converter import Converter
from .flow import Flow
from .scopes import Scopes
from .syntax import COMPREHENSIONS, SCOPES, arguments_of, assign, constant, load, place


class Unbound(Converter):
    """Checks reads that may find no value, and turns ``del`` of a name into a store.

    Before:
        def f(x):
            if x:
                y = 1
            del x
            return y

    After:
        def f(x):
            if x:
                y = 1
            x = ops.Undefined("x")
            return ops.bound(y)
    """

    def __init__(self, flow: Flow, scopes: Scopes, context: Context) -> None:
        super().__init__(context)
        self._flow = flow
        self._scopes = scopes
        # The names that may hold ops.Undefined and that the current scope, if it is another one, takes from here.
        self._captured = flow.undefined
        self._inside = False

    def visit(self, node: gast.AST) -> Any:
        """Converts a node; a scope inside with the names that it takes from around it."""
        if not isinstance(node, SCOPES):
            return super().visit(node)
        self._visit_outside(node)
        outer = self._captured, self._inside
        self._captured = self._captured & self._scopes[node].free
        self._inside |= not isinstance(node, COMPREHENSIONS)
        if not self._inside or self._captured:
            self._visit_body(node)
        self._captured, self._inside = outer
        return node

    def visit_Name(self, node: gast.Name) -> Any:
        """Checks a read by name."""
        if node in self._flow.unbound:
            return place(self._bound(node.id, *self._flow.unbound[node]), node)
        if self._inside and node.id in self._captured and isinstance(node.ctx, gast.Load):
            return place(self._bound(node.id, node.id not in self._flow.missing, free=True), node)
        return node

    def visit_Delete(self, node: gast.Delete) -> list[gast.stmt]:
        """Turns ``del`` of names into stores, and splits it where it has several targets."""
        return [statement for target in node.targets for statement in self._delete(target, node)]

    def visit_AugAssign(self, node: gast.AugAssign) -> list[gast.stmt]:
        """Checks the target before the value is evaluated, as Python does."""
        check = []
        captured = self._inside and isinstance(node.target, gast.Name) and node.target.id in self._captured
        if node.target in self._flow.unbound:
            check.append(self._check(node.target))
        elif captured:
            bound = self._bound(node.target.id, node.target.id not in self._flow.missing, free=True)
            check.append(place(gast.Expr(place(bound, node.target)), node.target))
        else:
            node.target = self.visit(node.target)
        node.value = self.visit(node.value)
        return [*check, node]

    def _delete(self, target: gast.expr, node: gast.Delete) -> Iterator[gast.stmt]:
        if isinstance(target, gast.Tuple | gast.List):
            for element in target.elts:
                yield from self._delete(element, node)
        elif isinstance(target, gast.Name):
            if target in self._flow.unbound:
                yield self._check(target)
            yield assign(target.id, self.context.undefined(target.id), node)
        else:
            yield place(gast.Delete([self.visit(target)]), node)

    def _check(self, target: gast.Name) -> gast.Expr:
        return place(gast.Expr(place(self._bound(target.id, *self._flow.unbound[target]), target)), target)

    def _bound(self, name: str, seen: bool, free: bool) -> gast.Call:
        value = load(name) if seen else self.context.undefined(name)
        return self.context.operator("bound", value, **({"free": constant(True)} if free else {}))

    def _visit_outside(self, node: gast.AST) -> None:
        if isinstance(node, COMPREHENSIONS):
            node.generators[0].iter = self.visit(node.generators[0].iter)
            return
        self.visit_outside(node)
        if not self.context.defers_annotations:
            for argument in arguments_of(node.args):
                argument.annotation = argument.annotation and self.visit(argument.annotation)
            if getattr(node, "returns", None) is not None:
                node.returns = self.visit(node.returns)

    def _visit_body(self, node: gast.AST) -> None:
        if isinstance(node, COMPREHENSIONS):
            first = node.generators[0].iter
            node.generators[0].iter = constant(None)
            self.generic_visit(node)
            node.generators[0].iter = first
        elif node in self.context.opaque:
            raise self.context.refuse("C033-maybe-unbound", node, name=min(self._captured))
        elif isinstance(node, gast.Lambda):
            node.body = self.visit(node.body)
        else:
            node.body = self.block(node.body)
