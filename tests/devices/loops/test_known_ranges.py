"""What is proved of integers spares looking at them: the results are Python's, on both sides of what is proved."""

import math

import pytest

import transpile

MOST = 2**63 - 1
EDGES = sorted({edge + d for edge in (0, 2**53, 2**31, 2**62, MOST - 2) for d in (-2, -1, 0, 1, 2)})
NUMBERS = [n for edge in EDGES for n in (edge, -edge)]


def attributes(function, *arguments):
    """The names of what is proved of ops, as the kernel is printed."""
    text = transpile.convert(function, strict=True).kernels(*arguments)
    return {
        name for name in ("natural_quotient", "natural_rest", "true_divide", "compare_int") if name in text
    }


def natural(n, k):
    total = 0
    while n > 0:
        total += n % 10 + (n // 7) % (k * k + 1)
        n //= 10
    return total


def test_natural_numbers_are_divided_without_a_look_at_signs():
    assert attributes(natural, 1234, 3) >= {"natural_quotient", "natural_rest"}
    converted = transpile.convert(natural, strict=True)
    for n in NUMBERS:
        for k in (0, 1, -5, 2**31):
            assert converted(n, k) == natural(n, k)


def unproved(n, k):
    return [n % 10, n // 10, n % k, n // k, k // 3 - n // 3]


def test_other_numbers_are_divided_as_python_does():
    assert not attributes(unproved, 1234, 3)
    converted = transpile.convert(unproved, strict=True)
    for n in NUMBERS:
        for k in (1, -1, 10, -7, MOST, -MOST - 1):
            assert converted(n, k) == unproved(n, k)
        with pytest.raises(ZeroDivisionError):
            converted(n, 0)


def quotient(n, k):
    return (n % 2**53) / 12345, (n % 1000) / 2**53, n / k, (n % 2**54) / 3


def test_integers_that_are_floats_are_divided_as_such():
    def exact(n):
        return (n % 2147483647) / 2147483647

    assert not attributes(exact, 12345) & {"true_divide"}
    assert attributes(quotient, 12345, 7) >= {"true_divide"}
    converted = transpile.convert(quotient, strict=True)
    for n in NUMBERS:
        for k in (3, -(2**53) - 1, MOST):
            assert converted(n, k) == quotient(n, k)


def compared(x, n):
    return x < 0, 3 <= x, x == 2**53, x != -1, True < x, x > 2**53 + 1, x < n, x == False  # noqa: E712, SIM300


def test_integers_that_are_known_are_compared_with_floats_as_such():
    converted = transpile.convert(compared, strict=True)
    for x in (0.0, -0.0, 1.0, 1.5, 3.0, -1.0, 2.0**53, 2.0**53 + 2, math.inf, -math.inf, math.nan, 5e-324):
        for n in (0, 2**53 + 1, -MOST):
            assert converted(x, n) == compared(x, n)


def test_roots_of_negative_numbers_raise_as_they_do():
    def function(x, y):
        y[0] = 5.0
        return math.sqrt(x)

    converted = transpile.convert(function, strict=True)
    for x in (0.0, -0.0, 4.0, math.inf, 5e-324):
        assert math.copysign(1.0, converted(x, [1.0])) == math.copysign(1.0, math.sqrt(x))
        assert converted(x, [1.0]) == math.sqrt(x)
    assert math.isnan(converted(math.nan, [1.0]))
    for x in (-1.0, -5e-324, -math.inf):
        y = [1.0]
        with pytest.raises(ValueError, match="math domain error"):
            converted(x, y)
        assert y == [5.0]
