"""Calls of NumPy from kernels: an op on arrays that lie in memory as they do in NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.runtime.graph.dim import Dim, values_of
from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import INT, dims_of
from transpile.runtime.ops.floating_errors import flagging
from transpile.runtime.views.view import View

from .buffer import Buffer
from .evaluating import evaluating
from .expression import Expression, Position
from .memory import is_array
from .program import Upcall

if TYPE_CHECKING:
    from .scheduler import Scheduler


def call_numpy(scheduler: Scheduler, op: Op, *targets: Value | Buffer, warns: bool = True) -> None:
    """Schedule the call of what an op evaluates to, on views that have the strides of its operands in NumPy; only the last target may be a number.

    NumPy never `warns` of some ops.
    """
    views: list[View | None] = []
    given: list[Expression | Buffer] = []
    for operand in op.operands:
        if not is_array(operand):
            given.append(scheduler.scalar(operand))
            views.append(None)
            continue
        base, view = viewed(scheduler, operand)
        given.append(scheduler.stored(base).buffer)
        views.append(None if view.is_identity else view)
    last = targets[-1]
    gives = next((t for t in targets if isinstance(t, Buffer) and t.source in ("given", "taken")), None)
    given += [target for target in targets if isinstance(target, Buffer) and target is not gives]
    dims = [dim for view in views if view is not None for dim in view.all_dims()]
    own = gives.dims if gives is not None and (len(targets) > 1 or gives.source == "taken") else None
    numbers = list(dict.fromkeys(value for dim in (*dims, *(own or ())) for value in values_of(dim)))
    operands: list[Expression | Buffer] = [*given, *(Position(Dim.of_value(v), INT) for v in numbers)]
    site = scheduler.exits.call_site(op, operands)
    site.shared = True
    function = evaluating(op, views, numbers, gives is not None, own)
    exits = scheduler.exits
    if warns and scheduler.graph.heeds and not exits.effects:
        exits.saved |= exits.writes
        function = flagging(function, scheduler.graph.heeds)
    scheduler.body.append(Upcall(site, function, last if isinstance(last, Value) else None, gives=gives))


def viewed(scheduler: Scheduler, value: Value) -> tuple[Value, View]:
    """Return the array that a value is a view of in NumPy, and the view: of itself, if it is none."""
    view = View.identity(dims_of(value.type))
    while value.op is not None and value.op.name == "view":
        base = value.op.operands[0]
        if value not in scheduler.memory.lazy and _is_written_after(scheduler, value.op, base):
            break
        view = value.op.attributes["view"].then(view)
        value = base
    return value, view


def _is_written_after(scheduler: Scheduler, op: Op, base: Value) -> bool:
    """Whether an array may be written in the block of a view of it, after the view."""
    assert op.block is not None
    memory = scheduler.memory
    later = op.block.ops[op.block.ops.index(op) :]
    return any(memory.shares(base, written) for after in later for written in memory.writes(after))
