"""Slices that the program makes of numbers that run time gives, and what they are of a length."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import dim_scalar
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.indexing import as_dim, slice_ends
from transpile.runtime.arrays.numbers import raise_if
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar


@implements(slice)
def make_slice(*bounds: Any) -> slice:
    """Stand for `slice`."""
    made = slice(*bounds)
    known = (type(None), int, np.integer, SymbolicScalar)
    if not all(isinstance(bound, known) for bound in (made.start, made.stop, made.step)):
        recorder().unstageable("S258-slice", "a slice of other than numbers is made")
    return made


@implements(slice.indices)
def indices(key: slice, length: Any) -> tuple[Any, ...]:
    """Stand for `slice.indices`."""
    size = as_dim(length)
    if not recorder().assume_nonnegative(size):
        raise_if(dim_scalar(size) < 0, lambda: ValueError("length should not be negative"))
    return tuple(map(dim_scalar, slice_ends(key, size)))
