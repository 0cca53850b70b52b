"""Functions of integers give what Python's give, as far as 64 bits go and beyond."""

import math
from collections.abc import Callable
from typing import Any

import pytest

from transpile import convert

from ...end_to_end.comparison import call, compare

LEAST, MOST = -(2**63), 2**63 - 1
SQUARES = [k * k + d for k in (1, 2**26, 94906267, 2**31, 3037000499) for d in (-1, 0, 1)]


def divisors(a, b):
    return math.gcd(a, b), math.gcd(a), math.gcd(a, b, 6), math.gcd(12, 18, a), math.gcd()


def multiples(a, b):
    return math.lcm(a, b), math.lcm(a), math.lcm(a, b, 2), math.lcm(2, 3, b)


def root(a, b):
    return math.isqrt(a)


def factorial(a, b):
    return math.factorial(a)


def choices(a, b):
    return math.comb(a, b), math.perm(a, b), math.perm(b)


def refused(a, b):
    return math.gcd(a, 2.5), math.isqrt(a, b)


def rounded(a, b):
    return round(a, -1), round(a, b), round(a, 1), round(a > b, b), round(a, True)


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [divisors, multiples, root, factorial, choices, refused, rounded])
def test_functions_of_integers_are_pythons(function: Callable[..., Any], device: str) -> None:
    converted = convert(function, device=device)
    numbers = (0, 1, -4, 12, 18, 20, 21, 61, 62, 63, 66, 67, 100, LEAST, MOST, *SQUARES)
    for a in numbers:
        for b in (0, 1, -1, 2, 18, -18, 30, LEAST, MOST):
            largest = abs(b) if function is rounded else max(a, b)
            if function in (choices, factorial, rounded) and largest > 1000:
                # Python itself would count for years.
                continue
            compare(call(function, (a, b)), call(converted, (a, b)))


def looped(n):
    total = 0
    for k in range(n):
        total += math.gcd(k, 360) + math.isqrt(k * k + k) + math.lcm(k, 6) + math.comb(k, 2)
    return total


def common(n):
    return math.gcd(n, 12) + math.isqrt(n) + math.lcm(n, 4)


def test_loops_ask_python_of_nothing() -> None:
    converted = convert(looped, strict=True)
    compare(call(looped, (200,)), call(converted, (200,)))
    assert "upcall" not in convert(common, strict=True).kernels(7)
