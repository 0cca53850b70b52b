"""What the converters of one function share."""

from dataclasses import dataclass, field, replace
from typing import Any

import gast

from transpile.runtime.errors import ConversionError

from .names import Names, mangled
from .refusals import position_of_node, refuse


@dataclass(frozen=True)
class Context:
    """The surroundings of the function that is being converted.

    ``names`` and ``opaque`` belong to the whole tree, functions inside included. A node in ``opaque`` is a function
    that stays as it is. ``defers_annotations`` holds under ``from __future__ import annotations``, where text would
    be made of them. ``in_class`` says that ``super()`` works here,
    and ``class_name`` is the class whose name private names carry. ``shadowed`` are names that are no builtins here,
    and ``consumers`` are builtins that are done with a function passed to them when they return.
    ``from_comprehensions`` are reads of names in loops that were comprehensions, and ``replacing`` the ``try``
    statements whose ``finally`` returns, and so swallows what was raised. ``loops`` are the qualified names of functions inside, or of a
    method itself, that call themselves and become loops.
    """

    file: str
    qualname: str
    names: Names
    ops: str
    defers_annotations: bool = False
    in_class: bool = False
    class_name: str | None = None
    shadowed: frozenset[str] = frozenset()
    consumers: frozenset[str] = frozenset()
    opaque: set[gast.AST] = field(default_factory=set)
    from_comprehensions: set[gast.AST] = field(default_factory=set)
    replacing: set[gast.AST] = field(default_factory=set)
    loops: frozenset[str] = frozenset()

    def inside(self, name: str) -> "Context":
        """Gives the surroundings of a function inside this one."""
        return replace(self, qualname=f"{self.qualname}.<locals>.{name}")

    def refuse(self, code: str, node: gast.AST, **details: str) -> ConversionError:
        """Makes the error that says why a node is not converted, to be raised by the caller."""
        return refuse(code, position_of_node(node, self.file, self.qualname), **details)

    def operator(self, name: str, *arguments: Any, **keywords: gast.expr) -> gast.Call:
        """Builds a call of one of the operators: ``ops.name(arguments, key=value)``."""
        function = gast.Attribute(gast.Name(self.ops, gast.Load(), None, None), name, gast.Load())
        return gast.Call(
            function, list(arguments), [gast.keyword(key, value) for key, value in keywords.items()]
        )

    def undefined(self, name: str) -> gast.Call:
        """Builds the state of a name that is not bound. It carries the name that Python's errors speak of."""
        return self.operator(
            "Undefined", gast.Constant(mangled(self.names.original(name), self.class_name), None)
        )

    def is_operator(self, node: gast.AST) -> bool:
        """Says whether a call was made by ``operator``."""
        function = node.func
        return (
            isinstance(function, gast.Attribute)
            and isinstance(function.value, gast.Name)
            and function.value.id == self.ops
        )
