"""Sorts and searches by NumPy's own routines, which are found in its dtypes."""

from __future__ import annotations

import ctypes
import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import dims_of
from transpile.runtime.views.view import View

from .expression import Buffer, Constant
from .statement import LibraryCall, Operand
from .values import whole

if TYPE_CHECKING:
    from .scheduler import Scheduler

# Note [Sorts]
# A dtype of NumPy's has routines that sort numbers which lie one after the other, `int sort(void *numbers, npy_intp count, void *array)`, and that find their order,
# `int argsort(void *numbers, npy_intp *order, npy_intp count, void *array)`, or where the first extreme is, `int argmax(void *numbers, npy_intp count, npy_intp *place, void *array)`, or multiply two rows of them, `void dot(void *one, npy_intp step, void *other, npy_intp step, void *result, npy_intp count, void *array)`: the ones that NumPy itself calls, the fastest for this CPU. Which of equal numbers comes first is theirs to say. They take no
# memory, but for the stable ones, hold no lock, and look at no array where the numbers are of a plain kind. That NumPy's table of them is laid out as it is published is
# checked by what they do, before any is called by a kernel.

# Where NumPy's table of functions has the one that gives the routines of a dtype, and the one that tells the version of the table.
_ROUTINES, _VERSION = 365, 0
_VERSIONS = (0x02000000,)
# Where the routines stand among those of a dtype: behind 21 casts and 12 others, of each sort the quick one first.
_PLACES = {"argmax": 26, "dot": 27, "sort": 33, "argsort": 36, "argmin": 46}
_PLACES |= {"stable_sort": 35, "stable_argsort": 38}
_KINDS = {None: "", "quicksort": "", "stable": "stable_", "mergesort": "stable_"}
_CHARACTERS = "?bBhHiIlLqQfdFD"
_SAMPLES = (0, 1, 2, 5, 16, 17, 100, 1000)


def sort(scheduler: Scheduler, op: Op) -> bool:
    """Schedule a sort along the last axis; tell whether there is a routine for it."""
    function, known = op.attributes["function"], dict(op.attributes["known"])
    if function not in ("sort", "argsort") or known.get("kind") not in _KINDS:
        return False
    name = f"{_KINDS[known.get('kind')]}{function}"
    (operand,) = op.operands
    dims = dims_of(operand.type)
    dtype, order = operand.type.dtype, operand.type.order  # type: ignore[union-attr]
    if known.get("axis") != len(dims) - 1 or order is not None or routine(name, dtype.char) is None:
        return False
    array = scheduler.arrays[operand]
    if function == "argsort":
        source, target = in_order(scheduler, operand), scheduler.result_target(op)
    else:
        target = scheduler.result_target(op)
        result = scheduler.arrays[op.result]
        scheduler.nest(result, array.at, dims, op.location)  # type: ignore[arg-type]
        source = target  # type: ignore[assignment]
    operands = [Operand(source, View.identity(dims))]
    sizes = {str(axis): dim for axis, dim in enumerate(dims)}
    scheduler.body.append(LibraryCall(name, operands, target, sizes, op.location))
    return True


def sort_by_several(scheduler: Scheduler, op: Op) -> bool:
    """Schedule an order by several vectors, the last of which comes first; tell whether there are routines for it."""
    if op.attributes["function"] != "lexsort" or not op.attributes.get("together"):
        return False
    keys = op.operands
    characters = [key.type.dtype.char for key in keys]  # type: ignore[union-attr]
    if any(len(dims_of(key.type)) != 1 for key in keys):
        return False
    if any(routine("stable_argsort", character) is None for character in characters):
        return False
    result, number = op.results
    target = whole(scheduler.allocate(result))
    order = Operand(target.buffer, View.identity(dims_of(result.type)))
    sizes = {"0": dims_of(result.type)[0]}
    name = "stable_argsort"
    for key in keys:
        operand = Operand(in_order(scheduler, key), View.identity(dims_of(key.type)))
        operands = [operand] if key is keys[0] else [operand, order]
        scheduler.body.append(LibraryCall(name, operands, target.buffer, sizes, op.location))
        name = "further_argsort"
    scheduler.arrays[result] = target
    scheduler.scalars[number] = Constant(0, number.type)  # type: ignore[arg-type]
    return True


def in_order(scheduler: Scheduler, value: Value) -> Buffer:
    """Return an array in memory, in C order: a copy where it does not lie so."""
    stored = scheduler.stored(value)
    if stored.buffer.dims and stored.buffer.layout != "C":
        stored = scheduler.copy(value)
    return stored.buffer


@functools.cache
def routine(function: str, character: str) -> int | None:
    """Return the address of NumPy's routine, "sort" or "argsort", "stable_" or not, "argmax", "argmin" or "dot", for the dtype of a character; None where it is not found."""
    if character not in _CHARACTERS:
        return None
    table = _table()
    if table is None or ctypes.CFUNCTYPE(ctypes.c_uint)(table[_VERSION])() not in _VERSIONS:
        return None
    find = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)(table[_ROUTINES])
    routines = ctypes.cast(find(np.dtype(character)), ctypes.POINTER(ctypes.c_void_p))
    address = routines[_PLACES[function]]
    return address if address and _is_right(function, address, np.dtype(character)) else None


def _table() -> Any:
    """Return the table of functions that NumPy offers to other extension modules."""
    capsule = getattr(np._core._multiarray_umath, "_ARRAY_API", None)  # type: ignore[attr-defined]
    get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
        ("PyCapsule_GetPointer", ctypes.pythonapi)
    )
    return None if capsule is None else ctypes.cast(get(capsule, None), ctypes.POINTER(ctypes.c_void_p))


def _is_right(function: str, address: int, dtype: np.dtype[Any]) -> bool:
    """Whether a routine gives what NumPy gives, of numbers with many that are equal."""
    pointer, size = ctypes.c_void_p, ctypes.c_ssize_t
    name = function.removeprefix("stable_")
    options = {"kind": "stable"} if name != function else {}
    for count in _SAMPLES if name in ("sort", "argsort") else _SAMPLES[1:]:
        numbers = (np.arange(count) * 7919 % 101 % 23).astype(dtype)
        expected = numbers @ numbers[::-1] if function == "dot" else getattr(np, name)(numbers, **options)
        if function == "dot":
            found = np.zeros((), dtype)
            last = numbers[-1:].ctypes.data
            call = ctypes.CFUNCTYPE(None, pointer, size, pointer, size, pointer, size, pointer)(address)
            call(numbers.ctypes.data, dtype.itemsize, last, -dtype.itemsize, found.ctypes.data, count, None)
        elif name == "sort":
            found = numbers.copy()
            ctypes.CFUNCTYPE(ctypes.c_int, pointer, size, pointer)(address)(found.ctypes.data, count, None)
        elif name != "argsort":
            found = np.zeros((), np.intp)
            expected = np.asarray(expected)
            call = ctypes.CFUNCTYPE(ctypes.c_int, pointer, size, pointer, pointer)(address)
            call(numbers.ctypes.data, count, found.ctypes.data, None)
        else:
            found = np.arange(count)
            call = ctypes.CFUNCTYPE(ctypes.c_int, pointer, pointer, size, pointer)(address)
            call(numbers.ctypes.data, found.ctypes.data, count, None)
        if found.tobytes() != expected.tobytes():
            return False
    return True
