"""``try`` and ``with``, told to the tracer."""

import gast

from .converter import Converter
from .syntax import assign, constant, load, place, thunk


class Attempts(Converter):
    """Tells what stands under ``try``, and lets no clause handle what is raised by the operators themselves.

    The statement stays: so what is raised with certainty while the converted function runs is handled as in Python.

    Before:
        def f(g, x):
            try:
                y = g(x)
            except ValueError:
                y = 0
            finally:
                print("done")
            with x:
                g(y)

    After:
        def f(g, x):
            attempt = ops.attempt()
            try:
                with attempt:
                    attempt_1 = ops.attempt()
                    try:
                        with attempt_1:
                            y = g(x)
                    except attempt_1.catches(ValueError):
                        y = 0
            finally:
                if attempt.ends():
                    print("done")
            with ops.manager(x):
                g(y)
    """

    def visit_Try(self, node: gast.Try) -> list[gast.stmt]:
        """Rewrites ``try``; one with both handlers and ``finally`` as one inside the other."""
        self.generic_visit(node)
        replaces = node in self.context.replacing
        name = self.context.names.fresh("attempt")
        if node.finalbody:
            if node.handlers:
                node.body = self._handled(
                    place(gast.Try(node.body, node.handlers, node.orelse, []), node),
                    self.context.names.fresh("attempt"),
                )
                node.handlers, node.orelse = [], []
            keywords = [gast.keyword("replaces", constant(True))] if replaces else []
            ends = place(gast.Call(gast.Attribute(load(name), "ends", gast.Load()), [], keywords), node)
            node.body = [self._with(name, node.body, node)]
            node.finalbody = [place(gast.If(ends, node.finalbody, []), node.finalbody[0])]
            return [self._begin(name, node), node]
        return self._handled(node, name)

    def visit_With(self, node: gast.With) -> gast.With:
        """Rewrites ``with``."""
        self.generic_visit(node)
        for item in node.items:
            item.context_expr = place(self.context.operator("manager", item.context_expr), item.context_expr)
        return node

    def _handled(self, node: gast.Try, name: str) -> list[gast.stmt]:
        node.body = [self._with(name, node.body, node)]
        for handler in node.handlers:
            catches = gast.Attribute(load(name), "catches", gast.Load())
            handler.type = place(gast.Call(catches, *_classes(handler.type)), handler.type or handler)
        return [self._begin(name, node), node]

    def _begin(self, name: str, node: gast.Try) -> gast.Assign:
        return assign(name, place(self.context.operator("attempt"), node), node)

    def _with(self, name: str, body: list[gast.stmt], node: gast.Try) -> gast.With:
        return place(gast.With([gast.withitem(load(name), None)], body, None), node)


def _classes(asked: gast.expr | None) -> tuple[list[gast.expr], list[gast.keyword]]:
    """Return the arguments that say what a clause handles: what may fail itself is computed only where Python computes it."""
    if asked is None:
        return [], []
    parts = asked.elts if isinstance(asked, gast.Tuple) else [asked]
    named = all(isinstance(part, gast.Name) for part in parts)
    # A lambda would keep these for itself.
    if named or any(
        isinstance(part, gast.NamedExpr | gast.Yield | gast.YieldFrom | gast.Await)
        for part in gast.walk(asked)
    ):
        return [asked], []
    return [], [gast.keyword("late", place(thunk(asked), asked))]
