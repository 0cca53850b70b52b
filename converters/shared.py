"""Variables of other scopes that generated functions bind."""

from collections.abc import Iterable, Iterator, Mapping

import gast

from .context import Context
from .syntax import COMPREHENSIONS, FUNCTIONS, assign, has_docstring, place


class Shared:
    """Declares, in every generated function, the names that it binds and that are not its own.

    These are what the user has declared global or nonlocal, and variables that functions inside share. Those of the
    latter that hold nothing at the start are bound to nothing.

    Before:
        def f(x):
            def count():
                nonlocal n
                n += 1
            if x:
                n = 0
                count()

    After:
        def f(x):
            n = ops.Undefined("n")
            def count():
                nonlocal n
                ops.bound(n, free=True)
                n += 1
            def if_true():
                nonlocal n
                n = 0
                count()
            def if_false():
                pass
            ops.cond(x, if_true, if_false, (), names=())
    """

    def __init__(
        self, context: Context, elsewhere: Mapping[str, type[gast.stmt]], unset: Iterable[str]
    ) -> None:
        self._context = context
        self._elsewhere = elsewhere
        self._unset = unset

    def convert(self, function: gast.FunctionDef) -> None:
        """Rewrites a function in place, but not the user's functions inside it."""
        if not self._elsewhere:
            return
        self._declare(function.body)
        start = int(has_docstring(function.body))
        start += sum(isinstance(node, gast.Global | gast.Nonlocal) for node in function.body)
        function.body[start:start] = [
            assign(name, self._context.undefined(name), function) for name in self._unset
        ]

    def _declare(self, body: list[gast.stmt]) -> None:
        for node in _generated(body, self._context):
            self._declare(node.body)
            names = dict.fromkeys(name for name in _bound(node.body) if name in self._elsewhere)
            for kind in (gast.Nonlocal, gast.Global):
                own = [name for name in names if self._elsewhere[name] is kind]
                if own:
                    node.body.insert(0, place(kind(own), node))


def _generated(block: Iterable[gast.AST], context: Context) -> Iterator[gast.FunctionDef]:
    """Finds the generated functions that are made in a block."""
    for node in block:
        if isinstance(node, gast.FunctionDef):
            if node.name in context.names.made_functions:
                yield node
        elif isinstance(node, gast.stmt | gast.ExceptHandler):
            yield from _generated(gast.iter_child_nodes(node), context)


def _bound(nodes: Iterable[gast.AST]) -> Iterator[str]:
    """Gives the names that nodes bind in the function that they stand in."""
    for node in nodes:
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            yield node.id
        elif isinstance(node, gast.alias):
            yield node.asname or node.name.partition(".")[0]
        elif isinstance(node, (*FUNCTIONS, gast.ClassDef)):
            if not isinstance(node, gast.Lambda):
                yield node.name
        elif isinstance(node, COMPREHENSIONS):
            yield from _bound([node.generators[0].iter])
        else:
            yield from _bound(gast.iter_child_nodes(node))
