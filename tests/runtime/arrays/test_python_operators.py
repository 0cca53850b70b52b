"""Operators on Python's numbers do and raise what Python's do."""

import math
from collections.abc import Callable
from typing import Any

import pytest

import transpile

from .agreement import agree

NUMBERS = (0, 1, -3, 7, 2**40, True, 0.0, -0.5, 2.5, 1e300)
ARITHMETIC = [
    lambda x, y: x + y, lambda x, y: x - y, lambda x, y: x * y, lambda x, y: x < y, lambda x, y: x == y, lambda x, y: x >= y,
    lambda x, y: x / y,
    lambda x, y: x // y,
    lambda x, y: x % y,
    lambda x, y: x != y,
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(ARITHMETIC)))
def test_arithmetic(place: int) -> None:
    agree(ARITHMETIC[place], *[(x, y) for x in NUMBERS for y in NUMBERS], strict=False)


def operators() -> list[Callable[[Any, Any], Any]]:
    def both(x, y):
        return x & y, x | y, x ^ y

    def left(x, y):
        return x << y

    def right(x, y):
        return x >> y

    return [both, left, right]


@pytest.mark.parametrize("function", operators())
def test_bits(function: Callable[[Any, Any], Any]) -> None:
    numbers = [(x, y) for x in (0, 1, -3, 7, True) for y in (0, 2, -1, 5, True)]
    agree(function, *numbers, (1.5, 2), (2, 1.5), strict=False)


def test_complex_numbers_lack_some() -> None:
    def floor(x, y):
        return x // y

    def less(x, y):
        return x < y

    def some(x, y):
        return x + y, x * y, x == y, x / y

    for function in (floor, less, some):
        agree(function, (1j, 2), (2.5, 1 - 1j), strict=False)


def raised_to_known_powers() -> list[Callable[[Any], Any]]:
    def first(z):
        return z**1

    def square(z):
        return z**2

    def seventh(z):
        return z ** (7 + 0j)

    def hundredth(z):
        return pow(z, 100.0)

    def in_a_loop(z):
        total = 0j
        for k in range(5):
            total = total**2 + z if k % 2 else total + z**3
        return total

    return [first, square, seventh, hundredth, in_a_loop]


@pytest.mark.parametrize("function", raised_to_known_powers())
def test_complex_numbers_are_multiplied_for_small_powers(function: Callable[[Any], Any]) -> None:
    parts = (0.0, -0.0, 1.0, -2.5, 1e200, math.inf, math.nan)
    agree(function, *[(complex(x, y),) for x in parts for y in parts])
    graph = transpile.convert(function).graph(1j)
    assert "host_value" not in str(graph), "Python is called for each power"
