"""Arithmetic on floats as Python and NumPy's scalars have it: division, powers, rounding, conversion to int."""

from __future__ import annotations

import os
import platform
from functools import cache

import llvmlite.binding as llvm

from .lanes import Lane, helper
from .symbols import c_symbol

# Note [Powers]
# Python's ``x ** y`` and that of NumPy's scalars call libm's pow, which differs from ``x * x`` for y = 2 in one of
# 1300 results; LLVM, if it knew the function, would replace the one by the other. glibc's pow errs by what its exp errs by
# before rounding, 0.011 ulp, and by the error 1.5 * 2**-68 of its log times the logarithm of the result: less than 0.002 ulp
# for results between 2**-64 and 2**64. So where such an x * x, exact as the sum p + e of two doubles, lies within 31/64 of an ulp
# of p, pow rounds to p as well; elsewhere, and where p is a power of two with finer neighbours below, it is called.
# This takes a fused multiply-add and glibc 2.28.

for _name in ("pow", "powf"):  # so that stored kernels find them
    c_symbol(_name)

_ZERO_DIVISION, _COMPLEX, _OVERFLOW = 1, 2, 3


def _float_divmod(x: Lane, y: Lane) -> tuple[Lane, Lane]:
    """Quotient and remainder towards negative infinity as CPython and NumPy compute them; ``y`` is not 0."""
    rest = x.like(x.builder.frem(x.value, y.value))
    quotient = (x - rest) / y
    nonzero = rest != 0.0
    across = nonzero & ((y < 0.0) ^ (rest < 0.0))
    quotient = across.where(quotient - 1.0, quotient)
    rest = nonzero.where(across.where(rest + y, rest), rest.constant(0.0).copysign(y))
    floor = quotient.intrinsic("llvm.floor")
    floor = (quotient - floor > 0.5).where(floor + 1.0, floor)
    zero = quotient == 0.0
    return zero.where(floor.constant(0.0).copysign(x / y), floor), rest


@helper("float64, float64 -> float64, float64")
def float_divmod(x: Lane, y: Lane) -> tuple[Lane, Lane]:
    """``divmod(x, y)`` of Python's floats; ``y`` is not 0."""
    return _float_divmod(x, y)


@helper("float64, float64 -> float64")
def float_floor_divide(x: Lane, y: Lane) -> Lane:
    """``x // y`` of Python's floats; ``y`` is not 0."""
    return _float_divmod(x, y)[0]


@helper("float64, float64 -> float64")
def float_modulo(x: Lane, y: Lane) -> Lane:
    """``x % y`` of Python's floats; ``y`` is not 0."""
    return _float_divmod(x, y)[1]


@helper("same, same -> same")
def npy_float_floor_divide(x: Lane, y: Lane) -> Lane:
    """``x // y`` of two of NumPy's float32 or float64; ``x / y`` where ``y`` is 0."""
    return (y == 0.0).where(x / y, _float_divmod(x, y)[0])


@helper("same, same -> same")
def npy_float_remainder(x: Lane, y: Lane) -> Lane:
    """``x % y`` of two of NumPy's float32 or float64; NaN where ``y`` is 0."""
    rest = x.like(x.builder.frem(x.value, y.value))
    return (y == 0.0).where(rest, _float_divmod(x, y)[1])


@helper("float64, float64 -> float64")
def power(x: Lane, y: Lane) -> Lane:
    """``x ** y`` of NumPy's float64 scalars: libm's pow."""
    return x.call("pow", y)


@helper("float32, float32 -> float32")
def power_single(x: Lane, y: Lane) -> Lane:
    """``x ** y`` of NumPy's float32 scalars: libm's powf."""
    return x.call("powf", y)


@cache
def _has_quick_square() -> bool:
    """Whether this machine has fused multiply-add and a libm whose pow is known: see Note [Powers]."""
    try:
        name, version = (os.confstr("CS_GNU_LIBC_VERSION") or "").split()
    except (AttributeError, OSError, ValueError):
        return False
    if name != "glibc" or tuple(int(part) for part in version.split(".")[:2]) < (2, 28):
        return False
    if platform.machine() in ("aarch64", "arm64"):
        return True
    return bool(llvm.get_host_cpu_features().get("fma"))


@helper("float64 -> float64")
def square_power(x: Lane) -> Lane:
    """``power(x, 2.0)``, without the call where its result is certain: see Note [Powers]."""
    if not _has_quick_square():
        return x.call("pow", 2.0)
    product = x * x
    error = x.intrinsic("llvm.fma", x, -product)
    # Adding 32/31 of the error leaves the product as it is only where the error is less than 31/64 of an ulp.
    near = error.intrinsic("llvm.fma", 32 / 31, product) == product
    certain = near & (product > 2.0**-64) & (product < 2.0**64)
    return certain.branch(lambda: product, lambda: x.call("pow", 2.0))


@helper("float64, float64 -> float64, int64")
def python_power(x: Lane, y: Lane) -> tuple[Lane, Lane]:
    """``x ** y`` of Python's floats, and why it fails: 1 ZeroDivisionError, 2 the result is complex, 3 OverflowError."""
    value = x.call("pow", y)
    finite = x.is_finite() & y.is_finite()
    none = value.bits().to_int(64) & 0
    by_zero = (x == 0.0) & (y < 0.0) & finite
    is_complex = (x < 0.0) & (y.intrinsic("llvm.floor") != y) & finite
    overflow = finite & ~value.is_finite()
    status = overflow.where(none + _OVERFLOW, 0)
    status = is_complex.where(none + _COMPLEX, status)
    return value, by_zero.where(none + _ZERO_DIVISION, status)


def _to_int(x: Lane) -> tuple[Lane, Lane]:
    """A whole float as an int64, and whether it is none: too large, infinite or NaN."""
    held = (x >= -(2.0**63)) & (x < 2.0**63)
    return held.where(x, 0.0).truncated(64), ~held


@helper("float64 -> int64, boolean")
def truncate(x: Lane) -> tuple[Lane, Lane]:
    """``int(x)``, and whether that is no int64."""
    return _to_int(x.intrinsic("llvm.trunc"))


@helper("float64 -> int64, boolean")
def floor(x: Lane) -> tuple[Lane, Lane]:
    """``math.floor(x)``, and whether that is no int64."""
    return _to_int(x.intrinsic("llvm.floor"))


@helper("float64 -> int64, boolean")
def ceil(x: Lane) -> tuple[Lane, Lane]:
    """``math.ceil(x)``, and whether that is no int64."""
    return _to_int(x.intrinsic("llvm.ceil"))


@helper("float64 -> int64, boolean")
def round_to_int(x: Lane) -> tuple[Lane, Lane]:
    """``round(x)``, ties to even, and whether that is no int64."""
    return _to_int(x.intrinsic("llvm.rint"))


@helper("float64, int64 -> float64, boolean")
def round_to_digits(x: Lane, digits: Lane) -> tuple[Lane, Lane]:
    """``round(x, digits)`` of a Python float, which rounds the exact decimal value; and whether to ask Python instead.

    Asks for more than 22 digits, for digits before the point, and where x * 10**digits is 2**52 or more.
    """
    # 10**22 is the largest power of ten that is a double; x * scale is product + error exactly, and a product below
    # 2**52 is a tie only if it says so. The quotient of two exact doubles is the decimal's nearest double.
    scale = x.constant(1.0)
    for digit in range(1, 23):
        scale = (digits == digit).where(scale.constant(10.0**digit), scale)
    product = x * scale
    error = _product_error(x, scale, product)
    nearest = product.intrinsic("llvm.rint")
    floor_of = product.intrinsic("llvm.floor")
    tie = (product - floor_of) == 0.5
    upwards = (error > 0.0).where(floor_of + 1.0, (error < 0.0).where(floor_of, nearest))
    rounded = tie.where(upwards, nearest).copysign(x) / scale
    whole = x.magnitude() >= 2.0**52
    unsure = (digits > 22) | (digits < 0) | ~(product.magnitude() < 2.0**52)
    return whole.where(x, rounded), unsure & ~(whole & (digits >= 0)) & x.is_finite() | (digits < 0)


def _product_error(x: Lane, y: Lane, product: Lane) -> Lane:
    """x * y - product, exactly; LLVM calls libm's fma where the machine has none."""
    return x.intrinsic("llvm.fma", y, -product)
