"""Factorisations of one matrix, by the loops that NumPy has for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import PYBOOL, dims_of

from .buffer import Variable
from .numpy_call import call_numpy, viewed
from .statement import If, LibraryCall, Operand

if TYPE_CHECKING:
    from .scheduler import Scheduler

# Note [Matrices that are factored]
# `numpy.linalg.inv` takes microseconds to reach LAPACK, which takes less for a small matrix. So a kernel calls the inner loop behind it. What that says by the
# processor's flags is NumPy's to tell: that a matrix is singular, of which NumPy asks by the flag of invalid values, and of determinants what they overflow. Then
# NumPy is called, and so it is for matrices that are large, or empty.

_INVALID = 8
_PLAIN = {"linalg.inv": "inv", "linalg.det": "det"}
_TRIANGLES = {"L": "eigvalsh_lo", "U": "eigvalsh_up"}


def factor(scheduler: Scheduler, op: Op) -> bool:
    """Schedule what NumPy computes of one matrix of doubles by a loop of its own; tell whether it does."""
    name = _loop_of(op)
    dtypes = {operand.type.dtype for operand in op.operands}  # type: ignore[union-attr]
    if name is None or len(dtypes) != 1 or dtypes.pop().char not in "dD":
        return False
    if not all(scheduler.is_aligned(operand) for operand in op.operands):
        return False
    operands = []
    for operand in op.operands:
        base, view = viewed(scheduler, operand)
        operands.append(Operand(scheduler.stored(base).buffer, view))
    dims = {"m": dims_of(op.operands[0].type)[0]}
    if name == "solve":
        dims["n"] = dims_of(op.operands[1].type)[1]
    target = scheduler.result_target(op)
    failed = Value(PYBOOL, scheduler.name("failed"))
    told = scheduler.graph.heeds if name == "det" else _INVALID
    scheduler.body.append(LibraryCall(name, operands, target, dims, op.location, failed, told))
    with scheduler.nested() as asked:
        call_numpy(scheduler, op, target)
    scheduler.body.append(If(Variable(failed), asked, [], op.location))
    return True


def _loop_of(op: Op) -> str | None:
    """Return the name of the generalised ufunc by which NumPy computes what an op asks for."""
    function, known = op.attributes["function"], dict(op.attributes["known"])
    if op.attributes.get("named"):
        return None
    if function == "linalg.solve":
        return "solve1" if len(dims_of(op.operands[1].type)) == 1 else "solve"
    if function == "linalg.cholesky":
        return "cholesky_up" if known["upper"] else "cholesky_lo"
    if function == "linalg.eigvalsh":
        return _TRIANGLES.get(known["UPLO"])
    return _PLAIN.get(function)
