"""What kernels call of Python's: found by name by a later process that runs a kept kernel, without what schedules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from transpile.runtime.ops.scalars import index_error
from transpile.runtime.recipes import recipe


@recipe
def out_of_range(axis: int) -> Callable[[int, int], IndexError]:
    """Return what makes the error for an index along an axis."""
    return lambda position, size: index_error(position, axis, size)


def stored_exception(*values: Any) -> BaseException:
    """Stand for the exception of a call of Python, which is kept by the call."""
    raise AssertionError("the exception of a call of Python is kept by the call")


@recipe
def storing(function: Callable[..., Any]) -> Callable[..., None]:
    """Return what stores the array that a function gives of copies of what it is handed into the last array it is handed."""

    def run(*given: Any) -> None:
        *values, target = given
        target[...] = function(*(v.copy() if isinstance(v, np.ndarray) else v for v in values))

    return run
