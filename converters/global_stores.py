"""Stores to global names, from the functions that branches and loops become."""

from collections.abc import Iterator

import gast

from .context import Context
from .syntax import place


class GlobalStores:
    """Declares global names as such in the functions made of blocks that bind them, too.

    Before:
        def f(x):
            global total
            if x > 0:
                total = x

    After:
        def f(x):
            global total
            def if_true():
                global total
                total = x
            def if_false():
                pass
            ops.cond(x > 0, if_true, if_false, (), names=())
    """

    def __init__(self, context: Context) -> None:
        self._context = context

    def convert(self, function: gast.FunctionDef) -> None:
        """Rewrites a function in place, but not the user's functions inside it."""
        names = {name for node in function.body if isinstance(node, gast.Global) for name in node.names}
        if names:
            for inner in self._made(function.body):
                stored = sorted(names & set(_stored(inner.body)))
                if stored:
                    inner.body.insert(0, place(gast.Global(stored), inner))

    def _made(self, body: list[gast.stmt]) -> Iterator[gast.FunctionDef]:
        for node in body:
            if isinstance(node, gast.FunctionDef) and node.name in self._context.names.made_functions:
                yield node
                yield from self._made(node.body)


def _stored(body: list[gast.stmt]) -> Iterator[str]:
    """Lists the names that statements bind, but not those that functions inside bind."""
    pending: list[gast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
            yield node.id
        elif not isinstance(node, gast.FunctionDef | gast.Lambda):
            pending += gast.iter_child_nodes(node)


def assigned(function: gast.FunctionDef | gast.Lambda, name: str) -> bool:
    """Says whether a function binds a name by assignments alone."""
    plain: set[gast.AST] = set()
    for node in gast.walk(function):
        if isinstance(node, gast.Assign):
            plain.update(*(gast.walk(target) for target in node.targets))
        elif isinstance(node, gast.AugAssign):
            plain.add(node.target)
    for node in gast.walk(function):
        if isinstance(node, gast.Name) and node.id == name and not isinstance(node.ctx, gast.Load):
            if node not in plain:
                return False
        elif getattr(node, "name", None) == name or getattr(node, "asname", None) == name:
            return False
    return True
