"""Fourier transforms of one vector, by the loops that NumPy has for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.runtime.graph.dim import Dim
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

# Note [Transforms]
# `numpy.fft.fft` takes microseconds to reach the loop that transforms, which takes less for a short vector. Since NumPy 2.0 the loop is that of a generalised ufunc: of the
# vector, and of a number that all results are multiplied by, which the function gives it. A kernel calls the loop with that number. Where NumPy has no such
# loop, or that tells of errors by the processor's flags that NumPy warns of, NumPy is called.

# The functions, with the ways in which NumPy may scale what they give: by the length, or not at all.
_FUNCTIONS = {"fft.fft": "backward", "fft.ifft": "forward", "fft.rfft": "backward", "fft.irfft": "forward"}
_OTHER = {"backward": "forward", "forward": "backward"}


def transform(scheduler: Scheduler, op: Op) -> bool:
    """Schedule the transform of one vector of doubles by a loop of NumPy's; tell whether there is one."""
    function, known = op.attributes["function"], dict(op.attributes["known"])
    norm = known.get("norm") or "backward"
    if function not in _FUNCTIONS or norm not in _OTHER:
        return False
    operand, *lengths = op.operands
    real = function == "fft.rfft"
    if not is_array(operand) or len(dims_of(operand.type)) != 1 or not scheduler.is_aligned(operand):
        return False
    if element(operand.type).char != ("d" if real else "D"):
        return False
    base, view = viewed(scheduler, operand)
    array, number = op.results
    target = whole(scheduler.allocate(array))
    (size,), (length,) = dims_of(operand.type), dims_of(array.type)
    # So many numbers are transformed: as many as are given, but for those that give half as many. More than there are are zeros.
    count = length
    if real:
        count = Dim.of_value(scheduler.variable(lengths[0])) if lengths else size
    dims = {"n": size, "m": length, "count": count}
    failed = Value(PYBOOL, scheduler.name("failed"))
    scaled = norm if _FUNCTIONS[function] == "backward" else _OTHER[norm]
    scheduler.body.append(
        LibraryCall(
            f"{function}.{scaled}",
            [Operand(scheduler.stored(base).buffer, view)],
            target.buffer,
            dims,
            op.location,
            failed,
            scheduler.graph.heeds,
        )
    )
    scheduler.body.append(Assign([(number, Constant(0, INT))]))
    with scheduler.nested() as asked:
        call_numpy(scheduler, op, target.buffer, number)
    scheduler.body.append(If(Variable(failed), asked, [], op.location))
    scheduler.arrays[array] = target
    scheduler.scalars[number] = Variable(number)
    return True
