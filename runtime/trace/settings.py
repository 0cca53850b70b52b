"""NumPy's settings as a call finds them, which are guarded where a trace asks for them: see Note [Settings]."""

from __future__ import annotations

from typing import Any

from transpile.runtime.ops.settings import NAMES, SETTINGS

from .outside import Outside
from .path import Path


class GuardedSettings:
    """The settings at the beginning of a trace."""

    def __init__(self, outside: Outside) -> None:
        self._outside = outside
        self._found = {name: getattr(SETTINGS, name) for name in NAMES}
        self._guarded: set[str] = set()

    def found(self, name: str) -> Any:
        """Return a setting, and have the trace serve only calls that find the same."""
        if name not in self._guarded:
            self._guarded.add(name)
            self._outside.guard(Path("object", SETTINGS).attribute(name), "equals", self._found[name])
        return self._found[name]
