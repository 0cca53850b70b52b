"""``import``."""

from typing import Any

import gast

from .converter import Converter
from .syntax import assign, constant, load, place


class Imports(Converter):
    """Tells operators what was imported: a module of the user's may hold other things on the next call.

    Before:
        def f():
            import a.b, c as d
            from ..e import g as h

    After:
        def f():
            import a.b, c as d
            a = ops.imported(a, "a")
            d = ops.imported(d, "c")
            from ..e import g as h
            h = ops.imported(h, "e", "g", 2)
    """

    def visit_Import(self, node: gast.Import) -> list[gast.stmt]:
        """Rewrites ``import``."""
        told = []
        for alias in node.names:
            first = alias.name.partition(".")[0]
            module = first if alias.asname is None else alias.name
            told.append(self._told(alias.asname or first, node, module))
        return [node, *told]

    def visit_ImportFrom(self, node: gast.ImportFrom) -> list[gast.stmt]:
        """Rewrites ``from ... import``."""
        level = [node.level] if node.level else []
        return [
            node,
            *(
                self._told(alias.asname or alias.name, node, node.module or "", alias.name, *level)
                for alias in node.names
            ),
        ]

    def _told(self, name: str, node: gast.stmt, *details: Any) -> gast.stmt:
        call = self.context.operator("imported", load(name), *map(constant, details))
        return assign(name, place(call, node), node)
