"""Calls of NumPy from kernels: an op on arrays that lie in memory as they do in NumPy."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from transpile.runtime.graph.dim import Dim, DimLike, python_text, substitute, values_of
from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import INT, dims_of
from transpile.runtime.ops.floating_errors import flagging
from transpile.runtime.ops.hosted import caller, filler, fitting
from transpile.runtime.ops.table import TABLE
from transpile.runtime.recipes import recipe
from transpile.runtime.views.view import View

from .buffer import Buffer
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
    function = _evaluating(op, views, numbers, gives is not None, own)
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


@recipe
def _evaluating(
    op: Op,
    views: Sequence[View | None],
    numbers: Sequence[Value],
    gives: bool,
    dims: Sequence[DimLike] | None = None,
) -> Callable[..., Any]:
    """Return the function of what is viewed, the results' arrays if there are some and it does not give one, and the values in the views' dims; it gives an array that must have some `dims`."""
    count, stores = len(views), 0 if gives else sum(map(is_array, op.results))
    viewing = [(place, _viewing(view, numbers)) for place, view in enumerate(views) if view is not None]
    several = len(op.results) > 1
    evaluate = filler(op.attributes) if several and dims is None else _call_of(op)
    shape_of = _shape(dims or (), numbers)

    def run(*given: Any) -> Any:
        operands, known = list(given[:count]), given[count + stores :]
        for place, view in viewing:
            operands[place] = view(operands[place], known)
        if dims is not None:
            shape, found = shape_of(known), evaluate(*operands)
            if several:
                return fitting(op.attributes, found, shape)
            return found if np.shape(found) == shape else np.broadcast_to(found, shape)
        if several:
            return evaluate(operands, given[count : count + stores])
        result = evaluate(*operands)
        if not stores:
            return result
        given[count][...] = result
        return None

    return run


def _call_of(op: Op) -> Callable[..., Any]:
    """Return what an op evaluates to as a function of its operands."""
    if op.name in ("numpy", "numpy_several"):
        return caller(op.attributes)
    evaluate = TABLE[op.name].evaluate
    assert evaluate is not None
    return functools.partial(evaluate, op.attributes)


def _shape(dims: Sequence[DimLike], numbers: Sequence[Value]) -> Callable[[Sequence[int]], Any]:
    """Return the function of the run-time values of numbers that gives dims."""
    texts = [python_text(dim, lambda value: f"known[{numbers.index(value)}]") for dim in dims]
    shape: Callable[[Sequence[int]], Any] = eval(f"lambda known: ({''.join(f'{text}, ' for text in texts)})")
    return shape


def _viewing(view: View, numbers: Sequence[Value]) -> Callable[[Any, Sequence[int]], Any]:
    """Return the function of an array, and the run-time values of numbers, that gives a view."""

    def of_any(base: Any, known: Sequence[int]) -> Any:
        values = dict(zip(numbers, known, strict=True))
        return view.of_numpy(base, lambda dim: int(substitute(dim, values.__getitem__)))  # type: ignore[arg-type]

    text = view.python_text("base", lambda value: f"known[{numbers.index(value)}]")
    if text is None:
        return of_any
    names = {"of_any": of_any}
    function: Callable[[Any, Sequence[int]], Any] = eval(
        f"lambda base, known: {text} if base.size else of_any(base, known)", names
    )
    return function
