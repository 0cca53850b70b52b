"""Arithmetic on floats as Python and NumPy's scalars have it: division, powers, rounding, conversion to int."""

from __future__ import annotations

import platform
from collections.abc import Callable
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from .lanes import Lane, helper
from .processor import c_library
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


@helper("same -> same")
def turned(x: Lane) -> Lane:
    """``x * -1`` or ``-0.0 - x``, which LLVM takes for ``-x``: but NaN keeps its sign."""
    return x.is_nan().where(x, -x)


@helper("same, same -> same")
def free_add(x: Lane, y: Lane) -> Lane:
    """A sum of which several may be taken in any order, so that loops of them become vector code."""
    return x.like(x.builder.fadd(x.value, y.value, flags=("reassoc",)))


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
    name, _, version = c_library().partition(" ")
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


def _complex_comparison(name: str, compare: Callable[[Lane, Lane], Lane]) -> Any:
    def formula(a: Lane, a_imag: Lane, b: Lane, b_imag: Lane) -> Lane:
        return (a == b).where(compare(a_imag, b_imag), compare(a, b))

    formula.__name__ = f"complex_{name}"
    formula.__doc__ = f"``{name}`` of the parts of two complex numbers, as NumPy's scalars have it."
    return helper("float64, float64, float64, float64 -> boolean")(formula)


COMPLEX_COMPARISONS = {
    "less": _complex_comparison("less", lambda a, b: a < b),
    "less_equal": _complex_comparison("less_equal", lambda a, b: a <= b),
    "greater": _complex_comparison("greater", lambda a, b: a > b),
    "greater_equal": _complex_comparison("greater_equal", lambda a, b: a >= b),
}


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
