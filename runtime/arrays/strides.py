"""How arrays lie in memory: their strides, as far as tracing can tell."""

from __future__ import annotations

from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import ArrayType
from transpile.runtime.views.view import View

from .array import Reshape, SymbolicArray
from .recorder import recorder

Strides = tuple[DimLike, ...]


def strides_of(array: SymbolicArray) -> Strides | None:
    """Return how many elements lie between neighbours along each axis; None where the memory has unknown gaps."""
    storage = array.storage
    if not storage.contiguous or storage.may_have_gaps:
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
    # Of a complex number a part is half.
    between = storage.dtype.itemsize // array.dtype.itemsize
    return tuple(recorder().normal(stride * between) for stride in strides)


def _packed(type_: ArrayType) -> Strides:
    strides: list[DimLike] = [1] * len(type_.dims)
    total: DimLike = 1
    for axis in reversed(type_.axes):
        strides[axis] = total
        total = total * type_.dims[axis]
    return tuple(strides)


def lies_backwards(array: SymbolicArray, axis: int = 0) -> bool:
    """Whether the stride along an axis is negative; where the caller's array decides, the trace serves only those that lie as this one."""
    record = recorder()
    last = array.chain[-1] if array.chain else None
    moves = [(axis, 1)]
    if isinstance(last, View):
        moves = [
            (base, step) for base, (_, terms) in enumerate(last.axes) for own, step in terms if own == axis
        ]
    place = array.storage.input if all(isinstance(step, View) for step in array.chain) else None
    if (
        place is not None
        and array.dims[axis] != 1
        and any(array.storage.dims[base] == 1 for base, _ in moves)
    ):
        # A part of one number, perhaps none, of which kernels do not see how it lies.
        if any(record.lies_backwards(place, base) for base, _ in moves):
            record.unstageable("S171-strides", "a part is taken of one number with a negative stride")
    turned = {
        (step < 0) != (place is not None and record.lies_backwards(place, base)) for base, step in moves
    }
    if len(turned) > 1:
        record.unstageable("S171-strides", "axes of a diagonal run in opposite directions")
    return turned == {True}


def runs_forward(array: SymbolicArray) -> bool:
    """Whether no stride is negative; where the caller's array decides, the trace serves only those that lie as this one."""
    return not any(lies_backwards(array, axis) for axis in range(array.ndim) if array.dims[axis] != 1)
