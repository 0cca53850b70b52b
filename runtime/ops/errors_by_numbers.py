"""The floating-point errors that numbers show: of which ops, and the ops that find and report them. See Note [Floating-point errors]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.types import INT64, Type

from .elementwise import OPERATORS, spread
from .floating_errors import DIVIDE, INVALID, OVERFLOW, UNSURE
from .opdef import OpDef, define

# Where operations on finite real numbers give infinity because they divide by zero: never, always, or where an operand, by its place, is 0. Those that are not
# named here may do so for reasons that do not show.
NEVER, ALWAYS = -1, -2
POLES = {
    **dict.fromkeys(("add", "subtract", "multiply", "square", "sqrt", "remainder", "fmod"), NEVER),
    **dict.fromkeys(("exp", "exp2", "expm1", "sinh", "cosh", "hypot", "cast"), NEVER),
    **dict.fromkeys(("sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "clip"), NEVER),
    **dict.fromkeys(
        ("tanh", "arcsinh", "arccosh", "cbrt", "deg2rad", "rad2deg", "degrees", "radians"), NEVER
    ),
    **dict.fromkeys(("log", "log2", "log10", "log1p", "arctanh"), ALWAYS),
    **dict.fromkeys(("divide", "floor_divide"), 1),
    **dict.fromkeys(("power", "reciprocal"), 0),
}
# Instead of the name of an op: that of several, which have led to a number.
RUN = "run"
# The operations on integers that divide them, and those whose quotient of the least by -1 does not fit.
OVERFLOWS = frozenset(("floor_divide", "divmod"))
DIVIDES = OVERFLOWS | {"remainder", "fmod", "reciprocal"}
# The operators by which NumPy's integer scalars leave their range, which it warns of; ufuncs and arrays wrap around without a word.
WRAPS = frozenset(("add", "subtract", "multiply", "negative", "absolute"))
# The operations on complex numbers whose errors show: they are sums, or sums of products, of the parts.
COMPLEX = frozenset(("add", "subtract", "multiply", "square"))
# Complex numbers are ordered by their real parts, and where these are equal by the others: no part that is compared may be NaN.
ORDERINGS = frozenset(("less", "less_equal", "greater", "greater_equal"))
# Operations on complex numbers, and on others, that may have errors although their results are finite.
_HIDDEN_COMPLEX = frozenset(("divide", "power", "float_power", "reciprocal", "sign"))
_HIDDEN = frozenset(("logaddexp", "logaddexp2"))


def is_known(name: str, kinds: set[str]) -> bool:
    """Whether the errors of an op on numbers of these kinds of dtypes show in its results."""
    if kinds <= set("iu"):
        return name in DIVIDES or name in WRAPS
    if "c" in kinds:
        return name in ORDERINGS or (kinds == {"c"} and name in COMPLEX)
    return kinds == {"f"} and name in POLES


def is_sure(name: str, kinds: set[str]) -> bool:
    """Whether errors show, and there are never any of which the numbers do not tell whether they are there."""
    return (
        is_known(name, kinds)
        and name != "power"
        and not (kinds == {"c"} and name in COMPLEX - {"add", "subtract"})
    )


def is_hidden(name: str, kinds: set[str]) -> bool:
    """Whether an op may have errors of which its results show nothing."""
    return name in _HIDDEN or ("c" in kinds and name in _HIDDEN_COMPLEX)


def _float_errors(attributes: Mapping[str, Any], result: Any, *operands: Any) -> Any:
    name = attributes["of"]
    with np.errstate(all="ignore"):
        if name in ORDERINGS:
            return _of_ordering(*operands)
        if np.asarray(result).dtype.kind in "iu":
            if name == "cast":
                low, high = limits(np.asarray(result).dtype)
                return np.where((operands[0] >= low) & (operands[0] < high), 0, INVALID)
            if name in WRAPS:
                return OVERFLOW if int(result) != _exact(name, *map(int, operands)) else 0
            if name == "reciprocal":
                # The quotient is a float first, which does not fit.
                return np.where(np.asarray(operands[0]) == 0, DIVIDE | INVALID, 0)
            found = np.where(np.asarray(operands[1]) == 0, DIVIDE, 0)
            if name not in OVERFLOWS or np.asarray(result).dtype.kind == "u":
                return found
            least = np.iinfo(np.asarray(result).dtype).min
            return np.where((operands[0] == least) & (operands[1] == -1), OVERFLOW, found)
        if not np.iscomplexobj(result):
            return _of_real(name, result, *operands)
        parts = ((result.real, *(o.real for o in operands)), (result.imag, *(o.imag for o in operands)))
        if name not in COMPLEX or not operands:
            return _of_real("", result.real) | _of_real("", result.imag)
        if name in ("add", "subtract"):
            return _of_real(name, *parts[0]) | _of_real(name, *parts[1])
        a, b = operands[0], operands[-1]
        return _of_products(result.real, (a.real, b.real), (a.imag, b.imag)) | _of_products(
            result.imag, (a.real, b.imag), (a.imag, b.real)
        )


def _exact(name: str, *numbers: int) -> int:
    """Return what an operator gives of integers without end."""
    exact: int = OPERATORS[name](*numbers)
    return exact


def _of_ordering(left: Any, right: Any) -> Any:
    """Return the errors in ordering complex numbers."""
    first = np.isnan(left.real) | np.isnan(right.real)
    second = (left.real == right.real) & (np.isnan(left.imag) | np.isnan(right.imag))
    return np.where(first | second, INVALID, 0)


def _of_real(name: str, result: Any, *operands: Any) -> Any:
    """Return the errors in computing a real number."""
    if name not in POLES or not operands:
        return np.where(np.isfinite(result), 0, INVALID)
    finite = np.logical_and.reduce([np.isfinite(o) for o in operands])
    number = ~np.logical_or.reduce([np.isnan(o) for o in operands])
    pole = POLES[name]
    by_zero = pole == ALWAYS if pole < 0 else np.asarray(operands[pole]) == 0
    # Of an infinite quotient the fraction is no number.
    infinite = np.where(by_zero, DIVIDE, OVERFLOW | INVALID if name == "floor_divide" else OVERFLOW)
    found = np.where(np.isinf(result) & finite, infinite, 0)
    found |= np.where(np.isnan(result) & number, INVALID, 0)
    if name == "power":
        found |= np.where(np.isinf(result) & np.isinf(operands[1]), (DIVIDE | OVERFLOW) << UNSURE, 0)
    return found


def _of_products(result: Any, *factors: tuple[Any, Any]) -> Any:
    """Return the errors in computing the sum, or difference, of two products, one of which may not be rounded."""
    (a, b), (c, d) = factors
    first, second = a * b, c * d
    grows = [np.isinf(a * b) & np.isfinite(a) & np.isfinite(b) for a, b in factors]
    fails = [np.isnan(a * b) & ~np.isnan(a) & ~np.isnan(b) for a, b in factors]
    finite, number = np.isfinite(first) & np.isfinite(second), ~np.isnan(first) & ~np.isnan(second)
    overflow = (grows[0] & (np.isfinite(second) | grows[1])) | (grows[1] & np.isfinite(first))
    invalid = (fails[0] & (~np.isnan(second) | fails[1])) | (fails[1] & ~np.isnan(first))
    overflow = (overflow & ~np.isfinite(result)) | (np.isinf(result) & finite)
    invalid = invalid | (np.isnan(result) & number)
    found = np.where(overflow, OVERFLOW, 0) | np.where(invalid, INVALID, 0)
    # What is added again to what is there already changes nothing.
    found |= np.where((grows[0] | grows[1]) & ~np.isfinite(result), OVERFLOW << UNSURE, 0)
    return found | np.where(fails[0] | fails[1], INVALID << UNSURE, 0)


def limits(dtype: Any) -> tuple[float, float]:
    """Return the least float that fits into an integer type, and the least above that does not."""
    info = np.iinfo(dtype)
    return float(info.min), float(info.max + 1)


def _types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    return (spread(operands, INT64),)


# float_errors(result, operands...): for each element, the errors in computing it by the op of the attribute `of`; where they do not show (`is_known`),
# or the operands are not given, INVALID for what is not finite. Where that is RUN, the number is what several have led to.
define(OpDef("float_errors", _types, _float_errors, family="elementwise"))


# heed(errors): report errors by the attribute `report` when the call has ended; where it is None, the original runs the call. Where NumPy computes, and reports itself,
# it does nothing.
define(
    OpDef(
        "heed",
        lambda operands, attributes: (),
        lambda attributes, errors: (),
        family="effect",
        effect=True,
    )
)
