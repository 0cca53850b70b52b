"""Numbers while a kernel is lowered: a type of numba's, an LLVM value, and the arithmetic that kernels' texts have."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

from .lanes import Lane, value_lane
from .symbols import c_symbol
from .toolkit import ir, types

# Note [Arithmetic]
# The operators of kernels' texts mean what they mean to numba: integers are computed in 64 bits, those of signed ones may not overflow (what
# may goes through helpers), int64 beside uint64 would be a float and is refused, as is whatever else the emitter does not print.


c_symbol("hypot")  # so that stored kernels find it


class NotLowered(Exception):
    """A kernel holds a form that only numba compiles."""


class Number(NamedTuple):
    """A number, or a tuple of them, while a kernel is lowered."""

    kind: Any
    value: Any


class Dtype(NamedTuple):
    """A type that the text names, as an argument."""

    kind: Any


def constant(number: Any) -> Number:
    """Return a Python number as a constant."""
    if isinstance(number, bool):
        return Number(types.boolean, ir.Constant(ir.IntType(1), int(number)))
    if isinstance(number, int):
        if not -(2**63) <= number < 2**64:
            raise NotLowered("an integer of more than 64 bits")
        return Number(types.int64 if number < 2**63 else types.uint64, ir.Constant(ir.IntType(64), number))
    if isinstance(number, float):
        return Number(types.float64, ir.Constant(ir.DoubleType(), number))
    raise NotLowered(f"a constant {number!r}")


def parts(builder: Any, number: Number) -> tuple[Any, Any]:
    """Return the real and the imaginary part of a complex number."""
    return builder.extract_value(number.value, 0), builder.extract_value(number.value, 1)


def joined(builder: Any, kind: Any, real: Any, imaginary: Any) -> Number:
    """Return a complex number."""
    whole: Any = ir.Constant(ir.LiteralStructType([real.type, real.type]), ir.Undefined)
    whole = builder.insert_value(builder.insert_value(whole, real, 0), imaginary, 1)
    return Number(kind, whole)


def cast(builder: Any, number: Number, target: Any) -> Any:
    """Return the LLVM value of a number in another type, as numba converts it."""
    kind, value = number
    if kind == target:
        return value
    if isinstance(target, types.Complex):
        width = ir.FloatType() if target.bitwidth == 64 else ir.DoubleType()
        if isinstance(kind, types.Complex):
            halves = [
                cast(builder, Number(kind.underlying_float, part), target.underlying_float)
                for part in parts(builder, number)
            ]
            return joined(builder, target, *halves).value
        real = cast(builder, number, target.underlying_float)
        return joined(builder, target, real, ir.Constant(width, 0.0)).value
    is_integer = isinstance(kind, (types.Integer, types.Boolean))
    if isinstance(target, types.Integer) and is_integer:
        return value_lane(builder, kind, value).to_int(target.bitwidth).value
    if isinstance(target, types.Float) and (is_integer or isinstance(kind, types.Float)):
        return value_lane(builder, kind, value).to_float(single=target.bitwidth == 32).value
    if isinstance(target, types.Boolean) and isinstance(kind, types.Integer):
        return builder.icmp_unsigned("!=", value, ir.Constant(value.type, 0))
    raise NotLowered(f"a conversion of {kind} to {target}")


def _width(kind: Any) -> Any:
    """Return the type that numba gives to what a sign makes of an integer."""
    return types.int64 if kind.signed else types.uint64


def _common(first: Any, second: Any) -> Any:
    """Return the type in which two numbers are computed with."""
    kinds = (first, second)
    if any(isinstance(kind, types.Complex) for kind in kinds):
        if first != second:
            raise NotLowered(f"{first} beside {second}")
        return first
    if any(isinstance(kind, types.Float) for kind in kinds):
        if first == second:
            return first
        if types.float32 in kinds:
            raise NotLowered(f"{first} beside {second}")
        return types.float64
    both_unsigned = all(isinstance(kind, types.Integer) and not kind.signed for kind in kinds)
    if both_unsigned:
        return types.uint64
    if types.uint64 in kinds:
        raise NotLowered(f"{first} beside {second}")
    return types.int64


def binary(builder: Any, operator: str, left: Number, right: Number) -> Number:
    """Return what an operator makes of two numbers."""
    if operator in ("BitAnd", "BitOr", "BitXor") and left.kind == right.kind == types.boolean:
        kind: Any = types.boolean
    else:
        kind = _common(left.kind, right.kind)
    first, second = cast(builder, left, kind), cast(builder, right, kind)
    if isinstance(kind, types.Complex):
        return _complex(builder, operator, kind, Number(kind, first), Number(kind, second))
    if isinstance(kind, types.Float):
        method = {"Add": "fadd", "Sub": "fsub", "Mult": "fmul", "Div": "fdiv"}.get(operator)
        if method is None:
            raise NotLowered(f"{operator} of floats")
        return Number(kind, getattr(builder, method)(first, second))
    arithmetic = {"Add": "add", "Sub": "sub", "Mult": "mul"}.get(operator)
    if arithmetic is not None:
        flags = ("nsw",) if kind.signed else ()
        return Number(kind, getattr(builder, arithmetic)(first, second, flags=flags))
    bitwise = {"BitAnd": "and_", "BitOr": "or_", "BitXor": "xor"}.get(operator)
    if bitwise is None:
        raise NotLowered(f"{operator} of integers")
    return Number(kind, getattr(builder, bitwise)(first, second))


def _complex(builder: Any, operator: str, kind: Any, left: Number, right: Number) -> Number:
    (a, b), (c, d) = parts(builder, left), parts(builder, right)
    if operator in ("Add", "Sub"):
        method = builder.fadd if operator == "Add" else builder.fsub
        return joined(builder, kind, method(a, c), method(b, d))
    if operator != "Mult" or sys.version_info >= (3, 14):
        # From 3.14 on Python's own product mends infinities.
        raise NotLowered(f"{operator} of complex numbers")
    real = builder.fsub(builder.fmul(a, c), builder.fmul(b, d))
    imaginary = builder.fadd(builder.fmul(a, d), builder.fmul(b, c))
    return joined(builder, kind, real, imaginary)


def compare(builder: Any, operator: str, left: Number, right: Number) -> Number:
    """Return whether a comparison holds."""
    kind = _common(left.kind, right.kind)
    first, second = cast(builder, left, kind), cast(builder, right, kind)
    if isinstance(kind, types.Complex):
        if operator not in ("==", "!="):
            raise NotLowered("an order of complex numbers")
        test = builder.fcmp_unordered if operator == "!=" else builder.fcmp_ordered
        halves = [
            test(operator, a, b)
            for a, b in zip(
                parts(builder, Number(kind, first)), parts(builder, Number(kind, second)), strict=True
            )
        ]
        return Number(types.boolean, (builder.or_ if operator == "!=" else builder.and_)(*halves))
    if isinstance(kind, types.Float):
        test = builder.fcmp_unordered if operator == "!=" else builder.fcmp_ordered
    else:
        test = builder.icmp_signed if kind.signed else builder.icmp_unsigned
    return Number(types.boolean, test(operator, first, second))


def negative(builder: Any, number: Number) -> Number:
    """Return a number with the other sign, as numba turns it."""
    kind, value = number
    if isinstance(kind, types.Float):
        return Number(kind, builder.fsub(ir.Constant(value.type, -0.0), value))
    if isinstance(kind, types.Complex):
        halves = [
            negative(builder, Number(kind.underlying_float, part)).value for part in parts(builder, number)
        ]
        return joined(builder, kind, *halves)
    if not isinstance(kind, types.Integer):
        raise NotLowered(f"the negative of {kind}")
    wide = _width(kind)
    return Number(wide, cast(builder, Number(kind, builder.neg(value)), wide))


def invert(builder: Any, number: Number) -> Number:
    """Return the complement of an integer."""
    if not isinstance(number.kind, types.Integer):
        raise NotLowered(f"a complement of {number.kind}")
    wide = _width(number.kind)
    return Number(wide, cast(builder, Number(number.kind, builder.not_(number.value)), wide))


def absolute(builder: Any, number: Number) -> Number:
    """Return the magnitude of a number."""
    kind = number.kind
    if kind == types.complex128:
        real, imaginary = (Lane(builder, part) for part in parts(builder, number))
        return Number(types.float64, real.call("hypot", imaginary).value)
    if isinstance(kind, types.Float):
        return Number(kind, value_lane(builder, kind, number.value).magnitude().value)
    if not isinstance(kind, types.Integer):
        raise NotLowered(f"a magnitude of {kind}")
    if not kind.signed:
        return number
    below = builder.icmp_signed("<", number.value, ir.Constant(number.value.type, 0))
    return Number(kind, builder.select(below, builder.neg(number.value), number.value))


def extreme(builder: Any, largest: bool, numbers: list[Number]) -> Number:
    """Return the largest, or smallest, of numbers of one type as Python finds it."""
    found = numbers[0]
    for number in numbers[1:]:
        if number.kind != found.kind:
            raise NotLowered(f"an extreme of {found.kind} and {number.kind}")
        test = compare(builder, ">" if largest else "<", number, found).value
        found = Number(found.kind, builder.select(test, number.value, found.value))
    return found
