"""Libraries, which stand for themselves in a trace: the functions that it took from them, and builtins, may be replaced later, as tests do."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from transpile.runtime.converted import is_converted

from .guard import Guard
from .library_state import LibraryState
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

    def __init__(self, has_found: Callable[[list[Any]], None] = lambda things: None) -> None:
        self._state = LibraryState(has_found)
        self._modules: dict[int, types.ModuleType] = {}
        self._builtins: dict[tuple[int, str], tuple[dict[str, Any], str]] = {}
        # What stands for modules that code may store into, with what they held before; and names that it may store under.
        self._before: dict[int, tuple[types.ModuleType, dict[str, Any]]] = {}
        self._names: set[str] = set()

    def note(self, module: types.ModuleType, stand_in: types.ModuleType | None = None) -> None:
        """Note a module of a library, and what stands for it."""
        self._modules[id(module)] = module
        self._keep(stand_in or module, self._names)

    def note_names(self, names: Iterable[str]) -> None:
        """Note names that code may store under which is about to run."""
        new = {*names} - self._names
        self._names |= new
        self._state.note_names(new)
        for module, _ in list(self._before.values()):
            self._keep(module, new)

    def _keep(self, module: types.ModuleType, names: Iterable[str], met: set[int] | None = None) -> None:
        """Keep what a module holds, and the modules in it that code may name; those that lead to each other are `met` once."""
        met = set() if met is None else met
        met.add(id(module))
        held = vars(module)
        if id(module) not in self._before:
            self._before[id(module)] = module, dict(held)
            names = self._names
        for name in names & held.keys():
            thing = held[name]
            if isinstance(thing, types.ModuleType):
                if is_in_library(thing.__name__) and id(thing) not in met:
                    self._keep(thing, names, met)
            else:
                self._state.reach(f"{module.__name__}.{name}", thing)

    def restore(self) -> list[str]:
        """Take back what was stored into modules while tracing; return the labels of it."""
        changed = self._state.restore()
        for module, before in self._before.values():
            held = vars(module)
            for name in self._names & (held.keys() | before.keys()):
                if held.get(name, self) is before.get(name, self) or isinstance(
                    held.get(name), types.ModuleType
                ):
                    continue
                changed.append(f"{module.__name__}.{name}")
                if name in before:
                    held[name] = before[name]
                else:
                    del held[name]
        return changed

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
        yield from self._state.guards()
