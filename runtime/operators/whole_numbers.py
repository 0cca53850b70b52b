"""The functions of `math` on integers, and the integers that functions of Python's give."""

from __future__ import annotations

import contextlib
import functools
import math
import operator
from collections.abc import Callable
from typing import Any

from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.numbers import cast, lift, raise_if, to_weak
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import FLOAT64, INT, INT64, PYBOOL, ScalarType

from .builtins import element
from .call import known
from .logic import if_exp

# The largest integer whose square fits into 64 bits.
_LARGEST_ROOT = math.isqrt(2**63 - 1)
# The largest number whose factorial does; and for which all counts of choices do.
_LARGEST_FACTORIAL, _LARGEST_CHOICE = 20, 61
_LEAVES = "an integer leaves 64 bits"


def integer_of(function: Callable[..., int], *values: Value, may_leave: Any = True) -> SymbolicScalar:
    """Return the integer that a function gives for run-time values; the original runs the call where that is none of 64 bits, which is asked where it `may_leave` them."""

    def leaves(*numbers: Any) -> bool:
        try:
            return not -(2**63) <= function(*numbers) < 2**63
        except (ValueError, OverflowError):
            return False

    def asked() -> SymbolicScalar:
        return SymbolicScalar(recorder().emit("host_value", *values, function=leaves, type=PYBOOL))

    has_left = if_exp(may_leave, asked, lambda: False)
    if has_left is not False:
        recorder().deoptimise_if(lift(has_left), _LEAVES)
    return SymbolicScalar(recorder().emit("host_value", *values, function=function, type=INT))


def _common(left: Any, right: Any) -> Any:
    """Return the greatest common divisor of two integers, as NumPy has it, which knows none that leaves 64 bits."""
    if not is_symbolic((left, right)):
        return math.gcd(left, right)
    found = recorder().emit("gcd", *(cast(lift(number), INT64) for number in (left, right)))
    divisor = SymbolicScalar(to_weak(found, INT64))
    recorder().deoptimise_if((divisor < 0).value, _LEAVES)
    return divisor


def _divisor(*numbers: Any) -> Any:
    return functools.reduce(_common, numbers, 0)


def _multiple(*numbers: Any) -> Any:
    found: Any = 1
    for number in numbers:
        divisor = _common(found, number)
        # Of 0 and 0 it is 0, which any divisor gives.
        found = abs(found // (divisor + (divisor == 0)) * number)
    return found


def _root(number: Any) -> Any:
    record = recorder()
    raise_if(number < 0, lambda: ValueError("isqrt() argument must be nonnegative"))
    # Rounding takes the root of what lies just below a square for that of the square.
    root = record.emit("sqrt", record.emit("absolute", cast(to_weak(number.value, FLOAT64), FLOAT64)))
    found = SymbolicScalar(to_weak(record.emit("cast", root, dtype=INT64), INT64))
    most = lift(_LARGEST_ROOT)
    found = SymbolicScalar(record.emit("select", (found > _LARGEST_ROOT).value, most, found.value))
    return found - (found * found > number)


def _factorial(number: Any) -> Any:
    recorder().deoptimise_if((number > _LARGEST_FACTORIAL).value, _LEAVES)
    return SymbolicScalar(recorder().emit("host_value", number.value, function=math.factorial, type=INT))


def _choices(function: Callable[..., int], largest: int) -> Callable[..., Any]:
    """Return what counts choices among so many things: up to the `largest` number, none of the counts leaves 64 bits."""

    def count(number: Any, *others: Any) -> Any:
        return integer_of(function, *map(lift, (number, *others)), may_leave=number > largest)

    return count


def _declare(function: Callable[..., int], staged: Callable[..., Any]) -> None:
    def implementation(*numbers: Any) -> Any:
        numbers = tuple(map(element, numbers))
        if not is_symbolic(numbers):
            return known(function, numbers, {})
        for number in numbers:
            type_ = lift(number).type
            assert isinstance(type_, ScalarType)
            if type_.dtype.kind not in ("biu" if type_.weak else "iu"):
                kind = SymbolicScalar(lift(number)).type_name
                raise recorder().unsure(TypeError(f"'{kind}' object cannot be interpreted as an integer"))
        with contextlib.suppress(ValueError):
            # Python says whether there are as many as there should be.
            function(*(1 for _ in numbers))
        return staged(*map(_of_python, numbers))

    FUNCTIONS[function] = implementation


def _of_python(number: Any) -> Any:
    return SymbolicScalar(to_weak(number.value, INT64)) if is_symbolic(number) else operator.index(number)


_declare(math.gcd, _divisor)
_declare(math.lcm, _multiple)
_declare(math.isqrt, _root)
_declare(math.factorial, _factorial)
_declare(math.comb, _choices(math.comb, _LARGEST_CHOICE))
_declare(math.perm, _choices(math.perm, _LARGEST_FACTORIAL))
