"""Bytes that run time gives: the memory of arrays, and what they are pickled to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import METHODS
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.composites.layout import is_packed, reversed_axes
from transpile.runtime.composites.sequences import as_array

from .deferred import SymbolicText
from .text import as_now


class SymbolicBytes(SymbolicText):
    """Bytes that run time gives."""

    stands_for = bytes  # type: ignore[assignment]

    def __init__(self, make: Callable[..., bytes], *parts: Any) -> None:
        super().__init__(make, parts, is_sure=True)  # type: ignore[arg-type]

    def _needs_bytes(self, *_: Any) -> NoReturn:
        recorder().unstageable("S313-bytes", "bytes that run time gives are looked into")

    __add__ = __radd__ = _needs_bytes


def is_turned(array: SymbolicArray) -> bool:
    """Whether an array lies in Fortran's order, and not in C order; refuses where run time decides."""
    if array.ndim < 2:
        return False
    packed = is_packed(array)
    turned = False if packed else is_packed(reversed_axes(array))
    if packed is None or turned is None:
        recorder().unstageable("S171-strides", "the strides of an array with unknown gaps in memory")
    return turned


def tobytes(self: Any, order: Any = "C") -> Any:
    """Stand for `ndarray.tobytes`."""
    array = as_array(self)
    if order not in ("C", "F", "A", None):
        recorder().unstageable("S144-keyword", f"tobytes(order={order!r}) is not staged")
    wanted = "F" if order == "F" or (order == "A" and is_turned(array)) else "C"
    return SymbolicBytes(np.ndarray.tobytes, as_now(array), wanted)


METHODS["tobytes"] = tobytes


def dumps(self: Any) -> Any:
    """Stand for `ndarray.dumps`."""
    array = as_array(self)
    turned = is_turned(array)
    return SymbolicBytes(_dumped, as_now(array), turned, not isinstance(self, SymbolicArray))


def _dumped(array: Any, turned: bool, is_number: bool) -> bytes:
    return (np.asfortranarray(array) if turned else array[()] if is_number else array).dumps()


METHODS["dumps"] = dumps
