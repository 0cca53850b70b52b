"""Names of files: what `os.path` makes of names, without a look at any file."""

from __future__ import annotations

import os
import os.path
from collections.abc import Callable
from typing import Any

from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.recorder import recorder

from .deferred import SymbolicText
from .text import made_text

# Those that give text, and those that give texts or a truth.
_TEXTS = (os.path.join, os.path.basename, os.path.dirname, os.path.normpath, os.path.normcase, os.fspath)
_OTHERS = (os.path.split, os.path.splitext, os.path.splitdrive, os.path.isabs)


def _of_names(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what stands for a function of names: run time calls it where it gives the names."""

    def call(*names: Any) -> Any:
        if all(isinstance(name, str) for name in names):
            return function(*names)
        if function not in _TEXTS or not all(isinstance(name, (str, SymbolicText)) for name in names):
            recorder().unstageable(
                "S315-path", f"os.path.{function.__name__} is handed what is no known text"
            )
        return made_text(function, True, *names)

    return call


for _function in (*_TEXTS, *_OTHERS):
    FUNCTIONS[_function] = _of_names(_function)
