"""Where machine code finds what guards ask of: arguments, what they hold, and what dictionaries hold."""

from __future__ import annotations

import gc
from types import FunctionType, ModuleType
from typing import Any

from transpile.runtime.trace.path import Path


class Unwritten(Exception):
    """There is no machine code for a guard: Python has to look."""


# Where something is found: the name of an argument, or what leads to it from one or from elsewhere.
Place = str | tuple[Any, ...]


def place_of(path: Path) -> Place:
    """Return the place of a path: one for all paths that lead to it in one way."""
    if path.kind == "argument":
        return str(path.key)
    if path.base is not None:
        return (path.kind, path.key, place_of(path.base))
    if path.kind == "global":
        return (path.kind, id(path.key[0]), path.key[1])
    return (path.kind, id(path.key))


def root_of(path: Path) -> Path:
    """Return where a path begins."""
    while path.base is not None:
        path = path.base
    return path


def function_at(path: Path) -> FunctionType | None:
    """Return the function of which an attribute is at a path."""
    base = path.base
    is_its = path.kind == "attribute" and base is not None and base.kind == "object"
    return base.key if is_its and base is not None and type(base.key) is FunctionType else None


def class_at(path: Path) -> type | None:
    """Return the class of which an attribute is at a path."""
    base = path.base
    is_its = path.kind == "attribute" and base is not None and base.kind == "object"
    return base.key if is_its and base is not None and isinstance(base.key, type) else None


def _held_by_class(path: Path) -> Any:
    """Return the dictionary of a class in which something is at a path, or which is there itself; None where it is elsewhere."""
    held = path.base if path.kind == "item" else path
    if held is None or held.kind != "attribute" or held.key != "__dict__" or held.base is None:
        return None
    if held.base.kind != "object" or not isinstance(held.base.key, type):
        return None
    # What stands before it has nothing but it.
    (found,) = gc.get_referents(vars(held.base.key))
    return found


def holder_of(path: Path) -> Any:
    """Return the dictionary in which what is at a path is found by its name: of globals, of a module, or of a class."""
    if path.kind == "global":
        return path.key[0]
    base = path.base
    if (
        path.kind == "attribute"
        and base is not None
        and base.kind == "object"
        and type(base.key) is ModuleType
    ):
        return vars(base.key)
    return _held_by_class(path)


def name_of(path: Path) -> Any:
    """Return the name by which what is at a path is found in a dictionary."""
    return path.key[1] if path.kind == "global" else path.key
