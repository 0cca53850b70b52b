"""Generators of random numbers, lent to kernels."""

from __future__ import annotations

import ctypes
import importlib
import math
import random
from functools import cache
from typing import Any

import numpy as np

from . import python_generators, symbols
from .upcall import Call

# Note [Generators in kernels]
# A generator is lent to a call: its lock is held while the kernel runs, not while it waits for Python, and all locks of a call are taken in one order. What the call has
# made itself nobody else draws from.
# What is handed to the kernel is the address of the generator's C interface (`bitgen_t`): a state, and functions that draw from it. Distributions are NumPy's own functions of
# that, which its extension modules export on some platforms; where one is not found, Python is called.
#
# The old generators draw normal numbers in pairs, and keep the second one in a structure that NumPy hands out nowhere: the address of the C interface, a flag and the
# number, in the object of the generator itself. It is found by that address, and used only if it, and the numbers that are computed by the published method, are seen to be NumPy's.

# Where a `bitgen_t` has its function for doubles, and the old generators' structure its flag and its number.
NEXT_DOUBLE, HAS_GAUSS, GAUSS = 24, 8, 16


def _exported(name: str) -> int | None:
    """Return the address of a function of NumPy's generators, None where it is not exported."""
    try:
        library = ctypes.CDLL(importlib.import_module("numpy.random._generator").__file__)
        return ctypes.cast(library[name], ctypes.c_void_p).value
    except (OSError, AttributeError, ImportError):
        return None


symbols.provide("random", _exported)


def symbol(name: str) -> str:
    """Return the symbol of a function of NumPy's generators."""
    return f"transpile_random_{name}"


@cache
def is_exported(name: str) -> bool:
    """Whether kernels can call a function of NumPy's generators, whose symbol is bound then."""
    try:
        symbols.register([symbol(name)])
    except LookupError:
        return False
    return True


_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def lend(call: Call, generator: Any, gauss: bool, is_shared: bool) -> int:
    """Lend a generator to a call; return the address of what its kernel draws from, 0 where there is none."""
    if isinstance(generator, random.Random):
        return python_generators.address(generator)
    old = isinstance(generator, np.random.RandomState)
    bits = generator._bit_generator if old else generator.bit_generator
    if is_shared:
        call.lock(bits.lock)
    if gauss:
        place = _place_of_gauss()
        return id(generator) + place if place else 0
    return int(_pointer(bits.capsule, b"BitGenerator") or 0)


@cache
def _place_of_gauss() -> int:
    """Return where in an old generator the structure lies that keeps a normal number, 0 if NumPy is another one than is known."""
    generator = np.random.RandomState(1)
    size = np.random.RandomState.__basicsize__
    words = (ctypes.c_int64 * (size // 8)).from_address(id(generator))
    inside = range(id(generator), id(generator) + size)
    places = (8 * place for place in range(len(words) - 2) if words[place] in inside)
    return next(filter(_keeps_gauss, places), 0)


def _keeps_gauss(place: int) -> bool:
    """Whether an old generator keeps there the second of two normal numbers, which are those of the method that kernels follow."""
    generator, uniform = np.random.RandomState(1), np.random.RandomState(1)
    flag = ctypes.c_int.from_address(id(generator) + place + HAS_GAUSS)
    kept = ctypes.c_double.from_address(id(generator) + place + GAUSS)
    return all(_agrees(generator, uniform, flag, kept) for _ in range(200))


def _agrees(generator: Any, uniform: Any, flag: Any, kept: Any) -> bool:
    """Whether this is so of the next two numbers."""
    while True:
        x, y = 2.0 * uniform.random_sample() - 1.0, 2.0 * uniform.random_sample() - 1.0
        square = x * x + y * y
        if 0.0 < square < 1.0:
            break
    factor = math.sqrt(-2.0 * math.log(square) / square)
    first, waits, second = generator.standard_normal(), flag.value, kept.value
    return (first, waits, second) == (factor * y, 1, factor * x) and generator.standard_normal() == second
