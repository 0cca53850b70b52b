"""How an array lies in memory, as far as tracing can tell."""

from __future__ import annotations

from transpile.runtime.arrays.array import Reshape, SymbolicArray
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.types import ArrayType

Strides = tuple[DimLike, ...]


def strides_of(array: SymbolicArray) -> Strides | None:
    """Return how many elements lie between neighbours along each axis; None where the memory has unknown gaps."""
    storage = array.storage
    if not storage.contiguous:
        return None
    strides = _packed(storage.type)
    for step in array.chain:
        if isinstance(step, Reshape):
            strides = _packed(ArrayType(array.dtype, step.dims))
            continue
        moved: list[DimLike] = [0] * len(step.dims)
        for (_, terms), stride in zip(step.axes, strides, strict=True):
            for axis, by in terms:
                moved[axis] = moved[axis] + stride * by
        strides = tuple(moved)
    return tuple(map(recorder().normal, strides))


def _packed(type_: ArrayType) -> Strides:
    strides: list[DimLike] = [1] * len(type_.dims)
    total: DimLike = 1
    for axis in reversed(type_.axes):
        strides[axis] = total
        total = total * type_.dims[axis]
    return tuple(strides)


def is_packed(array: SymbolicArray) -> bool | None:
    """Whether the elements lie in C order without gaps, as `array.flags.c_contiguous` has it; None where run time decides."""
    if not array.storage.contiguous:
        # An argument without gaps in either order would be known to have none; a part of one with gaps may have none by chance.
        return False if array.ndim <= 2 and _is_turned(array) else None
    return _runs_through(array, 1)


def _is_turned(array: SymbolicArray) -> bool:
    """Whether an array shows all of its memory, at most with its axes in another order."""
    if not array.chain:
        return True
    (step, *rest) = array.chain
    if rest or isinstance(step, Reshape) or len(step.dims) != len(step.axes):
        return False
    axes = [
        terms[0][0] for offset, terms in step.axes if offset == 0 and len(terms) == 1 and terms[0][1] == 1
    ]
    return len(set(axes)) == len(step.axes) and tuple(step.dims[axis] for axis in axes) == step.base_dims


def is_even(array: SymbolicArray) -> bool | None:
    """Whether one stride runs through all elements in C order, so that a flat view shows them; None where run time decides."""
    return _runs_through(array, None)


def _runs_through(array: SymbolicArray, expected: DimLike | None) -> bool | None:
    strides = strides_of(array)
    if strides is None:
        return None
    record = recorder()
    certain: bool | None = True
    for dim, stride in zip(reversed(array.dims), reversed(strides), strict=True):
        if dim == 1:
            continue
        if expected is None:
            expected = stride
        elif not record.same(stride, expected):
            if _never_one(dim) and _never_equal(stride, record.normal(expected)):
                return False
            certain = None
        expected = expected * dim
    return certain


def _never_one(dim: DimLike) -> bool:
    """Whether a dim is known not to be 1: that of an argument is one of the guards."""
    return _sign(dim - 1) != 0


def _never_equal(first: DimLike, second: DimLike) -> bool:
    """Whether two strides differ whatever the sizes of arguments are, if no array is empty; what can be assumed for it, is."""
    difference = first - second
    if _sign(difference):
        return True
    record = recorder()
    return record.bounds.nonnegative(difference) and record.assume_nonnegative(difference - 1)


def _sign(dim: DimLike) -> int:
    """Return the sign of a dim for all sizes of arguments, which are not 1 where they are symbols, and not 0; 0 where it has none."""
    if isinstance(dim, Dim):
        sizes = recorder().bounds.sizes
        if not all(value in sizes for value in dim.values()):
            return 0
        dim = dim.substitute(lambda value: Dim.of_value(value) + 2)
    factors = [factor for _, factor in dim.terms] if isinstance(dim, Dim) else [dim]
    constant = factors[-1] if not isinstance(dim, Dim) or not dim.terms[-1][0] else 0
    if not constant or any(factor * constant < 0 for factor in factors):
        return 0
    return 1 if constant > 0 else -1


def reversed_axes(array: SymbolicArray) -> SymbolicArray:
    """Return the transposed array."""
    return array.view(array.whole().transpose(tuple(reversed(range(array.ndim)))))
