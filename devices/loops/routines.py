"""NumPy's own routines that sort and search, which are found in its dtypes."""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import numpy as np

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
_CHARACTERS = "?bBhHiIlLqQfdFD"
_SAMPLES = (0, 1, 2, 5, 16, 17, 100, 1000)


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
