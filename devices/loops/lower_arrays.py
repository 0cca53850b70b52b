"""Arrays: views, copies, and those made of nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from transpile.runtime.graph.dim import DimLike, product
from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import INT, PYBOOL, ArrayType, ScalarType, dims_of
from transpile.runtime.views.view import View

from .buffer import Buffer, Variable
from .expression import Apply, Constant, Element, Expression, IndexFunction, Indices, Position
from .numpy_call import call_numpy
from .scheduler import Scheduler, lowers
from .statement import Allocate, Assign, If, Let, LibraryCall, Nest, Operand, Reshape
from .values import Array, Stored, whole


@lowers("constant")
def constant(scheduler: Scheduler, op: Op) -> None:
    """Schedule a number."""
    type_ = op.result.type
    assert isinstance(type_, ScalarType)
    scheduler.scalars[op.result] = Constant(op.attributes["value"], type_)


@lowers("view")
def view(scheduler: Scheduler, op: Op) -> None:
    """Schedule a view: another index, or a copy where its base is written before it is used."""
    base = scheduler.arrays[op.operands[0]]
    view: View = op.attributes["view"]
    array: Array
    if isinstance(base, Stored):
        array = Stored(base.buffer, base.view.then(view))
    else:
        array = IndexFunction(view.dims, lambda indices: base.at(view.index(indices)))
    scheduler.define(op, op.result, array)


@lowers("load")
def load(scheduler: Scheduler, op: Op) -> None:
    """Schedule the reading of an element."""
    base = scheduler.arrays[op.operands[0]]
    expression = base.at(op.attributes["view"].index(()))
    scheduler.body.append(Let(op.result, expression))
    scheduler.scalars[op.result] = Variable(op.result)


@lowers("reshape")
def reshape(scheduler: Scheduler, op: Op) -> None:
    """Schedule other dims for the same elements."""
    base = scheduler.stored(op.operands[0])
    if base.buffer.layout != "C":
        base = _store_in_order(scheduler, op.operands[0])
    name, dims = scheduler.name(op.result.name), op.attributes["dims"]
    buffer = Buffer(name, base.buffer.dtype, dims, source="alias", value=op.result, base=base.buffer)
    scheduler.body.append(Reshape(buffer, base.buffer))
    scheduler.arrays[op.result] = whole(buffer)


def _store_in_order(scheduler: Scheduler, value: Value) -> Stored:
    """Compute an array into a buffer in C order."""
    type_ = value.type
    assert isinstance(type_, ArrayType)
    buffer = Buffer(scheduler.name(value.name), type_.dtype, type_.dims, value=value)
    scheduler.body.append(Allocate(buffer))
    target = whole(buffer)
    scheduler.nest(target, scheduler.arrays[value].at, type_.dims)
    return target


@lowers("copy")
def copy(scheduler: Scheduler, op: Op) -> None:
    """Schedule a copy that the program asks for."""
    _define_stored(scheduler, op, scheduler.arrays[op.operands[0]].at)


def _define_stored(scheduler: Scheduler, op: Op, at: Callable[[Indices], Expression]) -> None:
    """Compute a result into a buffer."""
    target = whole(scheduler.allocate(op.result))
    scheduler.nest(target, at, dims_of(op.result.type), op.location)
    scheduler.arrays[op.result] = target


@lowers("reserve")
def reserve(scheduler: Scheduler, op: Op) -> None:
    """Schedule a larger buffer in the place of a full one."""
    (old,) = op.operands
    before = scheduler.stored(old).buffer
    alias = scheduler.alias(op.result)
    room, known = op.attributes["dims"][0], dims_of(old.type)
    with scheduler.nested() as body:
        name, dims = scheduler.name(op.result.name), op.attributes["dims"]
        wider = whole(Buffer(name, alias.dtype, dims, value=op.result))
        body.append(Allocate(wider.buffer))
        if before.layout == "C":
            moved = [Operand(before, View.identity(known))]
            body.append(LibraryCall("move", moved, wider.buffer, {"count": product(known)}, op.location))
        else:
            scheduler.nest(wider, whole(before).at, known, op.location)
        body.append(Assign([(alias, wider.buffer)]))
    test = Apply("greater", (Position(room, INT), Position(known[0], INT)), PYBOOL)
    # Here the share in its memory is moved on: there is nothing to count.
    scheduler.body.append(If(test, body, [Assign([(alias, before)])], op.location))
    scheduler.arrays[op.result] = whole(alias)


@lowers("concatenate")
def concatenate(scheduler: Scheduler, op: Op) -> None:
    """Schedule joined arrays: each is stored into its part of the result."""
    axis = op.attributes["axis"]
    target = whole(scheduler.allocate(op.result))
    start: DimLike = 0
    for operand in op.operands:
        dims = dims_of(operand.type)
        part = Stored(target.buffer, target.view.slice(axis, start, dims[axis], 1))
        scheduler.nest(part, scheduler.arrays[operand].at, dims, op.location)
        start = start + dims[axis]
    scheduler.arrays[op.result] = target


# How many numbers are stored one by one, which the compiler reads each: more are copied by NumPy.
_LARGEST_TABLE = 512


@lowers("table")
def table(scheduler: Scheduler, op: Op) -> None:
    """Schedule an array that is known."""
    known: np.ndarray[Any, Any] = op.attributes["array"]
    if known.size > _LARGEST_TABLE:
        call_numpy(scheduler, op, scheduler.result_target(op), warns=False)
        return
    target = whole(scheduler.allocate(op.result))
    type_ = ScalarType(known.dtype)
    for index in np.ndindex(known.shape):
        element = target.at(index)
        assert isinstance(element, Element)
        scheduler.body.append(Nest([], element, Constant(known[index], type_), op.location))
    scheduler.arrays[op.result] = target


@lowers("empty")
def empty(scheduler: Scheduler, op: Op) -> None:
    """Schedule an array whose contents are not set."""
    scheduler.arrays[op.result] = whole(scheduler.allocate(op.result))


@lowers("fill")
def fill(scheduler: Scheduler, op: Op) -> None:
    """Schedule an array of one value."""
    scheduler.define(
        op, op.result, IndexFunction(op.attributes["dims"], lambda indices: scheduler.scalar(op.operands[0]))
    )


@lowers("iota")
def iota(scheduler: Scheduler, op: Op) -> None:
    """Schedule the positions along a dim."""
    type_ = ScalarType(np.dtype(np.int64))
    scheduler.define(
        op, op.result, IndexFunction(op.attributes["dims"], lambda indices: Position(indices[0], type_))
    )
