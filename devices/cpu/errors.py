"""Floating-point errors, found by the numbers: see Note [Floating-point errors]."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from transpile.runtime.ops.errors_by_numbers import (
    ALWAYS,
    COMPLEX,
    ORDERINGS,
    OVERFLOWS,
    POLES,
    RUN,
    WRAPS,
    limits,
)
from transpile.runtime.ops.floating_errors import DIVIDE, INVALID, OVERFLOW, UNSURE

from .lanes import Lane, named_intrinsic, value_lane
from .opaque import hidden
from .toolkit import as_dtype, ir, types

_INT64 = ir.IntType(64)


def _where(test: Lane, error: int) -> Lane:
    """The error where a test holds, else 0."""
    return Lane(
        test.builder, test.builder.select(test.value, ir.Constant(_INT64, error), ir.Constant(_INT64, 0))
    )


class _Size:
    """How large a float is, by its bits as an integer: LLVM makes of comparisons of floats tests of their classes, for which processors have no vectors."""

    def __init__(self, number: Lane) -> None:
        self._bits = Lane(
            number.builder, (number.bits() & (2**63 - 1 if number.is_double else 2**31 - 1)).value
        )
        self._infinity = 0x7FF << 52 if number.is_double else 0xFF << 23

    def is_finite(self) -> Lane:
        return self._bits < self._infinity

    def is_infinite(self) -> Lane:
        return self._bits == self._infinity

    def is_nan(self) -> Lane:
        return self._bits > self._infinity

    def is_number(self) -> Lane:
        return self._bits <= self._infinity


def _of_real(name: str, result: Lane, operands: Sequence[Lane]) -> Lane:
    """The errors in computing a float."""
    size = _Size(result)
    if name not in POLES or not operands:
        return _where(~size.is_finite(), INVALID)
    unsure = infinite = size.is_infinite()
    invalid = size.is_nan()
    for number in operands:
        operand = _Size(number if number.is_float else number.to_float())
        infinite = infinite & operand.is_finite()
        invalid = invalid & operand.is_number()
    found = _where(invalid, INVALID)
    pole = POLES[name]
    overflow = OVERFLOW | INVALID if name == "floor_divide" else OVERFLOW
    if pole < 0:
        return found | _where(infinite, DIVIDE if pole == ALWAYS else overflow)
    by_zero = operands[pole] == 0
    found = found | _where(infinite & by_zero, DIVIDE) | _where(infinite & ~by_zero, overflow)
    if name == "power":
        found = found | _where(
            unsure & (operands[1].magnitude() == float("inf")), (DIVIDE | OVERFLOW) << UNSURE
        )
    return found


def _of_products(result: Lane, first: tuple[Lane, Lane], second: tuple[Lane, Lane]) -> Lane:
    """The errors in computing the sum, or difference, of two products, one of which may not be rounded."""
    (a, b), (c, d) = first, second
    one, other = a * b, c * d
    grows = (
        ~one.is_finite() & a.is_finite() & b.is_finite(),
        ~other.is_finite() & c.is_finite() & d.is_finite(),
    )
    fails = (one.is_nan() & ~a.is_nan() & ~b.is_nan(), other.is_nan() & ~c.is_nan() & ~d.is_nan())
    overflow = (grows[0] & (other.is_finite() | grows[1])) | (grows[1] & one.is_finite())
    invalid = (fails[0] & (~other.is_nan() | fails[1])) | (fails[1] & ~one.is_nan())
    infinite = result.magnitude() == float("inf")
    overflow = (overflow & ~result.is_finite()) | (infinite & one.is_finite() & other.is_finite())
    invalid = invalid | (result.is_nan() & ~one.is_nan() & ~other.is_nan())
    found = _where(overflow, OVERFLOW) | _where(invalid, INVALID)
    found = found | _where((grows[0] | grows[1]) & ~result.is_finite(), OVERFLOW << UNSURE)
    return found | _where(fails[0] | fails[1], INVALID << UNSURE)


def _of_complex(name: str, result: Sequence[Lane], operands: Sequence[Sequence[Lane]]) -> Lane:
    """The errors in computing a complex number."""
    if name in ("multiply", "square") and operands:
        (a, b), (c, d) = operands[0], operands[-1]
        return _of_products(result[0], (a, c), (b, d)) | _of_products(result[1], (a, d), (b, c))
    known = operands if name in COMPLEX else ()
    found = [_of_real(name, part, [parts[place] for parts in known]) for place, part in enumerate(result)]
    return found[0] | found[1]


def _of_ordering(left: Sequence[Lane], right: Sequence[Lane]) -> Lane:
    """The errors in ordering complex numbers."""
    first = left[0].is_nan() | right[0].is_nan()
    equal = left[0] == right[0]
    return _where(first | (equal & (left[1].is_nan() | right[1].is_nan())), INVALID)


def _leaves(name: str, dtype: Any, operands: Sequence[Lane]) -> Lane:
    """The error in computing an integer that does not fit."""
    first = operands[0]
    if name in ("negative", "absolute"):
        if dtype.kind == "u":
            return _where(first != 0, OVERFLOW if name == "negative" else 0)
        return _where(first == int(np.iinfo(dtype).min), OVERFLOW)
    builder, kind = first.builder, first.value.type
    intrinsic = f"llvm.{'u' if dtype.kind == 'u' else 's'}{_STEMS[name]}.with.overflow"
    function = builder.module.declare_intrinsic(
        intrinsic, [kind], ir.FunctionType(ir.LiteralStructType([kind, ir.IntType(1)]), [kind, kind])
    )
    both = builder.call(function, [operand.value for operand in operands])
    return _where(Lane(builder, builder.extract_value(both, 1)), OVERFLOW)


_STEMS = {"add": "add", "subtract": "sub", "multiply": "mul"}


def _of_integers(name: str, target: Any, operands: Sequence[Lane]) -> Lane:
    """The errors in computing an integer: of a float that does not fit, by dividing by zero, or by leaving its range."""
    if name in WRAPS:
        return _leaves(name, as_dtype(target), operands)
    if name == "cast":
        low, high = limits(as_dtype(target))
        return _where(~((operands[0] >= low) & (operands[0] < high)), INVALID)
    if name == "reciprocal":
        return _where(operands[0] == 0, DIVIDE | INVALID)
    found = _where(operands[1] == 0, DIVIDE)
    dtype = as_dtype(target)
    if name not in OVERFLOWS or dtype.kind == "u":
        return found
    least = (operands[0] == int(np.iinfo(dtype).min)) & (operands[1] == -1)
    return found | _where(least, OVERFLOW)


def _of_run(number: Lane) -> Lane:
    """Whether there is an error in what leads to a number: see Note [Opaque numbers]."""
    bits = number.bits()
    return _where(~_Size(bits.like(hidden(bits.builder, bits.value)).bits()).is_finite(), INVALID)


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
            if name in ORDERINGS:
                return _of_ordering(*operands).value
            if isinstance(kinds[0], types.Integer):
                return _of_integers(name, kinds[0], [parts[0] for parts in operands]).value
            if isinstance(kinds[0], types.Complex):
                return _of_complex(name, result, operands).value
            if name == RUN:
                return _of_run(result[0]).value
            return _of_real(name, result[0], [parts[0] for parts in operands]).value

        return types.int64(*kinds), generate

    operands = [f"x{place}" for place in range(count)]
    return named_intrinsic(f"float_errors_{name}", define, ["result", *operands])


def _parts(context: Any, builder: Any, kind: Any, value: Any) -> list[Lane]:
    """The floats that a number is made of, or the integer that it is."""
    if not isinstance(kind, types.Complex):
        return [value_lane(builder, kind, value)]
    number = context.make_complex(builder, kind, value)
    return [value_lane(builder, kind.underlying_float, part) for part in (number.real, number.imag)]
