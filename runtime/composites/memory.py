"""Whether arrays lie in the same memory, where tracing knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.recorder import recorder

from .calls import refuse
from .sequences import as_array


@implements(np.may_share_memory, np.shares_memory)
def shares_memory(a: Any, b: Any, /, max_work: Any = None) -> bool:
    """Stand for `numpy.shares_memory`, of arrays that are made in the function, or show the very same elements."""
    one, other = as_array(a), as_array(b)
    if one.shows_same(other) and all(recorder().speculate(dim - 1) for dim in one.dims):
        return True
    if any(recorder().speculate(-dim) for dim in (*one.dims, *other.dims)):
        return False
    if one.storage is other.storage or not (_is_own(one) or _is_own(other)):
        refuse("shares_memory", "of what run time gives the places of in memory")
    return False


def _is_own(array: SymbolicArray) -> bool:
    """Whether the memory of an array was made in the function, and no other array can be known to lie there."""
    storage = array.storage
    return storage.input is None and not (
        storage.aliases or storage.copied or storage.origins or storage.is_view
    )


def __array_wrap__(self: SymbolicArray, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
    """Return an array that a function of NumPy's gives: it is of no class of its own."""
    return array


# What NumPy's functions make their results arrays of the operand's class by.
SymbolicArray.__array_wrap__ = __array_wrap__  # type: ignore[attr-defined]
