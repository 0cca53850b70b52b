"""What may leave a kernel, and what is seen outside of it."""

from __future__ import annotations

from transpile.runtime.graph.bounds import dim_of
from transpile.runtime.graph.dim import Dim, substitute
from transpile.runtime.graph.ir import Op
from transpile.runtime.graph.types import INT
from transpile.runtime.ops.draws import sought
from transpile.runtime.ops.journal import is_final

from .buffer import Buffer, Variable
from .called import out_of_range, stored_exception, storing
from .expression import Apply, Expression, Position
from .memory import is_array
from .program import Site, Upcall
from .scheduler import Scheduler, lowers
from .statement import CheckedLet, LeaveIf
from .values import whole


@lowers("index")
def index(scheduler: Scheduler, op: Op) -> None:
    """Schedule an index that may be out of range or count from the end."""
    position, size = map(dim_of, op.operands)
    inside = scheduler.bounds.nonnegative(size - position - 1)
    if inside and scheduler.bounds.nonnegative(position):
        place = substitute(position, lambda value: Dim.of_value(scheduler.variable(value)))
        scheduler.let(op.result, Position(place, INT))
        return
    error = out_of_range(op.attributes["axis"])
    site = scheduler.exits.site(op, op.operands, error, "an index is out of range")
    scheduler.body.append(
        CheckedLet(op.result, Apply("index", tuple(map(scheduler.scalar, op.operands)), INT), site)
    )
    scheduler.scalars[op.result] = Variable(op.result)


@lowers("deoptimise_if")
def deoptimise_if(scheduler: Scheduler, op: Op) -> None:
    """Schedule a place from which the original takes over."""
    site = scheduler.exits.way_out(
        op, op.attributes["reason"], op.operands[1:], op.attributes.get("exception")
    )
    scheduler.body.append(LeaveIf(scheduler.scalar(op.operands[0]), site))


@lowers("raise_if")
def raise_if(scheduler: Scheduler, op: Op) -> None:
    """Schedule an exception on a condition."""
    condition = op.operands[0]
    if scheduler.bounds.is_false(condition):
        return
    test = scheduler.scalar(condition)
    scheduler.body.append(
        LeaveIf(test, scheduler.exits.site(op, op.operands[1:], op.attributes["exception"]))
    )
    scheduler.bounds.note(condition, False)


@lowers("raise")
def raise_(scheduler: Scheduler, op: Op) -> None:
    """Schedule an exception."""
    scheduler.body.append(LeaveIf(None, scheduler.exits.site(op, op.operands, op.attributes["exception"])))


@lowers("host_call")
def host_call(scheduler: Scheduler, op: Op) -> None:
    """Schedule a call of Python."""
    operands: list[Expression | Buffer] = []
    draw = op.attributes.get("draw")
    for operand in op.operands[1:]:
        operands.append(scheduler.stored(operand).buffer if is_array(operand) else scheduler.scalar(operand))
    function, results = op.attributes["function"], op.results[:-1]
    # After what is final, nothing is left to the original any more.
    noted = None if scheduler.exits.final else op.attributes.get("noted")
    tells = "tells" in op.attributes or is_final(op)
    if tells:
        scheduler.exits.tell()
    if not results:
        site = scheduler.exits.call_site(op, operands)
        scheduler.body.append(Upcall(site, function, noted=noted, tells=tells))
    elif is_array(results[0]):
        stored = whole(scheduler.allocate(results[0]))
        scheduler.arrays[results[0]] = stored
        site = scheduler.exits.call_site(op, [*operands, stored.buffer])
        site.shared = True
        scheduler.body.append(
            Upcall(site, storing(function), draw=draw, noted=noted and storing(noted), tells=tells)
        )
    else:
        site = scheduler.exits.call_site(op, operands)
        scheduler.body.append(Upcall(site, function, results[0], draw, noted=noted, tells=tells))
        scheduler.scalars[results[0]] = Variable(results[0])


@lowers("bit_generator")
def bit_generator(scheduler: Scheduler, op: Op) -> None:
    """Schedule the search for what a generator draws from."""
    given: list[Expression | Buffer] = list(map(scheduler.scalar, op.operands))
    site = Site(len(scheduler.exits.sites) + 1, stored_exception, given, op.location)
    scheduler.exits.sites.append(site)
    noted = None if scheduler.exits.final else sought(op, noted=True)
    scheduler.body.append(Upcall(site, sought(op), op.result, lends=True, noted=noted))
    scheduler.scalars[op.result] = Variable(op.result)


@lowers("host_value")
def host_value(scheduler: Scheduler, op: Op) -> None:
    """Schedule a number that Python computes."""
    site = scheduler.exits.call_site(op, list(map(scheduler.scalar, op.operands)))
    scheduler.body.append(Upcall(site, op.attributes["function"], op.result))
    scheduler.scalars[op.result] = Variable(op.result)


@lowers("token")
def token(scheduler: Scheduler, op: Op) -> None:
    """Schedule nothing: statements stand in program order."""
