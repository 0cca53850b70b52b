"""The array that NumPy makes of a list of lists."""

from __future__ import annotations

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import lift
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.rows import Lists
from transpile.runtime.graph.types import ScalarType


def table_of(things: StagedList) -> SymbolicArray:
    """Return the array of a list of lists of numbers, of which there is one; a call in which they differ in length is left to the original."""
    record, row = recorder(), things.home.row
    pool = row.pool if isinstance(row, Lists) else None
    if pool is None or not isinstance(pool.items.row, ScalarType):
        record.unstageable("S163-items", "a list of lists that hold more than numbers becomes an array")
    (numbers,) = things.rows()
    begins, ends = (column[numbers] for column in pool.spans.rows()[:2])
    size = things.at(0).length
    others = FUNCTIONS[np.any](Operand.operate("not_equal", ends - begins, size))
    record.deoptimise_if(lift(others), "lists of several lengths become an array")
    record.deoptimise_if(lift(Operand.operate("equal", size, 0)), "lists without items become an array")
    places = begins[:, None] + FUNCTIONS[np.arange](size)
    (items,) = pool.items.between(0, pool.items.size())
    return items[places]  # type: ignore[no-any-return]
