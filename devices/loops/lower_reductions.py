"""Reductions and matrix products."""

from __future__ import annotations

import functools
from typing import Literal

from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import INT, PYBOOL, ArrayType, ScalarType, dims_of, element
from transpile.runtime.views.view import View

from .buffer import Buffer, Variable
from .expression import Apply, Constant, Element, Expression, Indices, Position
from .factors import factor, factors
from .numpy_call import call_numpy, viewed
from .reduction import Reducer
from .routines import routine
from .scheduler import Scheduler, lowers
from .searching import count, search
from .short_products import multiply_rows
from .sorting import sort, sort_by_several
from .statement import ArgReduction, Body, For, If, LibraryCall, Operand
from .transforms import transform
from .values import whole


@lowers("reduce")
def reduce(scheduler: Scheduler, op: Op) -> None:
    """Schedule a reduction, with what feeds it."""
    Reducer(scheduler, op).run()


def _element_target(scheduler: Scheduler, op: Op, places: Indices) -> Element | Value:
    """Return the place of a result at an index."""
    target = scheduler.result_target(op)
    return target if isinstance(target, Value) else Element(target, places, ScalarType(target.dtype))


@lowers("argreduce")
def argreduce(scheduler: Scheduler, op: Op) -> None:
    """Schedule the search for an extreme."""
    (operand,) = op.operands
    if operand.type.dtype.kind == "c":  # type: ignore[union-attr]
        call_numpy(scheduler, op, scheduler.result_target(op))
        return
    loops = scheduler.indices(dims_of(operand.type))
    axis = op.attributes["axis"]
    places = tuple(Dim.of_value(index) for index, _ in loops)
    expression = scheduler.arrays[operand].at(places)
    kept = [loop for place, loop in enumerate(loops) if place != axis]
    target = _element_target(scheduler, op, tuple(p for place, p in enumerate(places) if place != axis))
    scheduler.body.append(
        ArgReduction(op.attributes["function"], kept, loops[axis], target, expression, op.location)
    )


@lowers("numpy", "kept", "kept_part")
def numpy(scheduler: Scheduler, op: Op) -> None:
    """Schedule a call of NumPy."""
    if op.name == "numpy" and (sort(scheduler, op) or search(scheduler, op) or factor(scheduler, op)):
        return
    given = given_target(scheduler, op) if op.name == "numpy" else None
    call_numpy(scheduler, op, given or scheduler.result_target(op))


def given_target(scheduler: Scheduler, op: Op) -> Buffer | None:
    """Return the buffer of an array as NumPy gives it: for a result of the function that the kernel does not use, or for the kernel alone.

    None where the result is used as well, or the array may be in another order.
    """
    result, graph = op.results[0], scheduler.graph
    type_ = result.type
    if not isinstance(type_, ArrayType) or not type_.dims:
        # What has no axes NumPy gives as a number.
        return None
    results = list(graph.block.results or ())
    returned = results[: len(results) - len(graph.written)]
    is_result = result in returned and scheduler.is_only_returned(result) and op.block is graph.block
    if not is_result and scheduler.is_handed_out(result):
        return None
    source: Literal["given", "taken"] = "given" if is_result else "taken"
    buffer = Buffer(result.name, type_.dtype, type_.dims, type_.order, source=source, value=result)
    if buffer.layout != "C":
        return None
    scheduler.arrays[result] = whole(buffer)
    return buffer


@lowers("numpy_several")
def numpy_several(scheduler: Scheduler, op: Op) -> None:
    """Schedule a call of NumPy that gives several arrays, and a number."""
    if any(known(scheduler, op) for known in (count, sort_by_several, factors, transform)):
        return
    *arrays, number = op.results
    if len(arrays) == 1 and not any(op.attributes["counted"]):
        given = given_target(scheduler, op)
        if given is not None:
            call_numpy(scheduler, op, given, number)
            scheduler.scalars[number] = Variable(number)
            return
    targets = [whole(scheduler.allocate(result)) for result in arrays]
    call_numpy(scheduler, op, *(target.buffer for target in targets), number)
    scheduler.arrays |= zip(arrays, targets, strict=True)
    scheduler.scalars[number] = Variable(number)


@lowers("matmul", "dot")
def matmul(scheduler: Scheduler, op: Op) -> None:
    """Schedule a matrix product: by NumPy where dot may copy what has gaps first."""
    target = scheduler.result_target(op)
    if not all(scheduler.is_aligned(operand) for operand in op.operands):
        call_numpy(scheduler, op, target)
        return
    if op.name == "dot" and len(dims_of(op.operands[0].type)) > 2:
        assert isinstance(target, Buffer)
        multiply_rows(scheduler, op, target)
        return
    operands = []
    for operand in op.operands:
        base, view = viewed(scheduler, operand)
        if op.name == "dot" and len(view.dims) == 1 and _is_copied_by_blas(view):
            copy = scheduler.copy(operand)
            operands.append(Operand(copy.buffer, copy.view))
        else:
            operands.append(Operand(scheduler.stored(base).buffer, view))
    most = max(len(operand.view.dims) for operand in operands)
    copied = _is_copied_by_dot if most == 2 else _may_run_backward
    if most <= 2 and op.name == "dot" and any(map(copied, operands)):
        if most == 1 and isinstance(target, Value) and _has_routine(op):
            _multiply_forward(scheduler, op, operands, target)
        elif not _multiply_outer(scheduler, op, target):
            call_numpy(scheduler, op, target)
        return
    a, b = (dims_of(operand.type) for operand in op.operands)
    dims = {"m": a[-2] if len(a) > 1 else 1, "n": a[-1], "p": b[-1] if len(b) > 1 else 1}
    if most > 2:
        assert isinstance(target, Buffer)
        _products(scheduler, op, operands, target, dims)
    else:
        scheduler.body.append(LibraryCall(op.name, operands, target, dims, op.location))


def _has_routine(op: Op) -> bool:
    """Whether NumPy has a routine for vectors of floats."""
    character = element(op.operands[0].type).char
    return character in "fd" and routine("dot", character) is not None


def _multiply_forward(scheduler: Scheduler, op: Op, operands: list[Operand], target: Value) -> None:
    """Schedule the product of two vectors of which run time knows whether they lie forward: by the routine where they do, and by NumPy, which copies first, where not."""
    failed = Value(PYBOOL, scheduler.name("failed"))
    dims = {"n": dims_of(op.operands[0].type)[0]}
    scheduler.body.append(LibraryCall(op.name, operands, target, dims, op.location, failed))
    with scheduler.nested() as asked:
        call_numpy(scheduler, op, target)
    scheduler.body.append(If(Variable(failed), asked, [], op.location))


def _multiply_outer(scheduler: Scheduler, op: Op, target: Buffer | Value) -> bool:
    """Schedule the product of a column and a row of floats, if it is one, as that of each with each.

    Every routine adds one product to zero, which makes a negative zero a positive one. Those for vectors of one element leave products with zero out, or do not add.
    """
    (rows, inner), (_, columns) = ((dims_of(each.type) * 2)[:2] for each in op.operands)
    two = all(len(dims_of(each.type)) == 2 for each in op.operands)
    if (
        not two
        or inner != 1
        or 1 in (rows, columns)
        or not isinstance(target, Buffer)
        or target.dtype.char not in "fd"
    ):
        return False
    type_ = ScalarType(target.dtype)
    column, row = (scheduler.arrays[each] for each in op.operands)
    zero = Constant(target.dtype.type(0), type_)

    def product(places: Indices) -> Expression:
        one, other = column.at((places[0], 0)), row.at((0, places[1]))
        return Apply("add", (Apply("multiply", (one, other), type_), zero), type_)

    with scheduler.nested() as many:
        scheduler.nest(whole(target), product, (rows, columns), op.location)
    open_ = [dim for dim in (rows, columns) if not isinstance(dim, int)]
    if not open_:
        scheduler.body += many
        return True
    with scheduler.nested() as single:
        call_numpy(scheduler, op, target)
    one = Constant(1, INT)
    tests = [Apply("not_equal", (Position(dim, INT), one), PYBOOL) for dim in open_]
    test = functools.reduce(lambda a, b: Apply("bitwise_and", (a, b), PYBOOL), tests)
    scheduler.body.append(If(test, many, single, op.location))
    return True


def _products(
    scheduler: Scheduler, op: Op, operands: list[Operand], target: Buffer, dims: dict[str, DimLike]
) -> None:
    """Schedule many matrix products: a call for those along the last of the axes that are not multiplied, and a loop for each other."""
    core = [min(len(operand.view.dims), 2) for operand in operands]
    batch = target.dims[: len(target.dims) - sum(core) + 2]
    views = [
        operand.view.broadcast((*batch, *operand.view.dims[len(operand.view.dims) - own :]))
        for operand, own in zip(operands, core, strict=True)
    ]
    views.append(View.identity(target.dims))
    loops = scheduler.indices(batch[:-1])
    for index, _ in loops:
        views = [view.take(0, Dim.of_value(index)) for view in views]
    *given, stored = map(Operand, [*(operand.buffer for operand in operands), target], views)
    body: Body = [LibraryCall(op.name, given, stored, {**dims, "count": batch[-1]}, op.location)]
    zero, one = Constant(0, INT), Constant(1, INT)
    for index, dim in reversed(loops):
        body = [For(index, zero, Position(dim, INT), one, body, None, op.location)]
    scheduler.body += body


def _is_copied_by_blas(view: View) -> bool:
    """Whether NumPy copies an array before dot hands it to BLAS, which takes no steps backward and none of 0."""
    steps = [step for _, terms in view.axes for _, step in terms]
    return not steps or any(step < 0 for step in steps)


def _may_run_backward(operand: Operand) -> bool:
    """Whether only run time knows in which direction a vector lies, which the caller has handed in with gaps."""
    return operand.buffer.layout == "A"


def _is_copied_by_dot(operand: Operand) -> bool:
    """Whether NumPy's dot may copy an operand before it multiplies, where matmul would not: not where it lies in memory without gaps, in either order."""
    view = operand.view
    backward = any(step < 0 for _, terms in view.axes for _, step in terms)
    return operand.buffer.layout == "A" or backward or (len(view.dims) > 1 and not _is_packed(operand))


def _is_packed(operand: Operand) -> bool:
    """Whether a matrix is known to lie in memory without gaps, in its order or turned: all of an array, or rows of one in C order."""
    view = operand.view
    whole = View.identity(view.base_dims)
    if view in (whole, whole.transpose(range(len(view.base_dims))[::-1])):
        return True
    if len(view.axes) < 2:
        return False
    *leading, (_, rows), (start, columns) = view.axes
    taken = operand.buffer.layout == "C" and not any(terms for _, terms in leading)
    if not taken or len(rows) != 1 or len(columns) != 1 or start != 0:
        return False
    return bool(rows[0][1] == columns[0][1] == 1 and view.dims[columns[0][0]] == view.base_dims[-1])
