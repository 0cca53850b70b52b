"""Searches in sorted vectors, and elements counted by value, that a kernel does by itself."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from transpile.runtime.graph.dim import Dim
from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import BOOL, INT, PYBOOL, ScalarType, dims_of
from transpile.runtime.views.view import View

from .buffer import Variable
from .expression import Apply, Constant, Expression, Position
from .memory import is_array
from .numpy_call import call_numpy
from .sorting import in_order
from .statement import If, LibraryCall, Operand, Reduction
from .values import whole

if TYPE_CHECKING:
    from .scheduler import Scheduler

_SEARCHED = "?bBhHiIlLqQfd"
_COUNTED = "bBhHiIlq"


@cache
def takes_known_steps() -> bool:
    """Whether NumPy finds numbers in a vector that is not sorted where it did before 2.5."""
    random = np.random.default_rng(0)
    return all(
        _places(table, numbers) == np.searchsorted(table, numbers).tolist()
        for table, numbers in ((random.random(40), random.random(30)) for _ in range(8))
    )


def _places(table: np.ndarray, numbers: np.ndarray) -> list[int]:
    """Return where NumPy finds numbers: it halves the vector, from where the one before was found."""
    found: list[int] = []
    low, high, last = 0, len(table), numbers[0]
    for number in numbers:
        if last < number:
            high = len(table)
        else:
            low, high = 0, min(high + 1, len(table))
        last = number
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if table[middle] < number else (low, middle)
        found.append(low)
    return found


def search(scheduler: Scheduler, op: Op) -> bool:
    """Schedule a search for the places of many numbers, or of one, in a sorted vector of their dtype; tell whether it is one."""
    known = dict(op.attributes["known"])
    if op.attributes["function"] != "searchsorted" or op.attributes.get("named") or not takes_known_steps():
        return False
    table, wanted = op.operands
    dtype = table.type.dtype  # type: ignore[union-attr]
    if wanted.type.dtype != dtype or dtype.char not in _SEARCHED:  # type: ignore[union-attr]
        return False
    if known["side"] not in ("left", "right") or wanted.type.order is not None:  # type: ignore[union-attr]
        return False
    operands = [_operand(scheduler, value) for value in (table, wanted)]
    sizes = {"size": dims_of(table.type)[0]}
    sizes |= {f"count{axis}": dim for axis, dim in enumerate(dims_of(wanted.type))}
    target = scheduler.result_target(op)
    name = f"bisect_{known['side']}"
    scheduler.body.append(LibraryCall(name, operands, target, sizes, op.location))
    return True


def count(scheduler: Scheduler, op: Op) -> bool:
    """Schedule the count of a vector's elements by value, with weights or without; tell whether it is one. Of values that are negative, or with weights of another length, it is NumPy's, which raises."""
    attributes = op.attributes
    named = attributes.get("named", ())
    if attributes["function"] != "bincount" or not all(
        map(is_array, op.operands[: 1 + ("weights" in named)])
    ):
        return False
    values, *weights = op.operands[: 1 + ("weights" in named)]
    dims = dims_of(values.type)
    if values.type.dtype.char not in _COUNTED:  # type: ignore[union-attr]
        return False
    if any(w.type.dtype != np.float64 or len(dims_of(w.type)) != 1 for w in weights):  # type: ignore[union-attr]
        return False
    operands = [_operand(scheduler, value) for value in (values, *weights)]
    result, number = op.results
    target = whole(scheduler.allocate(result))
    loops = scheduler.indices(dims)
    element = scheduler.arrays[values].at(
        tuple(Dim.of_value(index) if dim != 1 else 0 for index, dim in loops)
    )
    negative = Value(ScalarType(BOOL), scheduler.name("negative"))
    zero = Constant(0, ScalarType(values.type.dtype))  # type: ignore[union-attr]
    test = Apply("less", (element, zero), ScalarType(BOOL))
    looked = [loop for loop in loops if loop[1] != 1]
    scheduler.body.append(
        Reduction(
            "logical_or", looked, {v for v, _ in looked}, negative, test, False, len(looked), op.location
        )
    )
    asks: Expression = Variable(negative)
    for weight in weights:
        lengths = Position(dims_of(weight.type)[0], INT), Position(dims[0], INT)
        if lengths[0] != lengths[1]:
            asks = Apply("bitwise_or", (asks, Apply("not_equal", lengths, PYBOOL)), ScalarType(BOOL))
    with scheduler.nested() as asked:
        call_numpy(scheduler, op, target.buffer, number)
    sizes = {"count": dims[0], "size": dims_of(result.type)[0]}
    counted = LibraryCall("count", operands, target.buffer, sizes, op.location)
    scheduler.body.append(If(asks, asked, [counted], op.location))
    scheduler.arrays[result] = target
    scheduler.scalars[number] = Constant(0, number.type)  # type: ignore[arg-type]
    return True


def _operand(scheduler: Scheduler, value: Value) -> Operand:
    return Operand(in_order(scheduler, value), View.identity(dims_of(value.type)))
