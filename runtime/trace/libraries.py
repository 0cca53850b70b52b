"""Libraries, which stand for themselves in a trace: the functions that it took from them, and builtins, may be replaced later, as tests do."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from typing import Any

from transpile.runtime.converted import is_converted

from .guard import Guard
from .path import Path

# Modules whose attributes stay what they are. What `os` holds does not: `os.environ`.
_LIBRARIES = (sys.stdlib_module_names - {"os"}) | {"numpy", "scipy"}


def is_library(module: str) -> bool:
    """Whether a module is one of a library that stands for itself."""
    return is_in_library(module) and not is_converted(module)


def is_in_library(module: str) -> bool:
    """Whether a module is found in a library: there it is what it is, also where its functions are converted."""
    return module.partition(".")[0] in _LIBRARIES


class Libraries:
    """What a trace found in libraries and among the builtins."""

    def __init__(self) -> None:
        self._modules: dict[int, types.ModuleType] = {}
        self._builtins: dict[tuple[int, str], tuple[dict[str, Any], str]] = {}

    def note(self, module: types.ModuleType) -> None:
        """Note a module of a library."""
        self._modules[id(module)] = module

    def note_missing(self, namespace: dict[str, Any], name: str) -> None:
        """Note that a name is no global of a namespace, and so a builtin."""
        self._builtins[id(namespace), name] = namespace, name

    def guards(self, names: set[str]) -> Iterator[Guard]:
        """Yield guards of what the modules hold under names that the program may have read, and of builtins."""
        for namespace, name in self._builtins.values():
            found = namespace.get("__builtins__", {})
            held = vars(found) if isinstance(found, types.ModuleType) else found
            if name in held:
                yield Guard(Path("global", (namespace, name)), "missing", None)
                yield Guard(Path("global", (held, name)), "is", held[name])
        modules = list(self._modules.values())
        for module in modules:
            for name in sorted(names & vars(module).keys()):
                thing = vars(module)[name]
                yield Guard(Path("object", module).attribute(name), "is", thing)
                within = isinstance(thing, types.ModuleType) and is_in_library(thing.__name__)
                if within and id(thing) not in self._modules:
                    self.note(thing)
                    modules.append(thing)
