"""Stable names for the addresses that kernels are linked against."""

from __future__ import annotations

import ctypes
import importlib
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from threading import Lock
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from transpile.runtime.disk import Store

# Note [Symbols]
# A kernel refers to what lies outside of it by name, never by address: numba keeps the machine code of kernels on
# disk, and the next process finds NumPy, libm and our own callbacks elsewhere. A name says by itself what it stands
# for, ``transpile_<kind>_<rest>``, so a process that knows only the names a stored kernel was linked with can bind
# them anew, before the kernel is loaded. LLVM treats address 0 as "not found": a symbol never stands for a pointer
# that may be null, but for a cell which holds it.

Resolver = Callable[[str], "int | None"]

# Which module finds the addresses of each kind of name: a process that loads kernels has seldom use for all of them.
_HOMES = {"fast": "fast_loops", "random": "generators", "py": "c_code", "result": "result_arrays"}
_HOMES |= {"sorts": "sort_symbols", "builtin": "python_symbols", "class": "python_symbols"}
_HOMES |= {kind: kind for kind in ("pool", "threads", "upcall")}
_HOMES |= dict.fromkeys(("np", "umath", "linalg", "special"), "ufunc_loops")

_STORE = Store("object")
_lock = Lock()
_resolvers: dict[str, Resolver] = {}
_bound: dict[str, int] = {}


def provide(kind: str, resolver: Resolver) -> None:
    """Have ``resolver`` find the addresses of the names ``transpile_<kind>_<rest>``, given the rest."""
    _resolvers[kind] = resolver


def bind(name: str, address: int) -> None:
    """Make ``name`` stand for ``address`` in all code linked from now on."""
    with _lock:
        if _bound.get(name) != address:
            llvm.add_symbol(name, address)
            _bound[name] = address


def register(names: Iterable[str]) -> None:
    """Bind every name; raises LookupError for one that means nothing in this process."""
    for name in names:
        if name in _bound:
            continue
        prefix, _, rest = name.partition("_")
        kind, _, rest = rest.partition("_")
        if kind in _HOMES and kind not in _resolvers:
            importlib.import_module(f".{_HOMES[kind]}", __package__)
        resolver = _resolvers.get(kind) if prefix == "transpile" else None
        address = resolver(rest) if resolver else None
        if not address:
            raise LookupError(f"nothing is known under the symbol {name!r}")
        bind(name, address)


def address(name: str) -> int:
    """Return what a name stands for; raises LookupError for one that means nothing in this process."""
    register([name])
    return _bound[name]


def machine_code(text: str, effort: int = 0) -> Any:
    """Return LLVM's engine with the code of a module for this process: made in haste, unless more `effort` is asked for, as such code is short. It is never unloaded."""
    register(sorted(set(re.findall(r"@(transpile_[a-z]+_\w+)\(", text))))
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=effort, jit=True)
    content = f"{llvm.llvm_version_info} {machine.triple} {effort}\n{text}"
    code = _STORE.load(content)
    if code is None:
        code = machine.emit_object(llvm.parse_assembly(text))
        _STORE.save(content, code)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    keep(engine)
    return engine


def keep(thing: Any) -> None:
    """Keep a thing until the process is gone: what ends last may still call it."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))


@cache
def _libraries() -> list[ctypes.CDLL]:
    """The C library and its mathematics, as the interpreter itself is linked with them."""
    if sys.platform == "win32":
        return [ctypes.CDLL("ucrtbase")]
    try:
        return [ctypes.CDLL("libm.so.6"), ctypes.CDLL(None)]
    except OSError:  # no glibc: the C library holds all
        return [ctypes.CDLL(None)]


def c_address(name: str) -> int | None:
    """The address of a function of the C library."""
    for library in _libraries():
        if hasattr(library, name):
            return ctypes.cast(library[name], ctypes.c_void_p).value
    return None


def c_symbol(name: str) -> str:
    """The symbol of a function of the C library, bound; LLVM knows nothing of it and leaves its calls alone."""
    symbol = f"transpile_c_{name}"
    register([symbol])
    return symbol


provide("c", c_address)
provide("types", lambda rest: id(np.ndarray) if rest == "ndarray" else None)
