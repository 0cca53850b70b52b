"""The machine code of a kernel: what Python calls, and the function that it is for the processor."""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

from . import records
from .c_code import Method
from .toolkit import llvm

_lock = Lock()


class Lies(NamedTuple):
    """An array as it is handed to machine code: how many axes it has, and how large its elements are."""

    ndim: int
    itemsize: int


@dataclass(frozen=True, eq=False)
class MachineFunction:
    """A compiled kernel: what is called with Python's objects; the address of what that calls, and numba's names of what this takes and gives, but for arrays."""

    call: Callable[..., Any]
    address: int
    arguments: tuple[Lies | str, ...]
    returned: tuple[str, ...]


class Parts(NamedTuple):
    """What is kept of one: machine code, and the names in it of what Python calls and of the function itself."""

    code: bytes
    wrapper: str
    function: str
    arguments: tuple[Lies | str, ...]
    returned: tuple[str, ...]


_WITH_KEYWORDS = 0x1 | 0x2


def callable_at(address: int, name: str, keeps: Any) -> Any:
    """Return the function of Python's whose code, of what takes a tuple and a dictionary, is at an address; `keeps` lives as long as it."""
    method = Method(name.encode(), address, _WITH_KEYWORDS, None)
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    function = make(("PyCFunction_NewEx", ctypes.pythonapi))
    return function(ctypes.addressof(method), (method, keeps), None)


@cache
def bind_memory_helpers() -> None:
    """Let code find what manages memory for it. What numba adds to these for its own code it compiles in each process anew, which takes as long as a trace."""
    for name, address in records.helpers.items():
        llvm.add_symbol(name, address)


@cache
def _bind_numbas_helpers() -> None:
    """Let code find what numba itself does for it, as to take complex numbers out of objects: seldom asked for, and all of numba is loaded then."""
    for module in ("numba._helperlib", "numba._dynfunc"):
        for name, address in importlib.import_module(module).c_helpers.items():
            llvm.add_symbol(f"numba_{name}", address)


@cache
def _engine() -> Any:
    """Return LLVM's engine that holds all kernels which were found on disk: for as long as the process."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


def loaded(parts: Parts) -> MachineFunction:
    """Return a kernel whose machine code another process has made."""
    bind_memory_helpers()
    if b"numba_" in parts.code:
        # A symbol that is not bound is address 0, which is called.
        _bind_numbas_helpers()
    with _lock:
        engine = _engine()
        engine.add_object_file(llvm.ObjectFileRef.from_data(parts.code))
        engine.finalize_object()
        wrapper, address = map(engine.get_function_address, (parts.wrapper, parts.function))
    if not wrapper or not address:
        raise LookupError(f"there is no {parts.function} in what was kept")
    called = callable_at(wrapper, parts.function, engine)
    return MachineFunction(called, address, parts.arguments, parts.returned)
