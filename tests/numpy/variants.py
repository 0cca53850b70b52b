"""The arguments of sample calls in every dtype, layout and shape, with ordinary numbers and extreme ones."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.ops.operands import numbers
from transpile.samples import ARGUMENTS, Sample

Array = np.ndarray[Any, Any]

DTYPES = tuple(np.dtype(c) for c in "?bBhHiIlLefdFD")
# Index arrays, masks and records keep their dtypes; so does what is an index as often as a number, unless it becomes another integer.
_KEPT = frozenset("ijgMtrq")


def _gaps(array: Array) -> Array:
    memory = np.zeros(tuple(2 * size for size in array.shape), array.dtype)
    result = memory[(slice(None, None, 2),) * array.ndim]
    result[...] = array
    return result


def _inner(array: Array) -> Array:
    memory = np.zeros(tuple(size + 2 for size in array.shape), array.dtype)
    result = memory[(slice(1, -1),) * array.ndim]
    result[...] = array
    return result


def _turned(array: Array) -> Array:
    axes = (*range(1, array.ndim), 0) if array.ndim else ()
    return np.ascontiguousarray(array.transpose(axes)).transpose(np.argsort(axes)) if axes else array.copy()


LAYOUTS: dict[str, Callable[[Array], Array]] = {
    "C": lambda array: array.copy(),
    "Fortran": lambda array: np.asfortranarray(array.copy()),
    "gaps": _gaps,
    "backwards": lambda array: np.flip(np.flip(array).copy()),
    "inner rows": _inner,
    "turned": _turned,
    # Of other shapes.
    "0-d": lambda array: array.reshape(-1)[:1].reshape(()).copy(),
    "one element": lambda array: array[(slice(1),) * array.ndim].copy(),
    "empty": lambda array: array[:0].copy(),
    "empty at the end": lambda array: array[..., :0].copy(),
}


@dataclass(frozen=True)
class Variant:
    """How the arguments of a call are made."""

    dtype: np.dtype[Any]
    layout: str
    extreme: bool

    def arguments(self, sample: Sample) -> list[Any]:
        """Return the arguments of a sample call, anew each time."""
        return [self._made(name, ARGUMENTS[name]) for name in sample.names]

    def _made(self, name: str, thing: Any) -> Any:
        if not isinstance(thing, np.ndarray):
            return deepcopy(thing)
        values = thing
        if name not in _KEPT and not (thing.dtype.kind in "iu" and self.dtype.kind not in "iu"):
            values = self._filled(thing)
        return LAYOUTS[self.layout](values)

    def _filled(self, thing: Array) -> Array:
        if self.extreme:
            return np.resize(numbers(self.dtype), thing.shape)
        real = thing.real if self.dtype.kind != "c" else thing
        real = np.nan_to_num(real) if self.dtype.kind in "biu" else real
        with np.errstate(all="ignore"):
            return (abs(real) if self.dtype.kind == "u" else real).astype(self.dtype)

    def __str__(self) -> str:
        return f"{self.dtype} {self.layout}{' extreme' if self.extreme else ''}"


def variants() -> Iterator[Variant]:
    """Return all variants."""
    return itertools.starmap(Variant, itertools.product(DTYPES, LAYOUTS, (False, True)))


def chosen(sample: Sample, count: int) -> list[Variant]:
    """Return some variants for a sample call, always the same ones: the text decides."""
    digest = hashlib.sha256(sample.text.encode()).digest()
    every = list(variants())
    return [every[int.from_bytes(digest[2 * place : 2 * place + 2]) % len(every)] for place in range(count)]


def covering(sample: Sample) -> list[Variant]:
    """Return variants for a sample call that have every dtype, every layout and both kinds of numbers, always the same ones."""
    first = int.from_bytes(hashlib.sha256(sample.text.encode()).digest()[-4:-1])
    return [
        Variant(dtype, tuple(LAYOUTS)[place % len(LAYOUTS)], place // len(LAYOUTS) % 2 == turn % 2)
        for turn, (place, dtype) in enumerate(enumerate(DTYPES, first))
    ]


def is_chosen(sample: Sample, one_in: int) -> bool:
    """Whether a sample call is one of the few of so many, always the same ones."""
    return hashlib.sha256(sample.text.encode()).digest()[-1] % one_in == 0
