"""Multiples of an integer are asked for by one test of that integer, and fit, or are Python's."""

import numpy as np
import pytest

import transpile
from transpile.devices.loops.statement import CheckedLet, LeaveIf

MOST = 2**63 - 1


def collatz(n):
    return 3 * n + 1


def down(n):
    return n * -5 - 7


def back(n):
    return n * 3 - 2**62


def several(n):
    return 1 - (n * 4 + 2**61 - 3)


def seen(n):
    product = 10 * n
    return product, product + 9


def twice(n):
    product = n * n
    return 7 * product + 1, n * 6 * 11


@pytest.mark.parametrize("function", [collatz, down, back, several, seen, twice])
def test_what_leaves_64_bits_is_pythons(function):
    converted = transpile.convert(function, strict=True)
    edges = {end // factor for end in (MOST, -MOST - 1, 2**62, -(2**62)) for factor in (1, 3, 4, 5, 10)}
    edges |= {3037000499, 1147930000, 0, 1, -1, (MOST - 1) // 3, (MOST - 2**61) // 4, (MOST + 2**62) // 3}
    for edge in edges:
        for n in (edge - 2, edge - 1, edge, edge + 1, edge + 2):
            for given in (n, -n):
                if -MOST - 1 <= given <= MOST:
                    found = converted(given)
                    assert found == function(given) and type(found) is type(function(given))


def test_one_test_is_made_of_what_is_multiplied(scheduled):
    assert scheduled(collatz, 5).count(CheckedLet) == 0
    assert scheduled(collatz, 5).count(LeaveIf) == 2
    for function in (seen, several, back):
        assert (scheduled(function, 5).count(CheckedLet), scheduled(function, 5).count(LeaveIf)) == (0, 2)


def test_a_side_that_is_known_is_not_asked_for(scheduled):
    def function(n, start):
        steps = 0
        while n >= 10:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps, n

    statements = scheduled(function, 27, 1)
    assert (statements.count(LeaveIf), statements.count(CheckedLet)) == (1, 0)
    converted = transpile.convert(function, strict=True)
    for n in (27, 3, 0, -5, (MOST - 1) // 3, (MOST - 1) // 3 + 1, MOST):
        assert converted(n, 1) == function(n, 1)


def test_a_multiple_is_a_place_in_an_array():
    def function(x, n):
        total = 0.0
        for i in range(3):
            total += x[n * 3 - i]
        return total

    converted = transpile.convert(function, strict=True)
    x = np.arange(10.0)
    for n in (1, 2, 3):
        assert converted(x, n) == function(x, n)
    for n in (4, 2**62, MOST, -MOST):
        with pytest.raises((IndexError, OverflowError)) as plain:
            function(x, n)
        with pytest.raises((IndexError, OverflowError)) as ours:
            converted(x, n)
        assert repr(ours.value) == repr(plain.value)


def test_after_something_was_printed_the_original_takes_over(capsys):
    def function(n):
        print(n)
        return 3 * n + 1

    converted = transpile.convert(function, strict=True)
    for n in (5, 2**62):
        assert converted(n) == 3 * n + 1
    assert capsys.readouterr().out == f"5\n{2**62}\n"
