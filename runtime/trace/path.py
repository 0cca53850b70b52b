"""Paths: where, from a call, a value that came from outside is found again on the next call."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Path:
    """A root (an argument by name, a dictionary of globals, a cell, an object) or a step from another path.

    `kind` is "argument", "object", "global", "cell", "item", "attribute", "columns" or "made"; `key` is the name, key or thing; of "columns", the function that makes
    arrays of a list, and what that holds; of "made", one that makes something new for each call, and the paths of the numbers that it takes.
    """

    kind: str
    key: Any
    base: Path | None = None

    def __str__(self) -> str:
        if self.kind == "argument":
            return str(self.key)
        if self.kind == "object" and isinstance(self.key, (types.FunctionType, types.ModuleType)):
            return self.key.__name__
        if self.kind in ("object", "cell"):
            return f"<{type(self.key).__name__}>"
        if self.kind == "global":
            return str(self.key[1])
        if self.kind == "columns":
            return f"{self.base}.columns"
        if self.kind == "made":
            return str(self.key[0].__name__)
        return f"{self.base}[{self.key!r}]" if self.kind == "item" else f"{self.base}.{self.key}"

    def item(self, key: Any) -> Path:
        """Return the path to an item of what is here."""
        return Path("item", key, self)

    def attribute(self, name: str) -> Path:
        """Return the path to an attribute of what is here."""
        return Path("attribute", name, self)

    def expression(self, constant: Callable[[Any], str]) -> str:
        """Return a Python expression for the value; `constant` gives a name for a thing that the expression needs."""
        if self.kind == "argument":
            return str(self.key)
        if self.kind == "object":
            return constant(self.key)
        if self.kind == "global":
            namespace, name = self.key
            return f"{constant(namespace)}[{name!r}]"
        if self.kind == "cell":
            return f"{constant(self.key)}.cell_contents"
        if self.kind == "made":
            function, paths = self.key
            return f"{constant(function)}({', '.join(path.expression(constant) for path in paths)})"
        assert self.base is not None
        inner = self.base.expression(constant)
        if self.kind == "attribute":
            return f"{inner}.{self.key}"
        if self.kind == "columns":
            function, pattern = self.key
            return f"{constant(function)}({inner}, {constant(pattern)})"
        key = repr(self.key) if type(self.key) in (int, str) else constant(self.key)
        return f"{inner}[{key}]"
