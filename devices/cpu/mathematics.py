"""The functions of Python's ``math`` on floats, with the reasons for which they fail."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

from .lanes import Lane, helper
from .symbols import c_symbol

# Note [Functions of math]
# CPython calls libm and looks at what comes back: NaN from numbers is a ValueError, infinity from finite numbers an
# OverflowError for functions that grow, a ValueError for the others (poles). The same libm is called here, under names
# that LLVM does not know. Functions that CPython computes by itself (gamma, lgamma, hypot, dist, remainder, fsum and
# those of integers) are not offered: their results change from one Python to the next.

VALUE_ERROR, OVERFLOW_ERROR = 1, 2

_UNARY = {
    **dict.fromkeys(
        ["acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "erf", "erfc"], VALUE_ERROR
    ),
    **dict.fromkeys(["log", "log10", "log1p", "log2", "sin", "tan", "tanh"], VALUE_ERROR),
    **dict.fromkeys(["cosh", "exp", "exp2", "expm1", "sinh"], OVERFLOW_ERROR),
}


def _status(x: Lane, value: Lane, at_infinity: int, finite: Lane | None = None) -> Lane:
    """Why a function of ``x`` fails that came to ``value``: 0 where it does not."""
    none = x.bits().to_int(64) & 0
    finite = x.is_finite() if finite is None else finite
    infinite = (value.magnitude() == float("inf")) & finite
    status = infinite.where(none + at_infinity, 0)
    return (value.is_nan() & ~x.is_nan()).where(none + VALUE_ERROR, status)


def _sqrt(x: Lane) -> tuple[Lane, Lane]:
    # Whether it fails can be told before there is a root.
    return x.intrinsic("llvm.sqrt"), (x < 0.0).where((x.bits().to_int(64) & 0) + VALUE_ERROR, 0)


def _atan2(y: Lane, x: Lane) -> tuple[Lane, Lane]:
    value = y.call("atan2", x)
    return value, value.bits().to_int(64) & 0


def _fmod(x: Lane, y: Lane) -> tuple[Lane, Lane]:
    value = x.like(x.builder.frem(x.value, y.value))
    none = x.bits().to_int(64) & 0
    return value, (value.is_nan() & ~x.is_nan() & ~y.is_nan()).where(none + VALUE_ERROR, 0)


def _pow(x: Lane, y: Lane) -> tuple[Lane, Lane]:
    value = x.call("pow", y)
    none = x.bits().to_int(64) & 0
    finite = x.is_finite() & y.is_finite()
    infinite = (x == 0.0).where(none + VALUE_ERROR, OVERFLOW_ERROR)
    failed = value.is_nan().where(none + VALUE_ERROR, infinite)
    return value, (finite & ~value.is_finite()).where(failed, 0)


def _degrees(x: Lane) -> tuple[Lane, Lane]:
    return x * (180.0 / math.pi), x.bits().to_int(64) & 0


def _radians(x: Lane) -> tuple[Lane, Lane]:
    return x * (math.pi / 180.0), x.bits().to_int(64) & 0


def _unary(name: str) -> Callable[[Lane], tuple[Lane, Lane]]:
    def formula(x: Lane) -> tuple[Lane, Lane]:
        value = x.call(name)
        return value, _status(x, value, _UNARY[name])

    return formula


_FORMULAS: dict[str, tuple[str, Callable[..., Any]]] = {
    **{name: ("float64 -> float64, int64", _unary(name)) for name in _UNARY},
    "sqrt": ("float64 -> float64, int64", _sqrt),
    "degrees": ("float64 -> float64, int64", _degrees),
    "radians": ("float64 -> float64, int64", _radians),
    "atan2": ("float64, float64 -> float64, int64", _atan2),
    "fmod": ("float64, float64 -> float64, int64", _fmod),
    "pow": ("float64, float64 -> float64, int64", _pow),
}


for _name in (*_UNARY, "atan2", "pow"):  # so that stored kernels find them
    c_symbol(_name)


@cache
def math_function(name: str) -> Any:
    """The function ``name`` of math for kernels, ``value, status = f(x)`` or ``f(x, y)``, or None where it is not offered.

    The status is 0, 1 (VALUE_ERROR) or 2 (OVERFLOW_ERROR).
    """
    if name not in _FORMULAS:
        return None
    declaration, formula = _FORMULAS[name]
    formula.__name__ = f"math_{name}"
    return helper(declaration)(formula)
