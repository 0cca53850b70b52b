"""Warnings, logging, files and clocks."""

from __future__ import annotations

import io
import logging
import os
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from transpile.runtime.arrays.cells import STDOUT, Resource
from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.handle import OBJECT_METHODS
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.types import FLOAT, INT, PYBOOL
from transpile.runtime.ops.journal import write
from transpile.runtime.ops.told import is_told

from .hosts import Result, check_handed, host_call

CLOCK = Resource("clock")
_NUMPYS = os.path.join(np.__path__[0], "")


# -- warnings and logging -----------------------------------------------------------------------------------------


def _warn(
    message: Any, category: Any = None, stacklevel: Any = 1, source: Any = None, **options: Any
) -> None:
    """Stand for `warnings.warn`; where it is NumPy's own Python that warns, the original is left to do so, of a call that can be made anew."""
    calls = recorder().calls
    is_of_future = isinstance(category, type) and issubclass(category, (DeprecationWarning, FutureWarning))
    if calls and calls[-1][0].co_filename.startswith(_NUMPYS) and not is_of_future:
        recorder().deoptimise_if(recorder().constant(True, PYBOOL), "NumPy warns")
        return
    kinds = isinstance(category, type) or category is None
    if source is not None or options or not kinds or type(stacklevel) is not int:
        recorder().unstageable("S207-warning", "warnings.warn with these arguments")
    check_handed("warnings.warn", (message,), {}, True)
    host_call(STDOUT, warnings.warn, (message, category, stacklevel), seen=stacklevel, tells=True)


FUNCTIONS[warnings.warn] = _warn


def _logs(name: str, function: Callable[..., None] | str) -> Callable[..., None]:
    def log(*args: Any, stacklevel: Any = 1, **kwargs: Any) -> None:
        if type(stacklevel) is not int:
            recorder().unstageable("S207-warning", f"logging.{name} with a stacklevel of run time")
        check_handed(f"logging.{name}", args, kwargs, True)
        logger = args[0].kind if isinstance(function, str) else type(logging.root)
        options = {"stacklevel": stacklevel, **kwargs}
        host_call(STDOUT, function, args, options, seen=stacklevel, tells=is_told(logger))

    return log


OBJECT_METHODS[logging.Logger] = OBJECT_METHODS[logging.LoggerAdapter] = {}
for _name in ("debug", "info", "warning", "error", "critical", "exception", "log"):
    FUNCTIONS[getattr(logging, _name)] = _logs(_name, getattr(logging, _name))
    OBJECT_METHODS[logging.Logger][_name] = _logs(_name, _name)


# -- files --------------------------------------------------------------------------------------------------------


def _does(name: str, result: Result) -> Callable[..., Any]:
    def method(file: Any, *args: Any, **kwargs: Any) -> Any:
        check_handed(f"{file.kind.__name__}.{name}", args, kwargs)
        return host_call(STDOUT, name, (file, *args), kwargs, result)

    return method


def _write(file: Any, *args: Any, **kwargs: Any) -> Any:
    """Stand for the method `write` of files."""
    check_handed(f"{file.kind.__name__}.write", args, kwargs)
    if issubclass(file.kind, io.TextIOBase) and not kwargs:
        return host_call(STDOUT, "write", (file, *args), {}, INT, noted=write, shows=True)
    return host_call(STDOUT, "write", (file, *args), kwargs, INT)


# The base of all files that are not written in Python.
OBJECT_METHODS[io.StringIO.__mro__[-2]] = {
    "write": _write,
    "writelines": _does("writelines", None),
    "flush": _does("flush", None),
    "close": _does("close", None),
    "truncate": _does("truncate", INT),
    "seek": _does("seek", INT),
    "tell": _does("tell", INT),
    "fileno": _does("fileno", INT),
}


# -- pages of NumPy's ----------------------------------------------------------------------------------------------


def _tells(function: Callable[..., Any]) -> Callable[..., None]:
    """Return what stands for a function that prints what NumPy knows."""

    def tell(*args: Any, **kwargs: Any) -> None:
        if not all(isinstance(thing, (str, int, np.ufunc)) for thing in (*args, *kwargs.values())):
            recorder().unstageable("S206-handed", f"{function.__name__} is handed what it may keep or change")
        host_call(STDOUT, function, args, kwargs)

    return tell


for _function in (np.info, np.show_config, np.show_runtime):
    FUNCTIONS[_function] = _tells(_function)


# -- clocks -------------------------------------------------------------------------------------------------------


def _clock(name: str, result: Result) -> None:
    function = getattr(time, name)

    def read(*args: Any) -> Any:
        check_handed(f"time.{name}", args, {})
        return host_call(CLOCK, function, args, result=result, noted=function, differs=True)

    FUNCTIONS[function] = read


for _name in ("time", "perf_counter", "monotonic", "process_time", "thread_time"):
    _clock(_name, FLOAT)
    _clock(f"{_name}_ns", INT)


def _sleep(seconds: Any) -> None:
    """Stand for `time.sleep`."""
    check_handed("time.sleep", (seconds,), {})
    host_call(CLOCK, time.sleep, (seconds,))


FUNCTIONS[time.sleep] = _sleep
