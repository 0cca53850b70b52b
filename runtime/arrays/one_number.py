"""Ufuncs of one number, which NumPy hands to its loops otherwise than several, and which round otherwise then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ScalarType, element
from transpile.runtime.ops.backwards import rounds_backwards
from transpile.runtime.ops.table import TABLE
from transpile.runtime.views.view import View

from .array import SymbolicArray
from .lengths import sign_of
from .numbers import lift
from .recorder import recorder
from .strides import lies_backwards

# Note [One number]
# NumPy calls a loop straight where operands, and `out=`, have the same shape, or no axes, and nothing else stands against it: with the stride that an array of one axis has, as if without gaps where there
# are several. All else goes through its iterator, to which an axis of length 1 has no stride: where ranks differ, something with several axes is cast, `where=` is given, or the result is written
# over an operand, or backwards. Of several numbers both ways give the same bits, and kernels go by the strides. Of one they do not:
#
#     multiply, square of complex numbers       are computed without vectors, and so without fused multiply-add, where the result has no stride; in single precision, where an operand lies backwards, too
#     square of a complex scalar                is computed without vectors
#     absolute of complex numbers, functions    are the C library's where an operand lies backwards
#       of floats that have vector code
#     power of floats                           is x * x or sqrt(x) where the exponent is 2 or 0.5, and has no stride
#
# Kernels call loops on one number as if it lay forward in an array, and with an exponent that has no stride.

_PRODUCTS = ("multiply", "square")


@dataclass(frozen=True)
class Target:
    """What a ufunc writes its result to: a new array, or `out`; and whether NumPy goes through its iterator in any case."""

    out: SymbolicArray | None = None
    iterated: bool = False


NEW = Target()


@dataclass(frozen=True)
class Otherwise:
    """The op that computes what a ufunc gives of one number, its operands, and when it is one: always, where there is no test."""

    name: str
    values: tuple[Value, ...]
    test: Value | None


def otherwise(
    name: str, operands: Sequence[Any], values: Sequence[Value], target: Target
) -> Otherwise | None:
    """Return what stands for a ufunc where there is one number, and NumPy rounds otherwise than kernels do; see Note [One number].

    `values` are the operands cast to the loop. What no op computes is left to the original.
    """
    kind = element(values[0].type).char
    is_product = name in _PRODUCTS and kind in "FD"
    backwards = rounds_backwards(name, kind)
    if not (is_product or backwards):
        return None
    held = [
        (operand, element(value.type))
        for operand, value in zip(operands, values, strict=True)
        if isinstance(operand, SymbolicArray)
    ]
    out = target.out
    if not held and out is None:
        return _of_scalars(name, values, None) if name == "square" else None
    arrays = [array for array, _ in held if array.ndim] + ([] if out is None else [out])
    lengths = {dim for array in arrays for dim in array.dims}
    if not arrays or any(sign_of(dim - 1) or recorder().bounds.nonnegative(dim - 2) for dim in lengths):
        return None
    if not _is_called_straight(name, held, values, target):
        return _of_scalars(name, values, _is_one(lengths)) if is_product else None
    if name == "power":
        _check_exponent(operands[1], values[1], lengths)
    if not backwards or not any(
        array.dims == (1,) and array.dtype == dtype and lies_backwards(array) for array, dtype in held
    ):
        return None
    test = _is_one(lengths)
    if is_product or name == "absolute":
        return _of_scalars(name, values, test)
    reason = f"numpy.{name} of one number with a negative stride, which it rounds otherwise"
    if test is None:
        recorder().unstageable("S171-strides", reason)
    recorder().deoptimise_if(test, reason)
    return None


def _of_scalars(name: str, values: Sequence[Value], test: Value | None) -> Otherwise:
    """Return the operator of scalars that computes the same, without vectors."""
    if name == "square":
        return Otherwise("scalar_multiply", (*values, *values), test)
    return Otherwise(f"scalar_{name}", tuple(values), test)


def _is_one(lengths: set[DimLike]) -> Value | None:
    """Return whether all axes have length 1; None where they are known to."""
    record = recorder()
    tests = [record.emit("equal", record.dim_value(dim), record.dim_value(1)) for dim in lengths if dim != 1]
    return reduce(lambda one, other: record.emit("bitwise_and", one, other), tests) if tests else None


def _is_called_straight(
    name: str, held: Sequence[tuple[SymbolicArray, Any]], values: Sequence[Value], target: Target
) -> bool:
    """Whether NumPy calls a loop without its iterator, where all axes have length 1."""
    out = target.out
    ranks = {array.ndim for array, _ in held if array.ndim}
    if target.iterated or any(array.ndim > 1 and array.dtype != dtype for array, dtype in held):
        return False
    if out is not None:
        ranks.add(out.ndim)
        (result,) = TABLE[name].types([ScalarType(element(value.type)) for value in values], {})
        overlaps = any(array.storage is out.storage for array, _ in held)
        if overlaps or out.dtype != element(result) or (out.ndim == 1 and lies_backwards(out)):
            return False
    return len(ranks) <= 1


def _check_exponent(operand: Any, exponent: Value, lengths: set[DimLike]) -> None:
    """Leave a call to the original where an exponent has a stride in NumPy, and none in kernels, and decides how a power is computed."""
    if not isinstance(operand, SymbolicArray) or not operand.ndim or any(dim != 1 for dim in operand.dims):
        return
    record = recorder()
    place = View.identity(operand.dims)
    for _ in operand.dims:
        place = place.take(0, 0)
    number = record.emit("load", exponent, view=place)
    decides = record.emit(
        "bitwise_or",
        *(record.emit("equal", number, lift(operand.dtype.type(short))) for short in (2, 0.5)),
    )
    test = _is_one(lengths)
    record.deoptimise_if(
        decides if test is None else record.emit("bitwise_and", decides, test),
        "one number is raised to a power that an array of one number gives, which NumPy rounds otherwise than a square or root",
    )
