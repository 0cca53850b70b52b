"""Factorisations of one matrix, by the loops that NumPy has for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import INT, PYBOOL, dims_of, element

from .buffer import Variable
from .expression import Constant
from .memory import is_array
from .numpy_call import call_numpy, viewed
from .statement import Assign, If, LibraryCall, Operand
from .values import whole

if TYPE_CHECKING:
    from .scheduler import Scheduler

# Note [Matrices that are factored]
# `numpy.linalg.inv` takes microseconds to reach LAPACK, which takes less for a small matrix. So a kernel calls the inner loop behind it. What that says by the
# processor's flags is NumPy's to tell: that a matrix is singular, of which NumPy asks by the flag of invalid values, and of determinants what they overflow. Then
# NumPy is called, and so it is for matrices that are large, or empty.

_INVALID = 8
_PLAIN = {"linalg.inv": "inv", "linalg.det": "det"}
_SEVERAL = {
    "linalg.slogdet": "slogdet",
    "linalg._umath_linalg.eigvals": "eigvals",
    "linalg._umath_linalg.eig": "eig",
}
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


def factors(scheduler: Scheduler, op: Op) -> bool:
    """Schedule what a loop of NumPy's gives of one matrix of doubles in several arrays, or in one without a name of its own; tell whether there is one."""
    name = _loop_of_several(op)
    (operand, *others) = op.operands or (None,)
    if name is None or operand is None or others or not is_array(operand):
        return False
    sizes = dims_of(operand.type)
    if len(sizes) != 2 or element(operand.type).char not in "dD" or not scheduler.is_aligned(operand):
        return False
    base, view = viewed(scheduler, operand)
    *arrays, number = op.results
    targets = [whole(scheduler.allocate(result)) for result in arrays]
    first, *more = [target.buffer for target in targets]
    dims = {"m": sizes[0]}
    if name.startswith("svd"):
        dims |= {"n": sizes[1], "p": dims_of(arrays[len(arrays) // 2].type)[0]}
    failed = Value(PYBOOL, scheduler.name("failed"))
    told = scheduler.graph.heeds if name == "slogdet" else _INVALID
    given = [Operand(scheduler.stored(base).buffer, view)]
    scheduler.body.append(LibraryCall(name, given, first, dims, op.location, failed, told, more))
    scheduler.body.append(Assign([(number, Constant(0, INT))]))
    with scheduler.nested() as asked:
        call_numpy(scheduler, op, first, *more, number)
    scheduler.body.append(If(Variable(failed), asked, [], op.location))
    scheduler.arrays |= zip(arrays, targets, strict=True)
    scheduler.scalars[number] = Variable(number)
    return True


def _loop_of_several(op: Op) -> str | None:
    """Return the name of the generalised ufunc for what an op asks for by a call that gives several arrays."""
    function, known = op.attributes["function"], dict(op.attributes["known"])
    if op.attributes.get("named") or any(op.attributes["counted"]):
        return None
    if function == "linalg.eigh":
        return {"L": "eigh_lo", "U": "eigh_up"}.get(known["UPLO"])
    if function == "linalg.svd" and not known["hermitian"]:
        whole_or_not = "svd_f" if known["full_matrices"] else "svd_s"
        return whole_or_not if known.get("compute_uv", True) else "svd"
    return _SEVERAL.get(function)


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
