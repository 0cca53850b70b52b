"""Where the elements are that are not zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.advanced import places_of
from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.numbers import cast
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import BOOL, INT64, dims_of

from .creation import empty_like_dims
from .reshaping import ravel
from .sequences import as_array


def _places(array: SymbolicArray) -> list[Value]:
    """Return the places of elements that are not zero, an array for each axis."""
    mask = array if array.dtype == BOOL else fresh(cast(array.read(), BOOL))
    assert isinstance(mask, SymbolicArray)
    return places_of(mask, mask.dims, 0)


def _table(places: list[Value]) -> SymbolicArray:
    """Return places as the rows of one array."""
    table = empty_like_dims((*dims_of(places[0].type), len(places)), INT64)
    for axis, place in enumerate(places):
        table[:, axis] = fresh(place)
    return table


@implements(np.nonzero, method="nonzero")
def nonzero(a: Any) -> tuple[Any, ...]:
    """Stand for `numpy.nonzero`: for more than one axis, the columns of one array."""
    array = as_array(a)
    if not array.ndim:
        text = "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead."
        if array.dtype == bool:
            text += " If the context of this error is of the form `arr[nonzero(cond)]`, just use `arr[cond]`."
        raise ValueError(text)
    places = _places(array)
    if len(places) == 1:
        return (fresh(recorder().emit("copy", places[0], order=None)),)
    table = _table(places)
    return tuple(table[:, axis] for axis in range(array.ndim))


@implements(np.flatnonzero)
def flatnonzero(a: Any) -> Any:
    """Stand for `numpy.flatnonzero`."""
    return nonzero(ravel(a))[0]


@implements(np.argwhere)
def argwhere(a: Any) -> Any:
    """Stand for `numpy.argwhere`: the rows are places."""
    array = as_array(a)
    if not array.ndim:
        recorder().unstageable("S149-nonzero", "numpy.argwhere of an array without axes")
    rows = nonzero(array)
    (count,) = rows[0].dims
    table = empty_like_dims((array.ndim, count), INT64)
    for axis, row in enumerate(rows):
        table[axis] = row
    return table.through(table.whole().transpose((1, 0)))
