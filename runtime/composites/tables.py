"""The arrays that NumPy makes of lists of lists, and of lists of numbers of several types."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import lift
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.rows import Lists, Mixed
from transpile.runtime.graph.types import ScalarType

from .arguments import as_dtype


def table_of(things: StagedList, dtype: Any = None) -> SymbolicArray:
    """Return the array of a list of lists of numbers, of which there is one; a call in which they differ in length is left to the original."""
    record, row = recorder(), things.home.row
    pool = row.pool if isinstance(row, Lists) else None
    inner = pool and pool.items.row
    if pool is None or not isinstance(inner, (ScalarType, Mixed)):
        record.unstageable("S163-items", "a list of lists that hold more than numbers becomes an array")
    (numbers,) = things.rows()
    begins, ends = (column[numbers] for column in pool.spans.rows()[:2])
    size = things.at(0).length
    others = FUNCTIONS[np.any](Operand.operate("not_equal", ends - begins, size))
    record.deoptimise_if(lift(others), "lists of several lengths become an array")
    record.deoptimise_if(lift(Operand.operate("equal", size, 0)), "lists without items become an array")
    places = begins[:, None] + FUNCTIONS[np.arange](size)
    parts = [column[places] for column in pool.items.between(0, pool.items.size())]
    return numbers_of(inner, iter(parts), dtype) if isinstance(inner, Mixed) else parts[0]


def numbers_of(row: Mixed, columns: Iterator[SymbolicArray], dtype: Any = None) -> SymbolicArray:
    """Return the array of numbers of several types; a call in which they are all of a narrower one is left to the original."""
    if not all(isinstance(kind, ScalarType) for kind in row.kinds):
        recorder().unstageable("S163-items", "a list that holds more than numbers becomes an array")
    tags, *held = columns
    if len(held) == 1:
        return held[0]
    dtypes = [kind.dtype for kind in row.kinds]  # type: ignore[union-attr]
    wanted = np.result_type(*dtypes) if dtype is None else as_dtype(dtype)
    alone = [Operand.operate("equal", tags, tag) for tag, own in enumerate(dtypes) if own == wanted]
    if (dtype is None and not alone) or (dtype is not None and wanted.kind not in "fc"):
        recorder().unstageable("S163-items", "numbers of several types become an array of another one")
    if dtype is None:
        found = functools.reduce(functools.partial(Operand.operate, "logical_or"), alone)
        recorder().deoptimise_if(
            lift(Operand.operate("logical_not", FUNCTIONS[np.any](found))),
            "numbers of a list are all of a narrower type",
        )
    held = [column.astype(wanted) for column in held]
    result = held[-1]
    for place in range(len(row.kinds)):
        slot = row.slot(place)
        if slot != len(held) - 1:
            result = FUNCTIONS[np.where](Operand.operate("equal", tags, place), held[slot], result)
    return result
