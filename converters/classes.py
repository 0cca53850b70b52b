"""What is asked of things that may be stood for by others."""

from typing import Any

import gast

from .context import Context
from .converter import Converter
from .names import mangled
from .syntax import constant, place

# What things have of their classes.
_OF_CLASSES = frozenset(("__doc__", "__module__"))


class Classes(Converter):
    """Asks an operator for the class of a thing, and whether it has what is asked for where it may be handled that it has not.

    What stands for a number or an array is of another class, and has other attributes.

    Before:
        def f(x):
            try:
                return x.size
            except AttributeError:
                return x.__class__.__name__

    After:
        def f(x):
            try:
                return ops.owner(x, 'size').size
            except AttributeError:
                return ops.class_of(x).__name__
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._tries = False

    def visit_Try(self, node: gast.Try) -> gast.Try:
        """Rewrites a ``try`` that has handlers, or is in one."""
        before = self._tries
        self._tries = before or bool(node.handlers)
        node.body = self.block(node.body)
        self._tries = before
        for part in (node.handlers, node.orelse, node.finalbody):
            part[:] = self.block(part)
        return node

    def visit_Attribute(self, node: gast.Attribute) -> Any:
        """Rewrites an attribute."""
        self.generic_visit(node)
        reads = isinstance(node.ctx, gast.Load)
        if reads and node.attr == "__class__":
            return place(self.context.operator("class_of", node.value), node)
        if reads if node.attr in _OF_CLASSES else self._tries and not self._is_made(node.value):
            name = constant(mangled(node.attr, self.context.class_name))
            node.value = place(self.context.operator("owner", node.value, name), node.value)
        return node

    def _is_made(self, thing: gast.expr) -> bool:
        """Whether the operators, or something that one of them gave, is what has an attribute."""
        if not isinstance(thing, gast.Name):
            return False
        return thing.id == self.context.ops or not self.context.names.is_users(thing.id)
