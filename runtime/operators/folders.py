"""What is asked of files and folders by their names, and folders that are made: Python does so at run time, in the program's order."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable
from typing import Any

from transpile.runtime.arrays.cells import STDOUT
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.types import PYBOOL
from transpile.runtime.ops.journal import journal

from .hosts import host_call
from .paths import PATH_METHODS, is_name

# By the names of the methods of paths that ask the same.
_ASKS = {"exists": os.path.exists, "is_file": os.path.isfile, "is_dir": os.path.isdir}


def _asks(function: Callable[[Any], bool]) -> Callable[..., Any]:
    def ask(*names: Any, **named: Any) -> Any:
        if not all(map(is_name, (*names, *named.values()))):
            recorder().unstageable("S315-path", f"os.path.{function.__name__} is handed what is no name")
        return host_call(STDOUT, function, names, named, PYBOOL, noted=function)

    return ask


for _name, _function in _ASKS.items():
    PATH_METHODS[_name] = _asks(_function)
    FUNCTIONS[_function] = FUNCTIONS[getattr(pathlib.Path, _name)] = PATH_METHODS[_name]


@implements(os.makedirs)
def makedirs(name: Any, mode: Any = 0o777, exist_ok: Any = False) -> None:
    """Stand for `os.makedirs`."""
    if not is_name(name) or type(mode) is not int or type(exist_ok) is not bool:
        recorder().unstageable("S315-path", "os.makedirs is handed what is not known while tracing")
    host_call(STDOUT, os.makedirs, (name, mode, exist_ok), noted=_make_noted)


def _make_noted(name: Any, mode: int, exist_ok: bool) -> None:
    place = os.path.abspath(os.fspath(name))
    missing = []
    while not os.path.lexists(place):
        missing.append(place)
        place = os.path.dirname(place)
    for folder in reversed(missing):
        journal().keep_folder(folder)
    os.makedirs(name, mode, exist_ok)


@implements(pathlib.Path.mkdir)
def mkdir(path: Any, mode: Any = 0o777, parents: Any = False, exist_ok: Any = False) -> None:
    """Stand for `path.mkdir`, with all folders above it."""
    if parents is not True:
        recorder().unstageable("S315-path", "path.mkdir without parents=True")
    makedirs(path, mode, exist_ok)


PATH_METHODS["mkdir"] = mkdir
