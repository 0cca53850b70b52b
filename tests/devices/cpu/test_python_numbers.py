"""Kernels call functions of Python's that give numbers, with their bits, and raise what they raise."""

import cmath
import math
import sys
from collections.abc import Callable
from typing import Any

import pytest

from transpile import convert

from ...end_to_end.comparison import call, compare

PARTS = (0.0, -0.0, 1.0, -2.5, 0.3, 7.0, 1e200, 1e-310, -1e308, math.inf, -math.inf, math.nan)
NUMBERS = [complex(x, y) for x in PARTS for y in PARTS[:8]]


def hypotenuses(x, y):
    return [math.hypot(x * k, y) for k in range(3)], math.hypot(x, y, 2.0), math.dist((x, 1), (y, 2.0))


def gammas(x, y):
    return [math.gamma(x + k) for k in range(3)], math.lgamma(y)


def remainders(x, y):
    return [math.remainder(x, y + k) for k in range(1, 3)], math.nextafter(x, y), math.ulp(x)


def parts(x, y):
    return math.modf(x), math.modf(y * 3), math.modf(-x)


def digits(x, y):
    return [round(x * k, 2) for k in range(3)], round(y, -1), round(x, int(y))


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("function", [hypotenuses, gammas, remainders, parts, digits])
@pytest.mark.parametrize("x", [*PARTS, 2.675, 0.1])
def test_functions_of_floats_have_pythons_bits(function: Callable[..., Any], x: float) -> None:
    converted = convert(function)
    for y in (1.0, 2.5, -0.0, 1e300, math.inf, math.nan):
        compare(call(function, (x, y)), call(converted, (x, y)))


def raised(z, w):
    return [z**w for _ in range(2)]


def turned(z, w):
    return cmath.sqrt(z), cmath.exp(w), cmath.rect(z.real, 0.5)


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("function", [raised, turned])
@pytest.mark.parametrize(
    "w", [0.5j, 2 + 0j, -3 + 0j, 0j, 100.5 + 0j, 101 + 0j, -0.5 + 2j, complex(math.nan, 0), complex(1e300, 1)]
)
def test_functions_of_complex_numbers_have_pythons_bits(function: Callable[..., Any], w: complex) -> None:
    converted = convert(function)
    for z in NUMBERS:
        compare(call(function, (z, w)), call(converted, (z, w)))


def many(n):
    total, whole = 0.0, 0
    for k in range(n):
        total += math.hypot(k, 2.5) + round(k * 1.2345, 2) + abs(math.e ** (-2j * math.pi * k / n))
        whole += math.factorial(k % 20)
    return total, whole


def test_python_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    from transpile.devices.cpu import upcall

    class Asked(dict[int, Any]):
        def get(self, *given: Any) -> Any:
            entered.append(given)
            return super().get(*given)

    entered: list[Any] = []
    converted = convert(many, strict=True)
    compare(call(many, (100,)), call(converted, (100,)))
    monkeypatch.setattr(upcall, "_calls", Asked())
    converted(100)
    assert not entered
    for name in (
        "complex_power",
        "python_math_hypot_2",
        "python_builtins_round_2",
        "python_math_factorial_1",
    ):
        assert name in converted.kernels(100)


def lent(x):
    return math.hypot(x, 1.0)


def test_nothing_is_kept_of_what_is_handed_over() -> None:
    converted = convert(lent, strict=True)
    converted(1.0)
    before = sys.getrefcount(math.hypot), sys.getrefcount(float)
    for _ in range(100):
        converted(2.0)
    after = sys.getrefcount(math.hypot), sys.getrefcount(float)
    assert all(abs(now - then) < 10 for then, now in zip(before, after, strict=True))
