"""The inner loops of NumPy's ufuncs: found, named and described."""

from __future__ import annotations

import ctypes
import importlib
import sys
from threading import RLock
from typing import Any, NamedTuple

import numpy as np

from . import symbols

# Note [Inner loops]
# A ufunc object holds, for every type signature, a compiled loop ``void loop(char **args, npy_intp *dimensions,
# npy_intp *steps, void *data)``, the fastest that NumPy has for this CPU, and the pointer to hand to it as ``data``.
# Kernels call these loops: the bits are NumPy's because the code is. The pair is copied into a cell, and the cell's
# address is bound to a name made of the ufunc and the signature, ``transpile_np_exp_d_d`` (Note [Symbols]).
#
# The layout of a ufunc object is part of NumPy's public C interface, but is checked field by field against what the
# object says in Python, integers before any pointer is followed; at the first disagreement there is no loop.
#
# Loops of objects need the interpreter, loops of long double have no numba arrays: neither is offered. Half-precision
# operands are passed in arrays of uint16, datetimes in arrays of int64: only bytes count. All loops run without the
# GIL; those of ``may_raise`` take it for themselves where they leave a Python exception behind.

# Note [Loops that look at their operands]
# Most loops give the same bits however they are called: in blocks, one element at a time, contiguous or strided, in
# place. Some do not, and then NumPy's own results depend on how an operand lies in memory:
#
#   power of float32, float64           an exponent with step 0 that is 2 or 0.5 becomes x * x or sqrt(x)
#   clip of floats                      between bounds with step 0, a number that equals one stays, with the sign of its zero
#   every other transcendental loop     vector code for contiguous and strided operands, libm's function where a step
#     of float32, float64 that has        is negative or input and output overlap without being the same (not sin,
#     vector code                         cos, tanh, nor exp and log in single precision)
#   transcendental loops of float16     vector code where every operand is contiguous, else libm's function
#   multiply, square, absolute of       fused multiply-add in the vector code; none where operands overlap, where the
#     complex64, complex128               output's step is 0, or, for some of them, where both are strided
#   isnan, isinf, isfinite, signbit     true is stored as 255 in a strided output
#   fmax, fmin of signed zeros; sign    vector code and the rest of an array that fills no vector differ: blocks of a
#     and payload of NaN in add,          power of two, 64 or more, counted from the start of NumPy's own run, split
#     multiply, square, fmax, fmin        where NumPy splits; blocks of 500 do not
#
# NumPy calls a loop on the whole of a one-dimensional or jointly contiguous operand with its own step, negative ones
# too; with step 0 for an operand of no dimensions; and else on what its iterator gives, which has sorted axes by
# stride, turns those that run backward in all operands where no result is new, and copies operands through buffers
# where rows are short (Note [Buffers]); of one number see Note [One number]. So a fused nest gives NumPy's bits when
# its blocks are contiguous where NumPy would have had a temporary, and a scalar operand has step 0, but not an array of
# one number (`stepped`, of the ops that look at steps alone). Where the program
# itself hands a reversed or strided view to one of these loops (``depends_on_layout``), pass the view on as it is.

_LIBRARIES = {
    "np": "numpy",
    "umath": "numpy._core.umath",
    "linalg": "numpy.linalg._umath_linalg",
    "fft": "numpy.fft._pocketfft_umath",
    "special": "scipy.special",
}
_LAYOUTS = {
    **dict.fromkeys(["sin", "cos", "tanh"], "e"),
    **dict.fromkeys(["exp", "log"], "ed"),
    **dict.fromkeys(["tan", "exp2", "expm1", "log2", "log10", "log1p", "cbrt", "sinh", "cosh"], "efd"),
    **dict.fromkeys(["arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh"], "efd"),
    **dict.fromkeys(["arctan2", "power", "isnan", "isinf", "isfinite", "signbit"], "fd"),
    **dict.fromkeys(["multiply", "square", "absolute"], "FD"),
}
_CLEARING = {
    "absolute",
    "negative",
    "sign",
    "signbit",
    "tanh",
    "left_shift",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
}
_CLEARING |= {
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "isnan",
    "isinf",
    "isfinite",
}
_CLEARING |= {"logical_and", "logical_or"}
_REFUSED = frozenset("OgG")
_CHARACTERS = {np.dtype(c).num: c for c in "?bBhHiIlLqQefdgFDGOSUVMm"}


class Loop(NamedTuple):
    """One inner loop: its symbol, the types of its operands and its core dimensions per operand."""

    symbol: str
    inputs: str
    outputs: str
    dimensions: tuple[str, ...]
    operands: tuple[tuple[str, ...], ...]


class _Cell(ctypes.Structure):
    _fields_ = [("function", ctypes.c_void_p), ("data", ctypes.c_void_p)]


class _UfuncFields(ctypes.Structure):
    """``PyUFuncObject`` from behind its head to ``types``, and on to the core dimensions."""

    _fields_ = [
        ("nin", ctypes.c_int),
        ("nout", ctypes.c_int),
        ("nargs", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("ntypes", ctypes.c_int),
        ("reserved1", ctypes.c_int),
        ("name", ctypes.c_void_p),
        ("types", ctypes.POINTER(ctypes.c_ubyte)),
        ("doc", ctypes.c_void_p),
        ("ptr", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
        ("userloops", ctypes.c_void_p),
        ("core_enabled", ctypes.c_int),
        ("core_num_dim_ix", ctypes.c_int),
    ]


_lock = RLock()


_cells: dict[str, _Cell] = {}  # never emptied: linked code reads the cells
_loops: dict[str, Loop] = {}


def signature(ufunc: np.ufunc, wanted: str) -> str | None:
    """The ufunc's own signature for ``wanted``, whose types may have another spelling (``q`` for ``l``)."""
    if wanted in ufunc.types:
        return str(wanted)

    def dtypes(text: str) -> list[np.dtype[Any] | str]:
        return [np.dtype(c) if c not in "->" else c for c in text]

    meant = dtypes(wanted)
    return next((str(own) for own in ufunc.types if len(own) == len(wanted) and dtypes(own) == meant), None)


def symbol(ufunc: np.ufunc, wanted: str) -> str | None:
    """The name of a ufunc's inner loop, bound in this process; None where there is no such loop to call."""
    found = find(ufunc, wanted)
    return found.symbol if found else None


def find(ufunc: np.ufunc, wanted: str) -> Loop | None:
    """A ufunc's inner loop for a signature such as ``"dd->d"``; None where there is none that a kernel can call."""
    loaded = ((short, sys.modules.get(module)) for short, module in _LIBRARIES.items())
    library = next(
        (short for short, module in loaded if getattr(module, ufunc.__name__, None) is ufunc), None
    )
    own = signature(ufunc, wanted)
    if library is None or own is None or _REFUSED & set(own):
        return None
    inputs, outputs = own.split("->")
    spelled = f"{inputs}_{outputs}".replace("?", "t")
    name = f"transpile_{library}_{ufunc.__name__}_{spelled}"
    with _lock:
        if name not in _loops:
            cell = _read_cell(ufunc, own)
            if cell is None:
                return None
            operands = _core_dimensions(ufunc)
            dimensions = tuple(dict.fromkeys(d for operand in operands for d in operand))
            _cells[name] = cell
            _loops[name] = Loop(name, inputs, outputs, dimensions, operands)
            symbols.bind(name, ctypes.addressof(cell))
        return _loops[name]


def named(name: str) -> Loop:
    """The inner loop of a symbol, bound in this process; raises LookupError where NumPy has none."""
    with _lock:
        if name not in _loops:
            symbols.register([name])
        return _loops[name]


def depends_on_layout(found: Loop) -> bool:
    """Whether the loop's bits may depend on its operands' steps: see Note [Loops that look at their operands]."""
    name = found.symbol.split("_", 2)[2].rsplit("_", 2)[0]
    return found.inputs[0] in _LAYOUTS.get(name, "")


def clears_flags(found: Loop) -> bool:
    """Whether the loop may clear the processor's status flags, so that they are read before it is called."""
    _, library, name = found.symbol.split("_", 2)
    return library != "np" or name.rsplit("_", 2)[0] in _CLEARING


def may_raise(found: Loop) -> bool:
    """Whether the loop can leave a Python exception behind: integers to negative integer powers do."""
    return "_power_" in found.symbol and found.outputs in "bhilq"


def _core_dimensions(ufunc: np.ufunc) -> tuple[tuple[str, ...], ...]:
    """The core dimensions of each operand: ``"(m,n),(n)->(m)"`` is (m, n), (n,), (m,)."""
    if ufunc.signature is None:
        return ((),) * ufunc.nargs
    text = ufunc.signature.replace(" ", "").replace("?", "").replace("->", ",")
    return tuple(tuple(d for d in part.split(",") if d) for part in text[1:-1].split("),("))


def _read_cell(ufunc: np.ufunc, own: str) -> _Cell | None:
    """Loop and data of one of the ufunc's signatures, or None where the object is not laid out as expected."""
    head = object.__basicsize__
    if type(ufunc) is not np.ufunc or np.ufunc.__basicsize__ < head + ctypes.sizeof(_UfuncFields):
        return None
    fields = _UfuncFields.from_address(id(ufunc) + head)
    counts = (fields.nin, fields.nout, fields.nargs, fields.ntypes)
    if counts != (ufunc.nin, ufunc.nout, ufunc.nargs, ufunc.ntypes):
        return None
    core = {d for operand in _core_dimensions(ufunc) for d in operand}
    if (fields.core_enabled, fields.core_num_dim_ix) != (int(ufunc.signature is not None), len(core)):
        return None
    if not (fields.name and fields.types and fields.functions):
        return None
    if ctypes.string_at(fields.name) != ufunc.__name__.encode():
        return None
    characters = [_CHARACTERS.get(number, " ") for number in fields.types[: ufunc.nargs * ufunc.ntypes]]
    rows = ["".join(characters[k : k + ufunc.nargs]) for k in range(0, len(characters), ufunc.nargs)]
    if [f"{row[: ufunc.nin]}->{row[ufunc.nin :]}" for row in rows] != list(ufunc.types):
        return None
    row = ufunc.types.index(own)
    data = fields.data[row] if fields.data else None
    return _Cell(fields.functions[row], data) if fields.functions[row] else None


def _resolver(library: str) -> symbols.Resolver:
    """Finds the loop of ``exp_d_d`` in a library; the types are what stands behind the last two underscores."""

    def resolve(rest: str) -> int | None:
        name, _, outputs = rest.rpartition("_")
        name, _, inputs = name.rpartition("_")
        try:
            ufunc = getattr(importlib.import_module(_LIBRARIES[library]), name, None)
        except ImportError:
            return None
        if type(ufunc) is not np.ufunc or not inputs:
            return None
        found = find(ufunc, f"{inputs}->{outputs}".replace("t", "?"))
        return ctypes.addressof(_cells[found.symbol]) if found else None

    return resolve


for _short in _LIBRARIES:
    symbols.provide(_short, _resolver(_short))
