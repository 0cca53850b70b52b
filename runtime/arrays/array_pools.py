"""Pools of arrays: where the elements of arrays lie that are items of one list, and differ in size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from transpile.runtime.graph.dim import DimLike, product
from transpile.runtime.graph.types import INT, ArrayType, DType
from transpile.runtime.views.view import View

from .array import Reshape, SymbolicArray, dim_scalar, fresh
from .functions import FUNCTIONS
from .indexing import as_dim
from .lists import StagedList
from .operand import Operand
from .recorder import recorder
from .row_buffers import column_of
from .scalar import SymbolicScalar

# Note [Arrays of several sizes]
# Arrays of one dtype and shape are the rows of a buffer. Those whose sizes differ lie one after the other in a pool: the list holds where each begins,
# and its dims. Elements are copied there as they are in rows, so all that is said of rows holds: what was appended must not be written any more, and
# nothing in the pool ever is. So lists that were made of one another share a pool.

# The longest sum that a size is kept as.
_TERMS = 2


class ArrayPool:
    """The elements of arrays of one dtype. To `items`, which holds them, each is an array without axes."""

    def __init__(self, dtype: DType, items: StagedList | None = None) -> None:
        self.items = StagedList() if items is None else items
        if items is None:
            self.items.stage(ArrayType(dtype, ()))

    def lists(self) -> tuple[StagedList]:
        """Return the list that the pool consists of."""
        return (self.items,)

    def member(self, begin: Any, *dims: Any) -> SymbolicArray:
        """Return the array of some dims that begins at a place, which must not be written."""
        self.items.mark()
        column, shape = self.items.columns[0], tuple(map(_as_size, dims))
        size = product(shape)
        shown = column.through(View.identity(column.dims).slice(0, as_dim(begin), size, 1))
        return shown if len(shape) == 1 else shown.through(Reshape((size,), shape))

    def put(self, array: SymbolicArray) -> list[Any]:
        """Copy the elements of an array to the end; return where it begins, and its dims."""
        self.items.note_item(array)
        first = self._add(array, product(array.dims))
        return [dim_scalar(first), *map(dim_scalar, array.dims)]

    def put_rows(self, column: SymbolicArray) -> Iterator[SymbolicArray]:
        """Copy all rows of an array to the end; yield columns that say where each begins, and its dims."""
        count, *dims = column.dims
        size = product(tuple(dims))
        first = self._add(column, count * size)
        places = FUNCTIONS[np.arange](dim_scalar(count))
        begins = Operand.operate("multiply", places, dim_scalar(size))
        yield column_of(Operand.operate("add", begins, dim_scalar(first)).read())
        for dim in dims:
            value = recorder().dim_value(dim)
            yield column_of(recorder().emit("fill", value, dims=(count,), order=None))

    def _add(self, array: SymbolicArray, size: DimLike) -> DimLike:
        own = self.items
        first = as_dim(own.end)
        own.reserve(first + size - 1)
        flat = array if array.ndim == 1 else fresh(recorder().emit("reshape", array.read(), dims=(size,)))
        own.write_rows(first, [flat], size)  # type: ignore[list-item]
        own.end = counted(first + size)
        return first


def _as_size(number: Any) -> DimLike:
    """Return a number out of a list as a dim, which is known not to be negative."""
    return number if isinstance(number, int) else as_dim(SymbolicScalar(_not_negative(as_dim(number))))


def counted(size: DimLike) -> Any:
    """Return a size as a number; one that is a sum of many as a number of its own, so that sums of it stay short."""
    if not isinstance(size, int) and len(size.terms) > _TERMS:
        return SymbolicScalar(_not_negative(size))
    return dim_scalar(size)


def _not_negative(size: DimLike) -> Any:
    record = recorder()
    return record.emit("slice_length", record.constant(0, INT), record.dim_value(size), step=1)
