"""Arrays out of a list whose length run time gives, joined to one."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh
from transpile.runtime.arrays.elementwise import operate
from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.rows import Arrays

from .sequences import as_array


def rows_of(things: StagedList, dtype: Any) -> Any:
    """Return the array whose rows the items of a list are."""
    rows = as_array(things, dtype)
    if rows.ndim > 2:
        _check_order(things.home.copied)
    return rows


def are_parts(things: Any) -> bool:
    """Whether something is a list of arrays of several sizes."""
    return isinstance(things, StagedList) and things.is_staged and isinstance(things.home.row, Arrays)


def parts_joined(things: StagedList) -> SymbolicArray:
    """Return the arrays of a list joined along their first axis; a call in which there are none, or other dims differ, is left to the original."""
    record, row = recorder(), things.home.row
    assert isinstance(row, Arrays)
    if row.ndim > 1:
        _check_order(row.pool.items.copied)
    record.deoptimise_if(lift(operate("equal", things.length, 0)), "a list without items is joined")
    begins, *dims = things.rows()
    first = things.at(0)
    for lengths, dim in zip(dims[1:], first.dims[1:], strict=True):
        others = operate("not_equal", lengths, dim_scalar(dim))
        record.deoptimise_if(lift(FUNCTIONS[np.any](others)), "arrays of several widths are joined")
    sizes: Any = functools.reduce(functools.partial(operate, "multiply"), dims)
    before = operate("subtract", FUNCTIONS[np.cumsum](sizes), sizes)
    # How far the elements of each are from where they come to lie.
    away = FUNCTIONS[np.repeat](operate("subtract", begins, before), sizes)
    places = operate("add", away, FUNCTIONS[np.arange](dim_scalar(away.dims[0])))
    (elements,) = row.pool.items.rows()
    joined = elements[places]
    if row.ndim == 1:
        return joined  # type: ignore[no-any-return]
    shape = (as_dim(FUNCTIONS[np.sum](dims[0])), *first.dims[1:])
    return fresh(record.emit("reshape", joined.read(), dims=shape))  # type: ignore[return-value]


def _check_order(copied: str) -> None:
    """Refuse to join arrays that lie otherwise than in the order of their axes: NumPy has the result lie as they do."""
    if copied == "order":
        recorder().unstageable("S185-order", "arrays are joined whose strides run time decides", "use copies")
