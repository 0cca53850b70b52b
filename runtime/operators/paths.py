"""Names of files: what `os.path` and `pathlib` make of names, without a look at any file."""

from __future__ import annotations

import operator
import os
import os.path
import pathlib
from collections.abc import Callable
from typing import Any

from transpile.runtime.arrays.functions import FUNCTIONS, Method, implements
from transpile.runtime.arrays.recorder import recorder

from .byte_strings import SymbolicBytes
from .characters import HandedBytes
from .deferred import SymbolicText
from .text import made_text

# Those that give text, and those that give texts or a truth.
_TEXTS = (os.path.join, os.path.basename, os.path.dirname, os.path.normpath, os.path.normcase, os.fspath)
_OTHERS = (os.path.split, os.path.splitext, os.path.splitdrive, os.path.isabs)


def _of_names(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what stands for a function of names: run time calls it where it gives the names."""

    def call(*names: Any, **named: Any) -> Any:
        if all(isinstance(name, (str, pathlib.PurePath)) for name in (*names, *named.values())):
            return function(*names, **named)
        if named or function not in _TEXTS or not all(map(is_name, names)):
            recorder().unstageable(
                "S315-path", f"os.path.{function.__name__} is handed what is no known text"
            )
        return made_text(function, True, *names)

    return call


for _function in (*_TEXTS, *_OTHERS):
    FUNCTIONS[_function] = _of_names(_function)


# What stands for methods of paths, by name.
PATH_METHODS: dict[str, Callable[..., Any]] = {}


class SymbolicPath(SymbolicText):
    """A path of `pathlib` that run time gives."""

    stands_for = type(pathlib.Path())  # type: ignore[assignment]

    def __init__(self, make: Callable[..., Any], *parts: Any) -> None:
        super().__init__(make, parts, is_sure=True)

    def __truediv__(self, other: Any) -> Any:
        return SymbolicPath(operator.truediv, self, other) if is_name(other) else NotImplemented

    def __rtruediv__(self, other: Any) -> Any:
        return SymbolicPath(operator.truediv, other, self) if is_name(other) else NotImplemented

    __add__ = __radd__ = SymbolicText._needs_text

    def __getattr__(self, name: str) -> Any:
        method = PATH_METHODS.get(name)
        return super().__getattr__(name) if method is None else Method(self, name, method)

    @property
    def parent(self) -> Any:
        """What stands for `path.parent`."""
        return SymbolicPath(operator.attrgetter("parent"), self)


def _part(name: str) -> property:
    return property(lambda self: SymbolicText(operator.attrgetter(name), (self,), is_sure=True))


for _name in ("name", "stem", "suffix"):
    setattr(SymbolicPath, _name, _part(_name))


def is_name(thing: Any) -> bool:
    """Whether a thing names a file."""
    return isinstance(thing, (str, pathlib.PurePath, SymbolicText)) and not isinstance(
        thing, (SymbolicBytes, HandedBytes)
    )


@implements(pathlib.Path)
def path(*names: Any) -> Any:
    """Stand for `pathlib.Path`."""
    if not all(map(is_name, names)):
        recorder().unstageable("S315-path", "pathlib.Path is handed what is no text")
    return SymbolicPath(pathlib.Path, *names) if any(map(is_given, names)) else pathlib.Path(*names)


def is_given(name: Any) -> bool:
    """Whether run time gives a name."""
    return isinstance(name, SymbolicText)


def _behind(text: SymbolicText, other: Any) -> Any:
    return (
        SymbolicPath(operator.truediv, other, text) if isinstance(other, pathlib.PurePath) else NotImplemented
    )


# Of a path that is known, and a name behind it that run time gives.
SymbolicText.__rtruediv__ = _behind  # type: ignore[attr-defined]
