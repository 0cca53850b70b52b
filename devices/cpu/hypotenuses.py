"""The hypotenuse of two doubles as the C library computes it, without its branches: loops of it become vector code."""

from __future__ import annotations

from functools import cache

import numpy as np

from transpile.devices.loops.expression import Apply

from .lanes import Lane, helper

# Note [Hypotenuses]
# NumPy asks the C library. That of GNU, from 2.35 on, corrects the root of the sum of squares by what the rounding of that has lost, in one of two ways, and adds up numbers of which one is
# too small to matter: branches that depend on every number, and that a processor guesses wrong for half of them, which takes longer than all the rest. Here both ways are computed, with the
# same operations in the same order, and one is chosen. What the library scales, and what is not finite, is left to it: a block with such numbers goes there as a whole.
#
# Which library there is, its results tell: of others, those that round otherwise somewhere on the way give other bits for one pair in ten, and those of 4096 are compared.

_LEAST, _MOST = 2.0**-200, 2.0**500
_NEGLIGIBLE = 2.0**-54
_PAIRS = 4096


def is_hypotenuse(call: Apply) -> bool:
    """Whether an op is the hypotenuse of doubles, and the C library's is known."""
    return call.name == "hypot" and all(of.type.dtype == np.float64 for of in call.operands) and is_known()


@cache
def is_known() -> bool:
    """Whether the C library computes hypotenuses as it is done here."""
    places = np.arange(1.0, 1.0 + _PAIRS)
    # Multiples of two irrational numbers, less the integers in them, meet all mantissas and both ways.
    one, other = places * 0.6180339887498949 % 1.0, places * 1.4142135623730951 % 1.0
    small, large = np.minimum(one, other), np.maximum(one, other)
    root = np.sqrt(large * large + small * small)
    near = root <= 2.0 * small
    beyond = root - np.where(near, small, large)
    first = np.where(near, large * (2.0 * beyond - large), 2.0 * beyond * (large - 2.0 * small)) + np.where(
        near,
        (beyond - 2.0 * (large - small)) * beyond,
        (4.0 * beyond - small) * small + beyond * beyond,
    )
    return bool(np.array_equal(np.hypot(one, other), root - first / (2.0 * root)))


def _is_usual(x: Lane) -> Lane:
    bits = x.magnitude().bits()
    least, most = (bits.constant(int(np.float64(bound).view(np.int64))) for bound in (_LEAST, _MOST))
    return (bits - least <= most - least) | (bits == 0)


@helper("float64, float64 -> boolean")
def usual_sides(x: Lane, y: Lane) -> Lane:
    """Whether the C library neither scales two numbers nor looks for others than finite ones."""
    return _is_usual(x) & _is_usual(y)


@helper("float64, float64 -> float64")
def hypotenuse(x: Lane, y: Lane) -> Lane:
    """``hypot(x, y)`` of usual numbers: see Note [Hypotenuses]."""
    x, y = x.magnitude(), y.magnitude()
    is_less = x < y
    large, small = is_less.where(y, x), is_less.where(x, y)
    alone = small <= large * _NEGLIGIBLE
    total = large + small
    one = large.constant(1.0)
    large, small = alone.where(one, large), alone.where(one, small)
    root = (large * large + small * small).intrinsic("llvm.sqrt")
    near = root <= small * 2.0
    over, beyond = root - small, root - large
    first = near.where(large * (over * 2.0 - large), beyond * 2.0 * (large - small * 2.0))
    second = near.where(
        (over - (large - small) * 2.0) * over, (beyond * 4.0 - small) * small + beyond * beyond
    )
    return alone.where(total, root - (first + second) / (root * 2.0))
