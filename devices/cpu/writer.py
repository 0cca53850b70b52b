"""Writes the text of a kernel: indented lines, and the names that they use."""

from __future__ import annotations

import builtins
import itertools
import keyword
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Writer:
    """Lines of Python, and the namespace that they run in."""

    def __init__(self, taken: set[str]) -> None:
        self.lines: list[str] = []
        self.namespace: dict[str, Any] = {}
        self.taken = taken | set(keyword.kwlist) | set(dir(builtins))
        self._depth = 0
        self._names: dict[Any, str] = {}
        # From which number on a name may be new.
        self._numbers: dict[str, int] = {}

    def line(self, text: str) -> None:
        """Add a line."""
        self.lines.append("    " * self._depth + text)

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        """Add a header, and what is added meanwhile indented under it."""
        self.line(header)
        start = len(self.lines)
        self._depth += 1
        yield
        if len(self.lines) == start:
            self.line("pass")
        self._depth -= 1

    def new(self, hint: str) -> str:
        """Return a name that nothing has."""
        name = hint
        for number in itertools.count(self._numbers.get(hint, 1)):
            if name not in self.taken:
                break
            name = f"{hint}_{number}"
            self._numbers[hint] = number
        self.taken.add(name)
        return name

    def name(self, key: Any, hint: str) -> str:
        """Return the name of a thing; a new one where it has none."""
        if key not in self._names:
            self._names[key] = self.new(hint)
        return self._names[key]

    def assign_name(self, key: Any, name: str) -> None:
        """Have a thing go by a name, or a text, that is there already."""
        self._names[key] = name

    def use(self, name: str, thing: Any) -> str:
        """Return the name by which the text refers to a thing from outside: another thing of the same name has another one."""
        known = self._names.get(("use", name))
        if known is None or self.namespace[known] is not thing:
            known = self._names["use", name] = self.new(name)
            self.namespace[known] = thing
        return known
