"""Arrays repeated as wholes, and element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh
from transpile.runtime.arrays.elementwise import operate
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.indexing import as_dim, is_integer
from transpile.runtime.arrays.numbers import cast, lift, raise_if, to_weak
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import INT, INT64

from .arguments import one_axis
from .hosted import hosted
from .reductions import reduce
from .reshaping import check_copied, ravel, reshaped
from .sequences import as_array


@implements(np.tile)
def tile(A: Any, reps: Any) -> Any:
    """Stand for `numpy.tile`: a broadcast copy in other dims."""
    array = as_array(A)
    counts: list[DimLike] = [as_dim(c) for c in (reps if isinstance(reps, (tuple, list)) else (reps,))]
    counts = [*[1] * (array.ndim - len(counts)), *counts]
    for count in counts:
        if not recorder().assume_nonnegative(count):
            recorder().deoptimise_if(
                lift(operate("less", dim_scalar(count), 0)), "a negative number of tiles"
            )
    if all(count == 1 for count in counts):
        return FUNCTIONS[np.array](array, ndmin=len(counts))
    check_copied(array)
    dims = (1,) * (len(counts) - array.ndim) + array.dims
    view = array.whole()
    for _ in range(len(counts) - array.ndim):
        view = view.insert(0)
    for axis in reversed(range(len(dims))):
        view = view.insert(axis)
    wide: list[DimLike] = []
    for count, dim in zip(counts, dims, strict=True):
        wide += [count, dim]
    spread = array.through(view.broadcast(wide))
    copied = fresh(recorder().emit("copy", spread.read(), order=None))
    assert isinstance(copied, SymbolicArray)
    return reshaped(copied, tuple(count * dim for count, dim in zip(counts, dims, strict=True)))


@implements(np.repeat, method="repeat")
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """Stand for `numpy.repeat` of all elements alike."""
    array = as_array(a)
    if axis is None:
        array, axis = ravel(array), 0
    (place,) = one_axis(axis, array.ndim)
    if not is_integer(repeats):
        return _repeated(array, as_array(repeats), place)
    count = as_dim(repeats)
    if not recorder().assume_nonnegative(count):
        raise_if(dim_scalar(count) < 0, lambda: ValueError("negative dimensions are not allowed"))
    view = array.whole().insert(place + 1)
    dims = (*array.dims[: place + 1], count, *array.dims[place + 1 :])
    copied = fresh(recorder().emit("copy", array.through(view.broadcast(dims)).read(), order=None))
    assert isinstance(copied, SymbolicArray)
    return reshaped(copied, (*array.dims[:place], array.dims[place] * count, *array.dims[place + 1 :]))


def _repeated(array: SymbolicArray, counts: SymbolicArray, axis: int) -> Any:
    """Return an array with each element along an axis repeated as often as its own count says."""
    record = recorder()
    if counts.ndim != 1 or counts.dtype.kind not in "iu" or counts.dtype == np.uint64:
        record.unstageable("S148-repeat", "numpy.repeat with other than a vector of integers")
    if not record.assume_equal(counts.dims[0], array.dims[axis]):
        record.unstageable("S148-repeat", "numpy.repeat with counts of another size than the array's")
    total = to_weak(cast(lift(reduce("add", counts, None, INT64)), INT64), INT64)
    length = record.dim(record.emit("maximum", total, record.constant(0, INT)))
    dims = (*array.dims[:axis], length, *array.dims[axis + 1 :])
    return hosted("repeat", [array, counts], dims, array.dtype, axis=axis)
