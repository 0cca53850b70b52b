"""Elementary functions on vectors of numbers, within two units in the last place: for `accuracy="fast"`."""

from __future__ import annotations

import math
from fractions import Fraction

from .lanes import Lane

# Note [Fast functions]
# A formula gives its values and whether each is one that it is made for: where one is not (huge numbers, what leaves the normal
# numbers, NaN), NumPy's own loop computes the group again (fast_loops.py). So a formula need not know of special values.
#
# The argument is reduced by a multiple n of a constant that is the sum of two or three numbers of the type. n is rounded by adding
# 1.5 * 2**52, which leaves it in the low bits of the sum. The first product is exact in a fused multiply-add: both operands are
# multiples of a unit of which the difference holds less than 2**53. Series are Taylor's, as long as what they leave out does not
# show. Each was compared with the correctly rounded result; see tests/devices/cpu/test_fast_loops.py for the bounds.

_PI_DIGITS = (
    "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211707"
)
_LN2_DIGITS = (
    "0.69314718055994530941723212145817656807550013436025525412068000949339362196969471560586332699641869"
)


def _parts(digits: str, count: int, single: bool = False) -> list[float]:
    """Numbers whose sum is a constant."""
    rest = Fraction(digits)
    parts = []
    for _ in range(count):
        part = _single(rest) if single else float(rest)
        parts.append(part)
        rest -= Fraction(part)
    return parts


def _single(number: Fraction) -> float:
    """The nearest number of 24 bits."""
    mantissa, exponent = math.frexp(float(number))
    return math.ldexp(round(Fraction(mantissa) * 2**24), exponent - 24)


_HALF_PI = _parts(str(Fraction(_PI_DIGITS) / 2), 3)


def _multiple(x: Lane, per: float) -> tuple[Lane, Lane]:
    """The nearest whole number to ``x * per``, and the bits it lies in."""
    magic = 1.5 * 2.0 ** (52 if x.is_double else 23)
    moved = x.intrinsic("llvm.fma", per, magic)
    return moved - magic, moved.bits()


def _series(x: Lane, coefficients: list[float]) -> Lane:
    """``c0 + c1 x + c2 x**2 + ...``"""
    total = x.constant(coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total = total.intrinsic("llvm.fma", x, coefficient)
    return total


def exp(x: Lane) -> tuple[Lane, Lane]:
    """The exponential function of float32 or float64."""
    high, low = _parts(_LN2_DIGITS, 2, single=not x.is_double)
    times, bits = _multiple(x, 1 / math.log(2))
    rest = times.intrinsic("llvm.fma", -high, x)
    rest = times.intrinsic("llvm.fma", -low, rest)
    tail = _series(rest, [1 / math.factorial(k) for k in range(2, 14 if x.is_double else 8)])
    value = (rest * rest).intrinsic("llvm.fma", tail, rest) + 1.0
    scale = bits << (52 if x.is_double else 23)
    scaled = (value.bits() + scale).bits()
    low, high = (-708.39, 709.78) if x.is_double else (-87.33, 88.72)
    return value.like(scaled.value), (x > low) & (x < high)


def _sine_and_cosine(x: Lane) -> tuple[list[Lane], list[Lane], Lane, Lane]:
    """Sine and cosine of a float64 less a multiple of a right angle, each with what rounding has lost; the bits of the multiple; where they are right."""
    times, bits = _multiple(x, 2 / math.pi)
    first = times.intrinsic("llvm.fma", -_HALF_PI[0], x)
    product = times * _HALF_PI[1]
    rest, lost = _sum(first, -product)
    lost = lost - times.intrinsic("llvm.fma", _HALF_PI[1], -product)
    lost = times.intrinsic("llvm.fma", -_HALF_PI[2], lost)
    square = rest * rest
    half = square * 0.5
    odd = _series(square, [(-1) ** k / math.factorial(2 * k + 1) for k in range(1, 9)])
    even = _series(square, [(-1) ** k / math.factorial(2 * k) for k in range(2, 10)])
    below = 1.0 - half
    sine = _sum(rest, (square * rest).intrinsic("llvm.fma", odd, lost * below))
    tail = (square * square).intrinsic("llvm.fma", even, -(rest * lost))
    return sine, _sum(below, (1.0 - below - half) + tail), bits, x.magnitude() < 2.0**30


def _sum(x: Lane, y: Lane) -> list[Lane]:
    """A sum, and what rounding it has lost."""
    total = x + y
    added = total - x
    return [total, (x - (total - added)) + (y - added)]


def _turned(number: Lane, bit: Lane) -> Lane:
    """A float with its sign turned where the second bit is set."""
    sign = (bit & 2) << 62
    return number.like((number.bits() ^ sign).bits().value)


def sin(x: Lane) -> tuple[Lane, Lane]:
    """The sine of float64."""
    sine, cosine, bits, valid = _sine_and_cosine(x)
    swapped = (bits & 1) != 0
    value = _turned(swapped.where(cosine[0], sine[0]), bits)
    return (x == 0.0).where(x, value), valid


def cos(x: Lane) -> tuple[Lane, Lane]:
    """The cosine of float64."""
    sine, cosine, bits, valid = _sine_and_cosine(x)
    swapped = (bits & 1) != 0
    return _turned(swapped.where(sine[0], cosine[0]), bits + 1), valid


def tan(x: Lane) -> tuple[Lane, Lane]:
    """The tangent of float64: a quotient, and what is left of it."""
    sine, cosine, bits, valid = _sine_and_cosine(x)
    swapped = (bits & 1) != 0
    above = [swapped.where(-c, s) for s, c in zip(sine, cosine, strict=True)]
    below = [swapped.where(s, c) for s, c in zip(sine, cosine, strict=True)]
    value = above[0] / below[0]
    left = value.intrinsic("llvm.fma", -below[0], above[0])
    left = value.intrinsic("llvm.fma", -below[1], left + above[1])
    return (x == 0.0).where(x, value + left / below[0]), valid
