"""What reports floating-point errors."""

from __future__ import annotations

from transpile.runtime.graph.ir import Op
from transpile.runtime.graph.types import INT64, PYBOOL, ScalarType

from .buffer import Variable
from .expression import Apply, Constant
from .numpy_call import call_numpy
from .program import Upcall
from .scheduler import Scheduler, lowers
from .statement import Assign, If, LeaveIf


@lowers("asked_errors")
def asked_errors(scheduler: Scheduler, op: Op) -> None:
    """Schedule to ask NumPy for the errors of an op, where there may be some."""
    target = scheduler.result_target(op)
    nothing = Constant(0, ScalarType(INT64))
    found = Variable(scheduler.variable(op.operands[0]))
    with scheduler.nested() as then:
        call_numpy(scheduler, op, target, warns=False)
    test = Apply("not_equal", (found, nothing), PYBOOL)
    scheduler.body.append(If(test, then, [Assign([(target, nothing)])], op.location))


@lowers("heed")
def heed(scheduler: Scheduler, op: Op) -> None:
    """Schedule the report of errors, if there are any: to Python at the end, or by leaving the call to the original.

    Where something was done that is final, only what there is for certain is reported.
    """
    report, exits = op.attributes["report"], scheduler.exits
    if exits.final and report is None:
        return
    errors = Variable(scheduler.variable(op.operands[0]))
    test = Apply("not_equal", (errors, Constant(0, ScalarType(INT64))), PYBOOL)
    reason = "NumPy warns of floating-point errors"
    sure = "sure" in op.attributes and not exits.effects
    site = (
        exits.site(op, (), None, reason)
        if exits.final
        else exits.told_at_end(op, reason)
        if sure
        else exits.way_out(op, reason)
    )
    # Where not every op is watched, the flags may tell of others.
    site.flagged = not (scheduler.graph.watched or exits.final)
    if report is None or site.flagged:
        scheduler.body.append(LeaveIf(test, site))
        return
    site.operands.append(errors)
    scheduler.body.append(If(test, [Upcall(site, report)], [], op.location))
