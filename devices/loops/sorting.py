"""Sorts by NumPy's own routines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import dims_of
from transpile.runtime.views.view import View

from .buffer import Buffer
from .expression import Constant
from .routines import routine
from .statement import LibraryCall, Operand
from .values import whole

if TYPE_CHECKING:
    from .scheduler import Scheduler

_KINDS = {None: "", "quicksort": "", "stable": "stable_", "mergesort": "stable_"}


def sort(scheduler: Scheduler, op: Op) -> bool:
    """Schedule a sort along the last axis; tell whether there is a routine for it."""
    function, known = op.attributes["function"], dict(op.attributes["known"])
    if function not in ("sort", "argsort") or known.get("kind") not in _KINDS:
        return False
    name = f"{_KINDS[known.get('kind')]}{function}"
    (operand,) = op.operands
    dims = dims_of(operand.type)
    dtype, order = operand.type.dtype, operand.type.order  # type: ignore[union-attr]
    if known.get("axis") != len(dims) - 1 or order is not None or routine(name, dtype.char) is None:
        return False
    array = scheduler.arrays[operand]
    if function == "argsort":
        source, target = in_order(scheduler, operand), scheduler.result_target(op)
    else:
        target = scheduler.result_target(op)
        result = scheduler.arrays[op.result]
        scheduler.nest(result, array.at, dims, op.location)  # type: ignore[arg-type]
        source = target  # type: ignore[assignment]
    operands = [Operand(source, View.identity(dims))]
    sizes = {str(axis): dim for axis, dim in enumerate(dims)}
    scheduler.body.append(LibraryCall(name, operands, target, sizes, op.location))
    return True


def sort_by_several(scheduler: Scheduler, op: Op) -> bool:
    """Schedule an order by several vectors, the last of which comes first; tell whether there are routines for it."""
    if op.attributes["function"] != "lexsort" or not op.attributes.get("together"):
        return False
    keys = op.operands
    characters = [key.type.dtype.char for key in keys]  # type: ignore[union-attr]
    if any(len(dims_of(key.type)) != 1 for key in keys):
        return False
    if any(routine("stable_argsort", character) is None for character in characters):
        return False
    result, number = op.results
    target = whole(scheduler.allocate(result))
    order = Operand(target.buffer, View.identity(dims_of(result.type)))
    sizes = {"0": dims_of(result.type)[0]}
    name = "stable_argsort"
    for key in keys:
        operand = Operand(in_order(scheduler, key), View.identity(dims_of(key.type)))
        operands = [operand] if key is keys[0] else [operand, order]
        scheduler.body.append(LibraryCall(name, operands, target.buffer, sizes, op.location))
        name = "further_argsort"
    scheduler.arrays[result] = target
    scheduler.scalars[number] = Constant(0, number.type)  # type: ignore[arg-type]
    return True


def in_order(scheduler: Scheduler, value: Value) -> Buffer:
    """Return an array in memory, in C order: a copy where it does not lie so."""
    stored = scheduler.stored(value)
    if stored.buffer.dims and stored.buffer.layout != "C":
        stored = scheduler.copy(value)
    return stored.buffer
