"""Python's own generators of random numbers, lent to kernels."""

from __future__ import annotations

import ctypes
import random
from dataclasses import dataclass
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

# Note [Python's generators in kernels]
# Python's generator and NumPy's `MT19937` are one method and keep the same words. While a kernel runs, one of NumPy's holds what Python's has held, and what it
# holds is given back before anything else may look: a kernel that draws so keeps the interpreter's lock, but where it waits for Python. Where the words lie in
# the object of Python's generator is known of CPython, and used only if they are seen to lie there.

_WORDS = 624


@dataclass(frozen=True)
class Exchange:
    """Stands for the lock of a generator of Python's: whoever holds it draws from one of NumPy's in its stead."""

    generator: random.Random
    bits: np.random.MT19937

    def _places(self) -> tuple[int, int, int, int]:
        ours, pythons = self.bits.ctypes.state_address, id(self.generator) + object.__basicsize__
        return ours, ours + 4 * _WORDS, pythons + 4, pythons

    def acquire(self) -> None:
        """Take over what the generator holds."""
        words, place, from_words, from_place = self._places()
        ctypes.memmove(words, from_words, 4 * _WORDS)
        ctypes.memmove(place, from_place, 4)

    def release(self) -> None:
        """Give it back."""
        from_words, from_place, words, place = self._places()
        ctypes.memmove(words, from_words, 4 * _WORDS)
        ctypes.memmove(place, from_place, 4)


_stands_in: WeakKeyDictionary[random.Random, np.random.MT19937] = WeakKeyDictionary()


def exchange(generator: random.Random) -> Exchange | None:
    """Return what lends a generator to a call, None where it is not known what it holds."""
    if type(generator) is not random.Random or not _are_known():
        return None
    if generator not in _stands_in:
        _stands_in[generator] = np.random.MT19937(0)
    return Exchange(generator, _stands_in[generator])


@cache
def _are_known() -> bool:
    """Whether the words lie in both generators where they are taken to lie."""
    generator, bits = random.Random(5), np.random.MT19937(0)
    if random.Random.__basicsize__ < object.__basicsize__ + 4 * (_WORDS + 1):
        return False
    first = [generator.random() for _ in range(3)]
    *words, place = generator.getstate()[1]
    begin = id(generator) + object.__basicsize__
    if [*(ctypes.c_uint32 * (_WORDS + 1)).from_address(begin)] != [place, *words]:
        return False
    lent = Exchange(generator, bits)
    lent.acquire()
    state: Any = bits.state["state"]
    if state["key"].tolist() != words or state["pos"] != place:
        return False
    drawn = [*np.random.Generator(bits).random(_WORDS)]
    lent.release()
    again = random.Random(5)
    return [again.random() for _ in range(3 + _WORDS)] == [
        *first,
        *drawn,
    ] and generator.random() == again.random()
