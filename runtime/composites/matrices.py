"""Matrices by their diagonals: eye, diag, tril, triu, trace; and coordinates: meshgrid, indices."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh
from transpile.runtime.arrays.elementwise import operate
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.numbers import cast, lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import INT

from .arguments import as_dims, as_dtype, as_order, no_device, normal_axis
from .axes import broadcast_to
from .creation import zeros
from .placing import repeated
from .reductions import reduce
from .selection import where
from .sequences import as_array, copied


def _places(length: DimLike, offset: DimLike = 0) -> SymbolicArray:
    """Return the numbers from `offset` on."""
    places = fresh(recorder().emit("iota", dims=(length,)))
    return places if offset == 0 else operate("add", places, dim_scalar(offset))  # type: ignore[return-value]


def _compared(name: str, rows: DimLike, columns: DimLike, k: DimLike) -> SymbolicArray:
    """Return how the column of each element of a matrix compares with its row, moved by `k`."""
    down, across = _places(rows, k), _places(columns)
    result = operate(name, across[np.newaxis, :], down[:, np.newaxis])
    assert isinstance(result, SymbolicArray)
    return result


def _not_negative(dim: DimLike) -> DimLike:
    record = recorder()
    return (
        dim
        if record.assume_nonnegative(dim)
        else record.dim(record.emit("maximum", record.dim_value(dim), record.constant(0, INT)))
    )


@implements(np.eye)
def eye(
    N: Any,
    M: Any = None,
    k: Any = 0,
    dtype: Any = float,
    order: Any = "C",
    *,
    device: Any = None,
    like: Any = None,
) -> Any:
    """Stand for `numpy.eye`."""
    no_device(like, device)
    (rows,) = as_dims((N,))
    (columns,) = (rows,) if M is None else as_dims((M,))
    dtype = as_dtype(dtype)
    known = (rows, columns, as_dim(k))
    if all(isinstance(number, int) for number in known) and rows * columns <= 256:  # type: ignore[operator]
        result = fresh(recorder().emit("table", array=np.eye(rows, columns, known[2], dtype)))  # type: ignore[arg-type]
    else:
        result = fresh(cast(_compared("equal", rows, columns, known[2]).read(), dtype))
    axes = as_order(order, (rows, columns))
    return result if axes is None else fresh(recorder().emit("copy", lift(result), order=axes))


@implements(np.identity)
def identity(n: Any, dtype: Any = None, *, like: Any = None) -> Any:
    """Stand for `numpy.identity`."""
    return eye(n, dtype=dtype, like=like)


def _may_overflow(number: Any) -> bool:
    """Whether a size is a number of NumPy's that may leave its type where it is computed with."""
    dtype = getattr(number, "dtype", None)
    return dtype is not None and dtype != np.int64 and not getattr(number, "weak", False)


@implements(np.tri)
def tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = float, *, like: Any = None) -> Any:
    """Stand for `numpy.tri`."""
    no_device(like)
    if any(_may_overflow(number) for number in (N, M, k)):
        # It is computed with as it is, and may leave its type.
        recorder().unstageable(
            "S144-keyword", "numpy.tri of numbers of NumPy's own of few bits or without sign"
        )
    (rows,) = as_dims((N,))
    (columns,) = (rows,) if M is None else as_dims((M,))
    return fresh(cast(_compared("less_equal", rows, columns, as_dim(k)).read(), as_dtype(dtype)))


def _triangle(m: Any, k: Any, upper: bool) -> Any:
    array = as_array(m)
    if array.ndim == 1:
        array = broadcast_to(array, (dim_scalar(array.dims[0]),) * 2)
    rows, columns = array.dims[-2:]
    mask = _compared("less_equal", rows, columns, as_dim(k) - upper)
    zero = array.dtype.type(0)
    return where(mask, zero, array) if upper else where(mask, array, zero)


@implements(np.tril)
def tril(m: Any, k: Any = 0) -> Any:
    """Stand for `numpy.tril`."""
    return _triangle(m, k, False)


@implements(np.triu)
def triu(m: Any, k: Any = 0) -> Any:
    """Stand for `numpy.triu`."""
    return _triangle(m, k, True)


def _diagonal(array: SymbolicArray, offset: Any, axis1: Any, axis2: Any) -> SymbolicArray:
    record = recorder()
    first = normal_axis(axis1, array.ndim, "axis1")
    second = normal_axis(axis2, array.ndim, "axis2")
    if first == second:
        raise ValueError("axis1 and axis2 cannot be the same")
    k = as_dim(offset)
    is_above = k >= 0 if isinstance(k, int) else record.speculate(k)
    if not (is_above or isinstance(k, int) or record.speculate(-k)):
        k = offset.__index__()
        is_above = k >= 0
    if not is_above:
        first, second, k = second, first, -k
    rows, columns = array.dims[first], array.dims[second] - k
    if record.same(rows, columns) or record.bounds.nonnegative(columns - rows):
        length: DimLike = rows
    elif record.bounds.nonnegative(rows - columns):
        length = columns
    else:
        length = record.dim(record.emit("minimum", record.dim_value(rows), record.dim_value(columns)))
    return array.through(array.whole().diagonal(first, second, k, _not_negative(length)))


@implements(np.diagonal, method="diagonal")
def diagonal(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """Stand for `numpy.diagonal`: a view that is not written."""
    array = as_array(a)
    if array.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    return _diagonal(array, offset, axis1, axis2).locked()


@implements(np.diag)
def diag(v: Any, k: Any = 0) -> Any:
    """Stand for `numpy.diag`: the diagonal of a matrix, or the matrix of a diagonal."""
    array = as_array(v)
    if array.ndim == 2:
        return _diagonal(array, k, 0, 1).locked()
    if array.ndim != 1:
        raise ValueError("Input must be 1- or 2-d.")
    offset = k.__index__()
    side = array.dims[0] + abs(offset)
    result = zeros((dim_scalar(side),) * 2, array.dtype)
    target = result.through(
        result.whole().diagonal(1, 0, -offset, array.dims[0])
        if offset < 0
        else result.whole().diagonal(0, 1, offset, array.dims[0])
    )
    target.write(array.read())
    return result


@implements(np.diagflat)
def diagflat(v: Any, k: Any = 0) -> Any:
    """Stand for `numpy.diagflat`."""
    return diag(FUNCTIONS[np.ravel](v), k)


@implements(np.fill_diagonal)
def fill_diagonal(a: Any, val: Any, wrap: Any = False) -> None:
    """Stand for `numpy.fill_diagonal`."""
    record = recorder()
    if not isinstance(a, SymbolicArray) or a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    first, *rest = a.dims
    if a.ndim == 2:
        if not record.speculate(rest[0] - first) and wrap:
            record.unstageable("S182-diagonal", "numpy.fill_diagonal of a matrix with further rows, wrapped")
    elif not all(record.same(first, dim) or record.assume_equal(first, dim) for dim in rest):
        raise ValueError("All dimensions of input must be of equal length")
    target = a
    for _ in rest:
        # The diagonal of the first two axes is the last axis of what is left.
        target = _diagonal(target, 0, 0, 1 if target is a else -1)
    if isinstance(val, (list, tuple, SymbolicArray)):
        val = repeated(FUNCTIONS[np.ravel](val), _places(target.dims[0]))
    # It is made an array first: a NumPy scalar need not fit.
    target[...] = FUNCTIONS[np.asarray](val, a.dtype)


@implements(np.trace, method="trace")
def trace(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None, out: Any = None) -> Any:
    """Stand for `numpy.trace`."""
    return reduce("add", diagonal(a, offset, axis1, axis2), -1, dtype, out)


# -- coordinates --------------------------------------------------------------------------------------------------


@implements(np.meshgrid)
def meshgrid(*xi: Any, copy: Any = True, sparse: Any = False, indexing: Any = "xy") -> Any:
    """Stand for `numpy.meshgrid`."""
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    arrays = [FUNCTIONS[np.reshape](x, -1) for x in xi]
    ndim = len(arrays)
    views = []
    for place, array in enumerate(arrays):
        along = 1 - place if indexing == "xy" and ndim > 1 and place < 2 else place
        view = array.whole()
        for axis in range(ndim):
            if axis != along:
                view = view.insert(axis)
        views.append(array.through(view))
    if not sparse:
        dims: list[DimLike] = [1] * ndim
        for view in views:
            dims = [d if o == 1 else o for d, o in zip(dims, view.dims, strict=True)]
        views = [view.through(view.whole().broadcast(dims)) for view in views]
    if copy:
        return tuple(copied(view, "C") for view in views)
    return views if sparse else tuple(views)  # NumPy leaves the list that it has made


@implements(np.indices)
def indices(dimensions: Any, dtype: Any = int, sparse: Any = False) -> Any:
    """Stand for `numpy.indices`."""
    dims = as_dims(tuple(dimensions))
    wanted = as_dtype(dtype)
    parts = []
    for axis, dim in enumerate(dims):
        places = fresh(cast(_places(dim).read(), wanted))
        view = places.whole()
        for other in range(len(dims)):
            if other != axis:
                view = view.insert(other)
        parts.append(places.through(view))
    if sparse:
        return tuple(parts)
    result = FUNCTIONS[np.empty]((len(dims), *map(dim_scalar, dims)), wanted)
    for axis, part in enumerate(parts):
        result[axis] = part
    return result
