"""Files that the function opens for writing: Python opens, writes and closes them at run time, in the program's order."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from typing import Any

from transpile.runtime.arrays.cells import STDOUT
from transpile.runtime.arrays.functions import Method, implements
from transpile.runtime.arrays.handle import SymbolicObject
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.errors import TranspileError
from transpile.runtime.graph.types import INT
from transpile.runtime.ops.journal import journal

from .attempts import Attempt
from .hosts import Result, check_handed, host_call
from .paths import is_name

# What a mode may be, of those that write alone.
_MODES = frozenset(letter + kind for letter in "wxa" for kind in ("", "t", "b"))


class OpenedFile(SymbolicObject):
    """Stands for a file that the call has opened itself: where the original runs the call anew, it is closed, and what was at its path is put back."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        return Method(self, name, _METHODS[name]) if name in _METHODS else super().__getattr__(name)


@implements(open)
def open_(file: Any, mode: Any = "r", *args: Any, **kwargs: Any) -> Any:
    """Stand for `open`, of a path and for writing."""
    check_handed("open", (file, mode, *args), kwargs)
    options = (*args, *kwargs.values())
    if not is_name(file) or not isinstance(mode, str) or not set(map(type, options)) <= _KNOWN:
        recorder().unstageable("S316-open", "open is handed what is no path, or options that run time gives")
    if mode not in _MODES:
        recorder().unstageable("S316-open", f"a file is opened in the mode {mode}")
    kind: type = io.TextIOWrapper
    if "b" in mode:
        unbuffered = 0 in (*args[:1], kwargs.get("buffering"))
        kind = io.FileIO if unbuffered else io.BufferedWriter
    opened = host_call(STDOUT, open, (file, mode, *args), kwargs, kind, seen=1, noted=_open_noted)
    return OpenedFile(opened.value, kind)


_KNOWN = {str, int, bool, type(None)}


def _open_noted(file: Any, *args: Any, **kwargs: Any) -> Any:
    journal().keep_file(os.fspath(file))
    opened = open(file, *args, **kwargs)  # noqa: SIM115 (it is the function that closes it)
    journal().keep_opened(opened)
    return opened


def _does(name: str, result: Result) -> Callable[..., Any]:
    def noted(file: Any, *args: Any) -> Any:
        return getattr(file, name)(*args)

    def method(file: OpenedFile, *args: Any) -> Any:
        check_handed(f"{file.kind.__name__}.{name}", args, {})
        return host_call(STDOUT, name, (file, *args), {}, result, noted=noted)

    return method


_METHODS = {
    "write": _does("write", INT),
    "writelines": _does("writelines", None),
    "flush": _does("flush", None),
    "close": _does("close", None),
}


class Closing(Attempt):
    """Stands for the context manager that a file is: what fails in it at run time, the original runs anew."""

    def __init__(self, file: OpenedFile) -> None:
        super().__init__()
        self.file = file

    def __enter__(self) -> Any:
        super().__enter__()
        return self.file

    def __exit__(self, *failure: Any) -> None:
        super().__exit__(*failure)
        error = failure[1]
        if error is None or (isinstance(error, Exception) and not isinstance(error, TranspileError)):
            self.file.close()
