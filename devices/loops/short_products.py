"""Products of many short rows with one, as of pixels with the weights of colours, that a kernel does by itself."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from transpile.runtime.graph.ir import Op
from transpile.runtime.graph.types import ScalarType, dims_of

from .buffer import Buffer
from .expression import Apply, Constant, Expression, Indices
from .numpy_call import call_numpy, viewed
from .values import Stored, whole

if TYPE_CHECKING:
    from .scheduler import Scheduler

# Note [Short products]
# NumPy's dot hands the rows of an array with more than two axes to BLAS, one by one. For rows of a few numbers that takes many times as long as it takes to multiply them, and what is converted to
# floats for it is stored first. How BLAS adds up a few products is not said anywhere, but that it does so in their order, from 0 on, and rounds each, shows in what it gives.

_DOUBLE = ScalarType(np.dtype(np.float64))


@cache
def adds_in_order(length: int) -> bool:
    """Whether NumPy's dot adds up so many products of doubles in their order."""
    random = np.random.default_rng(length)
    rows, row = random.normal(0, 1, (20, 20, length)), random.normal(0, 1, length)
    rows[0], rows[1, :, 0], rows[2, :, -1] = -0.0, np.inf, 1e308
    total = np.zeros(rows.shape[:-1])
    for place in range(length):
        total = total + rows[..., place] * row[place]
    return bool(total.tobytes() == np.dot(rows, row).tobytes())


def multiply_rows(scheduler: Scheduler, op: Op, target: Buffer) -> None:
    """Schedule the products of rows, of doubles, with one that is known to be as short; by NumPy where it adds up otherwise."""
    rows, row = op.operands
    (length,) = dims_of(row.type)
    if not isinstance(length, int) or not adds_in_order(length):
        call_numpy(scheduler, op, target)
        return
    base, view = viewed(scheduler, row)
    one, many = Stored(scheduler.stored(base).buffer, view), scheduler.arrays[rows]

    def at(indices: Indices) -> Expression:
        total: Expression = Constant(0.0, _DOUBLE)
        for place in range(length):
            product = Apply("multiply", (many.at((*indices, place)), one.at((place,))), _DOUBLE)
            total = Apply("add", (total, product), _DOUBLE)
        return total

    scheduler.nest(whole(target), at, target.dims, op.location)
