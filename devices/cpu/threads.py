"""Threads that run pieces of kernels' loops: who starts them, and how many there may be. See Note [Threads]."""

from __future__ import annotations

import atexit
import ctypes
import os
from threading import Lock
from typing import Any

import numpy as np

from . import numbas_settings, symbols
from .workers import MOST, TEXT, available

_Run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
_Function = ctypes.CFUNCTYPE(None)
# What says how many threads NumPy's BLAS may have.
_BLAS = (
    "scipy_openblas_get_num_threads64_",
    "scipy_openblas_get_num_threads",
    "openblas_get_num_threads64_",
    "openblas_get_num_threads",
    "MKL_Get_Max_Threads",
)
_lock = Lock()
_engines: list[Any] = []


def _blas() -> int | None:
    library = ctypes.CDLL(np._core._multiarray_umath.__file__)  # type: ignore[attr-defined]
    found = (getattr(library, name) for name in _BLAS if hasattr(library, name))
    return next((ctypes.cast(function, ctypes.c_void_p).value for function in found), None)


def engine() -> Any:
    """Return the machine code of this process that hands out loops, made when the first one is long enough."""
    with _lock:
        if not _engines:
            made = symbols.machine_code(TEXT)
            limit(made, numbas_settings.threads())
            ctypes.c_void_p.from_address(made.get_global_value_address("blas")).value = _blas()
            stop, forget = (_Function(made.get_function_address(name)) for name in ("stop", "forget"))
            os.register_at_fork(before=stop, after_in_child=forget)
            atexit.register(stop)
            _engines.append(made)
        return _engines[0]


def be_patient(nanoseconds: int) -> None:
    """Have a loop never run alone for longer than this after a worker was waited for."""
    ctypes.c_int64.from_address(engine().get_global_value_address("patience")).value = nanoseconds
    ctypes.c_int64.from_address(engine().get_global_value_address("alone_until")).value = 0


def limit(made: Any, threads: int) -> None:
    """Have no more than so many threads run a loop."""
    place = made.get_global_value_address("most")
    ctypes.c_int64.from_address(place).value = max(1, min(threads, MOST))


def _prepare(piece: int, closure: int, turns: int, wanted: int) -> None:
    """Run the first loop: from then on, what is called is the machine code itself."""
    environment = (ctypes.c_int64 * 8)()
    _get(environment)
    _runner.value = engine().get_function_address("run")
    _set(environment)
    _Run(_runner.value)(piece, closure, turns, wanted)


_first = _Run(_prepare)
# Where kernels find who runs their loops.
_runner = ctypes.c_void_p(ctypes.cast(_first, ctypes.c_void_p).value)
symbols.provide("threads", lambda rest: ctypes.addressof(_runner) if rest == "runner" else None)
if available:
    _get, _set = (
        ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(symbols.c_address(name) or 0)
        for name in ("fegetenv", "fesetenv")
    )
    # A process that forks waits for what is being compiled.
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)
