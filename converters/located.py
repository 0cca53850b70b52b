"""Where a function was found, and of which code it is known without looking."""

import ast
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Located:
    """A function's tree, which must not be changed, the name of the innermost class around it, and its module's imports."""

    node: Definition
    class_name: str | None
    imported: frozenset[str]


# Code that was made here, by identity: no file says what it was made of.
_known: dict[int, tuple[weakref.ref[CodeType], Located]] = {}


def know(code: CodeType, located: Located) -> None:
    """Notes what code was made of that is in no file."""
    key = id(code)
    _known[key] = weakref.ref(code, lambda _: _known.pop(key, None)), located


def known(code: CodeType) -> Located | None:
    """Gives what code was made of that is in no file."""
    found = _known.get(id(code))
    return None if found is None else found[1]


def imported_names(function: FunctionType) -> set[str]:
    """Gives the names in a function that its module has probably imported."""
    module, globals_ = function.__module__, function.__globals__
    return {
        name
        for name in _names(function.__code__)
        if name in globals_ and _is_from_elsewhere(globals_[name], module)
    }


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _is_from_elsewhere(thing: object, module: str) -> bool:
    """Says whether a global is probably imported. It is not asked itself, which may be seen."""
    kind = type(thing)
    return kind is ModuleType or (kind in (type, FunctionType) and thing.__module__ != module)
