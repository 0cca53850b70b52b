"""Arithmetic on integers as Python has it, within 64 bits, and as NumPy has it."""

from __future__ import annotations

from .lanes import Lane, helper
from .toolkit import ir

# A Python int is an int64 here. Where Python's result may not be one, a helper returns the pair (value, left), and
# ``left`` says that Python's result is no int64: it is too large, not an int, or an exception. The value is then 0 or
# wrapped around, never undefined. Division by zero gives 0 and is for the caller to look for.

_MOST_NEGATIVE = -(2**63)
_CHECKED = "int64, int64 -> int64, boolean"


@helper(_CHECKED)
def add_checked(x: Lane, y: Lane) -> tuple[Lane, Lane]:
    """``x + y`` and whether it overflows."""
    return x.overflowing("add", y)


@helper(_CHECKED)
def subtract_checked(x: Lane, y: Lane) -> tuple[Lane, Lane]:
    """``x - y`` and whether it overflows."""
    return x.overflowing("sub", y)


@helper(_CHECKED)
def multiply_checked(x: Lane, y: Lane) -> tuple[Lane, Lane]:
    """``x * y`` and whether it overflows."""
    return x.overflowing("mul", y)


@helper("int64 -> int64, boolean")
def negative_checked(x: Lane) -> tuple[Lane, Lane]:
    """``-x`` and whether it overflows."""
    return -x, x == _MOST_NEGATIVE


@helper("int64 -> int64, boolean")
def absolute_checked(x: Lane) -> tuple[Lane, Lane]:
    """``abs(x)`` and whether it overflows."""
    return (x < 0).where(-x, x), x == _MOST_NEGATIVE


@helper(_CHECKED)
def left_shift_checked(x: Lane, n: Lane) -> tuple[Lane, Lane]:
    """``x << n`` and whether it overflows, or ``n`` is negative."""
    fits = n.unsigned() < 64
    shifted = x << fits.where(n, 0)
    kept = fits & ((shifted >> fits.where(n, 0)) == x)
    zero = (x == 0) & (n >= 0)
    return (kept & ~zero).where(shifted, 0), ~(kept | zero)


@helper(_CHECKED)
def right_shift_checked(x: Lane, n: Lane) -> tuple[Lane, Lane]:
    """``x >> n`` and whether ``n`` is negative."""
    return x >> (n.unsigned() < 64).where(n, 63), n < 0


@helper(_CHECKED)
def power_checked(x: Lane, n: Lane) -> tuple[Lane, Lane]:
    """``x ** n`` and whether it overflows, or ``n`` is negative (then Python's result is a float)."""
    result, square = x.constant(1), x
    left = square_left = n < 0
    for bit in range(6):
        used = (n & (1 << bit)) != 0
        product, overflow = result.overflowing("mul", square)
        result, left = used.where(product, result), left | (used & (overflow | square_left))
        square, overflow = square.overflowing("mul", square)
        square_left = square_left | overflow
    # 0, 1 and -1 have every power; of the others, none from the 64th on fits
    large, tiny = n > 63, (x + 1).unsigned() <= 2
    parity = ((n & 1) != 0).where(x, x * x)
    return large.where(parity, result), (large & ~tiny) | (~large & left)


def _floor_divmod(x: Lane, y: Lane) -> tuple[Lane, Lane]:
    """Quotient and remainder towards negative infinity, wrapped around; zeros where ``y`` is 0."""
    known = y.value.constant if isinstance(y.value, ir.Constant) else 0
    if known > 0 and known & (known - 1) == 0:
        return x >> known.bit_length() - 1, x & (known - 1)
    zero, minus_one = y == 0, (y == -1) if x.signed else (y != y)
    divisor = (zero | minus_one).where(y.constant(1), y)
    builder = x.builder
    divide, modulo = (builder.sdiv, builder.srem) if x.signed else (builder.udiv, builder.urem)
    quotient, rest = x.like(divide(x.value, divisor.value)), x.like(modulo(x.value, divisor.value))
    if x.signed:
        across = (rest != 0) & ((rest ^ divisor) < 0)
        quotient, rest = quotient - across.to_int(x.type.width), across.where(rest + divisor, rest)
        quotient = minus_one.where(-x, quotient)
    return zero.where(quotient.constant(0), quotient), (zero | minus_one).where(rest.constant(0), rest)


@helper("uint16, boolean -> uint16")
def counted(count: Lane, truth: Lane) -> Lane:
    """A count in 16 bits, of which a vector holds many."""
    return count + truth.to_int(16)


# Where it is asked, too, whether these overflow (`float_errors`), LLVM finds that both are of one instruction; where it is not, it takes the plain one.


@helper("same, same -> same")
def npy_add(x: Lane, y: Lane) -> Lane:
    """``x + y`` of two NumPy integers of one type, wrapped around: numba's own operator leaves it undefined what becomes of those that overflow."""
    return x.overflowing("add", y)[0]


@helper("same, same -> same")
def npy_subtract(x: Lane, y: Lane) -> Lane:
    """``x - y`` of two NumPy integers of one type, wrapped around."""
    return x.overflowing("sub", y)[0]


@helper("same, same -> same")
def npy_multiply(x: Lane, y: Lane) -> Lane:
    """``x * y`` of two NumPy integers of one type, wrapped around."""
    return x.overflowing("mul", y)[0]


@helper("same -> same")
def npy_square(x: Lane) -> Lane:
    """``x * x`` of a NumPy integer, wrapped around."""
    return x * x


@helper("same -> same")
def npy_negative(x: Lane) -> Lane:
    """``-x`` of a NumPy integer, wrapped around."""
    return -x


@helper("same -> same")
def npy_absolute(x: Lane) -> Lane:
    """``abs(x)`` of a NumPy integer, wrapped around."""
    return (x < 0).where(-x, x)


# The arithmetic of NumPy's integers that may leave their range, by the name of the op.
WRAPPING = {
    "add": npy_add,
    "subtract": npy_subtract,
    "multiply": npy_multiply,
    "square": npy_square,
    "negative": npy_negative,
    "absolute": npy_absolute,
}


@helper("same, same -> same")
def npy_left_shift(x: Lane, n: Lane) -> Lane:
    """``x << n`` of two NumPy integers of one type: 0 where ``n`` is negative, or more bits than there are."""
    fits: Lane = n.unsigned() < x.type.width
    return fits.where(x << fits.where(n, 0), 0)


@helper("same, same -> same")
def npy_right_shift(x: Lane, n: Lane) -> Lane:
    """``x >> n`` of two NumPy integers of one type: nothing but the sign is left where ``n`` is negative, or more bits than there are."""
    fits: Lane = n.unsigned() < x.type.width
    if x.signed:
        return x >> fits.where(n, x.type.width - 1)
    return fits.where(x >> fits.where(n, 0), 0)


# The shifts of NumPy's integers, by the name of the op.
SHIFTS = {"left_shift": npy_left_shift, "right_shift": npy_right_shift}


@helper("same, same -> same")
def npy_floor_divide(x: Lane, y: Lane) -> Lane:
    """``x // y`` of two NumPy integers of one type, wrapped around; 0 where ``y`` is 0."""
    return _floor_divmod(x, y)[0]


@helper("same, same -> same")
def npy_remainder(x: Lane, y: Lane) -> Lane:
    """``x % y`` of two NumPy integers of one type; 0 where ``y`` is 0."""
    return _floor_divmod(x, y)[1]


def _mostly_natural(x: Lane, y: Lane, part: int) -> Lane:
    """Quotient or remainder, by one instruction of the machine where neither number is negative, nor ``y`` 0."""
    if isinstance(y.value, ir.Constant):
        return _floor_divmod(x, y)[part]
    divide = (x.builder.udiv, x.builder.urem)[part]
    natural = ((x | y) >= 0) & (y != 0)
    return natural.branch(lambda: x.like(divide(x.value, y.value)), lambda: _floor_divmod(x, y)[part])


@helper(_CHECKED)
def floor_divide_checked(x: Lane, y: Lane) -> tuple[Lane, Lane]:
    """``x // y`` and whether it overflows; 0 where ``y`` is 0."""
    return _mostly_natural(x, y, 0), (x == _MOST_NEGATIVE) & (y == -1)


@helper("int64, int64 -> int64")
def modulo(x: Lane, y: Lane) -> Lane:
    """``x % y``; 0 where ``y`` is 0."""
    return _mostly_natural(x, y, 1)


@helper("int64, int64 -> int64")
def natural_quotient(x: Lane, y: Lane) -> Lane:
    """``x // y`` where neither is negative, nor ``y`` 0."""
    return x.like(x.builder.udiv(x.value, y.value))


@helper("int64, int64 -> int64")
def natural_rest(x: Lane, y: Lane) -> Lane:
    """``x % y`` where neither is negative, nor ``y`` 0."""
    return x.like(x.builder.urem(x.value, y.value))


# Division of natural numbers, by the name of the op.
NATURAL = {"floor_divide": natural_quotient, "remainder": natural_rest}


@helper("int64, int64 -> int64")
def modulo_near(x: Lane, y: Lane) -> Lane:
    """``x % y`` where ``x`` lies between ``-y`` and ``2 * y``."""
    above = (x < 0).where(x + y, x)
    return (above >= y).where(above - y, above)


@helper("int64, int64 -> float64")
def true_divide(x: Lane, y: Lane) -> Lane:
    """``x / y``, rounded once, as Python does; NumPy's rounds both operands first."""
    exact = 2**53
    small = ((x + exact).unsigned() <= 2 * exact) & ((y + exact).unsigned() <= 2 * exact)
    return small.branch(lambda: x.to_float() / y.to_float(), lambda: _long_division(x, y))


def _long_division(x: Lane, y: Lane) -> Lane:
    """Divide two integers bit by bit: 63 bits of the quotient, the last of them sticky, are rounded once."""
    top, bottom = ((v < 0).where(-v, v).unsigned() for v in (x, y))
    up, down = ((v | 1).leading_zeros() for v in (top, bottom))
    rest, divisor = top << up, bottom << down
    quotient = rest.constant(0)
    for step in range(63):
        carried = (rest >> 63) != 0
        rest = rest << 1 if step else rest
        taken = (rest >= divisor) | carried if step else rest >= divisor
        rest = taken.where(rest - divisor, rest)
        quotient = (quotient << 1) | taken.to_int(64, signed=False)
    quotient = quotient | (rest != 0).to_int(64, signed=False)
    # top / bottom is quotient * 2**(down - up - 62), a normal number whatever they are
    scale = ((down - up + (1023 - 62)) << 52).bits()
    magnitude = quotient.to_float() * scale
    return ((x ^ y) < 0).where(-magnitude, magnitude)


@helper("int64, float64 -> int64")
def compare_int_float(x: Lane, y: Lane) -> Lane:
    """-1, 0 or 1 as ``x`` is less than, equal to or greater than ``y``, without rounding; 2 where ``y`` is NaN."""
    whole = y.intrinsic("llvm.trunc")
    above, below = y >= 2.0**63, y < -(2.0**63)
    held = (above | below | y.is_nan()).where(y.constant(0.0), whole)
    integer = held.truncated(64)
    by_whole = (x > integer).to_int(64) - (x < integer).to_int(64)
    by_fraction = (whole > y).to_int(64) - (whole < y).to_int(64)
    order = (x == integer).where(by_fraction, by_whole)
    order = above.where(order.constant(-1), below.where(order.constant(1), order))
    return y.is_nan().where(order.constant(2), order)
