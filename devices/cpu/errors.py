"""Floating-point errors, found by the numbers: see Note [Floating-point errors]."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from transpile.runtime.ops.floating_errors import (
    ALWAYS,
    COMPLEX,
    DIVIDE,
    INVALID,
    OVERFLOW,
    POLES,
    limits,
)

from .lanes import Lane, named_intrinsic, value_lane
from .toolkit import as_dtype, ir, types

_INT64 = ir.IntType(64)


def _numbers(test: Lane, error: int) -> Lane:
    """The error where a test holds, else 0."""
    return Lane(
        test.builder, test.builder.select(test.value, ir.Constant(_INT64, error), ir.Constant(_INT64, 0))
    )


def _of_reals(name: str, result: Lane, operands: Sequence[Lane]) -> Lane:
    """The errors in computing a float."""
    if name not in POLES or not operands:
        return _numbers(~result.is_finite(), INVALID)
    infinite = result.magnitude() == float("inf")
    invalid = result.is_nan()
    for number in operands:
        operand = number if number.is_float else number.to_float()
        infinite = infinite & operand.is_finite()
        invalid = invalid & ~operand.is_nan()
    pole = POLES[name]
    if pole >= 0:
        by_zero = operands[pole] == 0
        found = _numbers(infinite & by_zero, DIVIDE) | _numbers(infinite & ~by_zero, OVERFLOW)
    else:
        found = _numbers(infinite, DIVIDE if pole == ALWAYS else OVERFLOW)
    return found | _numbers(invalid, INVALID)


def _of_integers(name: str, target: Any, operands: Sequence[Lane]) -> Lane:
    """The errors in computing an integer: of a float that does not fit, or by dividing by zero."""
    if name == "cast":
        low, high = limits(as_dtype(target))
        return _numbers(~((operands[0] >= low) & (operands[0] < high)), INVALID)
    return _numbers(operands[1] == 0, DIVIDE)


@cache
def float_errors(name: str, count: int) -> Any:
    """The function for kernels that gives the errors of an op, of its result and so many operands."""

    def define(typing_context: Any, *arguments: Any) -> Any:
        if not all(isinstance(a, (types.Number, types.Boolean)) for a in arguments):
            return None
        kinds = [types.unliteral(argument) for argument in arguments]

        def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
            result, *operands = (
                _parts(context, builder, kind, value) for kind, value in zip(kinds, values, strict=True)
            )
            if isinstance(kinds[0], types.Integer):
                return _of_integers(name, kinds[0], [parts[0] for parts in operands]).value
            if len(result) > 1 and name not in COMPLEX:
                operands = []
            found = [
                _of_reals(name, part, [parts[place] for parts in operands])
                for place, part in enumerate(result)
            ]
            return found[0].value if len(found) == 1 else (found[0] | found[1]).value

        return types.int64(*kinds), generate

    operands = [f"x{place}" for place in range(count)]
    return named_intrinsic(f"float_errors_{name}", define, ["result", *operands])


def _parts(context: Any, builder: Any, kind: Any, value: Any) -> list[Lane]:
    """The floats that a number is made of, or the integer that it is."""
    if not isinstance(kind, types.Complex):
        return [value_lane(builder, kind, value)]
    number = context.make_complex(builder, kind, value)
    return [value_lane(builder, kind.underlying_float, part) for part in (number.real, number.imag)]
