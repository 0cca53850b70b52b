"""Sums of all elements of a window of an array, which NumPy brings together before it adds them up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.runtime.graph.dim import Dim, product
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL, ScalarType

from .buffer import Buffer
from .expression import Apply, Constant, Element, Position
from .numpy_call import call_numpy
from .statement import Allocate, If, Nest, Reduction

if TYPE_CHECKING:
    from .reduction import Reducer

# Note [Sums of windows]
# No single step crosses the elements of `image[i:i+3, j:j+3]`. NumPy copies as many of them as its buffer holds, in the order in which they lie, and adds these
# up as one run: all of a window that is no larger than the buffer (docs/reductions.md). So does the kernel, without the microseconds that NumPy takes to begin.

# How many elements NumPy's buffer holds.
BUFFER = 8192


def sum_window(reducer: Reducer, target: Value | Buffer) -> bool:
    """Schedule the sum of a window, by NumPy where it is larger than the buffer; tell whether the operand is one."""
    order, scheduler = reducer.order, reducer.scheduler
    is_window = reducer.fastest() == len(order) > 1 and reducer.is_sorted()
    if reducer.ufunc != "add" or reducer.is_half() or not is_window or not isinstance(target, Value):
        return False
    dims = tuple(reducer.type.dims[axis] for axis in order)
    with scheduler.nested() as then:
        _sum(reducer, target)
    with scheduler.nested() as otherwise:
        call_numpy(scheduler, reducer.op, target)
    fits = Apply("less_equal", (Position(product(dims), INT), Constant(BUFFER, INT)), PYBOOL)
    scheduler.body.append(If(fits, then, otherwise, reducer.op.location))
    return True


def _sum(reducer: Reducer, target: Value) -> None:
    """Schedule the copy of a window, converted where the sum is of another dtype, and the sum of that."""
    scheduler, location, type_ = reducer.scheduler, reducer.op.location, ScalarType(reducer.dtype)
    loops = scheduler.indices(reducer.type.dims)
    array = scheduler.arrays[reducer.operand]
    element = array.at(tuple(0 if dim == 1 else Dim.of_value(index) for index, dim in loops))
    if reducer.converted:
        element = Apply("cast", (element,), type_, (("dtype", reducer.dtype),))
    copied = [loops[axis] for axis in reducer.order]
    dims = tuple(dim for _, dim in copied)
    window = Buffer(scheduler.name("window"), reducer.dtype, dims)
    summed = scheduler.indices(dims)
    places, taken = (tuple(Dim.of_value(index) for index, _ in some) for some in (copied, summed))
    scheduler.body += [
        Allocate(window),
        Nest(copied, Element(window, places, type_), element, location),
        Reduction(
            "add",
            summed,
            {index for index, _ in summed},
            target,
            Element(window, taken, type_),
            False,
            len(dims),
            location,
        ),
    ]
