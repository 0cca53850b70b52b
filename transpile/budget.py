"""What compiling may cost where nobody asked for a function by name: no more time than the program has run for."""

from __future__ import annotations

import functools
import opcode
import types
from time import perf_counter

# What may be spent before anything is earned, in seconds.
_FREE = 1.0
# What converting a function costs: at least, and for each of its instructions, as long as it is not known better.
_LEAST, _EACH = 0.1, 0.003
# How many instructions that guess is worth.
_GUESSED = 200

# What stands behind some instructions, and is none.
_CACHE = opcode.opmap["CACHE"]


class Budget:
    """What has been spent on compiling, of how much code, and since when the program runs."""

    def __init__(self) -> None:
        self._began = perf_counter()
        self._spent = 0.0
        self._instructions = 0

    def cost(self, code: types.CodeType) -> float:
        """Return what it may cost to convert code, in seconds, judged by what has been converted."""
        each = (_EACH * _GUESSED + self._spent) / (_GUESSED + self._instructions)
        return _LEAST + each * _length(code)

    def affords(self, seconds: float) -> bool:
        """Whether it is sound to spend so much."""
        return self._spent + seconds <= max(_FREE, perf_counter() - self._began - self._spent)

    def spend(self, seconds: float, code: types.CodeType) -> None:
        """Note that so much was spent on code."""
        self._spent += seconds
        self._instructions += _length(code)


@functools.lru_cache
def _length(code: types.CodeType) -> int:
    """Return how many instructions code has, with the functions made in it."""
    inner = sum(_length(constant) for constant in code.co_consts if isinstance(constant, types.CodeType))
    places = code.co_code[::2]
    return inner + len(places) - places.count(_CACHE)
