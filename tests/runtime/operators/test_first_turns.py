"""Loops whose first turn makes an array of a number: it stands before the loop."""

import numpy as np
import pytest

import transpile


def check(function, *calls):
    """Compare a function, compiled whole, with itself in plain Python; return it converted."""
    converted = transpile.convert(function, strict=True)
    for arguments in calls:
        found, expected = converted(*arguments), function(*arguments)
        assert (type(found), np.asarray(found).tobytes()) == (type(expected), np.asarray(expected).tobytes())
    return converted


def test_a_sum_of_arrays_begins_with_the_first_of_them():
    def blurred(x, radius):
        width = len(x) - 2 * radius
        return sum(0.5**k * x[k : k + width] for k in range(2 * radius + 1)) * 2.0

    x = np.linspace(0.0, 1.0, 30)
    converted = check(blurred, (x, 3), (x, 0), (x, 7))
    assert "cond" not in str(converted.graph(x, 3))


def test_a_number_that_is_added_to_becomes_an_array_at_once():
    def weighted(x, weights):
        total = 0
        for k in range(len(weights)):
            total = total + weights[k] * x
        return total

    x, weights = np.arange(5.0), np.array([0.5, -1.0, 2.0])
    converted = check(weighted, (x, weights), (x, weights[:1]), (x, weights[:0]))
    assert "union" not in str(converted.graph(x, weights))


def test_what_a_loop_may_leave_a_number_is_a_number_where_it_has_no_turn():
    def weighted(x, count):
        total = 0
        for k in range(count):
            total = total + k * x
        return total

    x = np.arange(5.0)
    check(weighted, (x, 0), (x, 3), (x, 1), (x, -2))


def test_effects_of_a_first_turn_are_seen_once(capsys):
    def shown(x, count):
        total = 0
        for k in range(count):
            print(k)
            x[k] += 1.0
            total = total + x
        return total

    plain, compiled = np.zeros(4), np.zeros(4)
    expected, said = shown(plain, 3), capsys.readouterr().out
    found = transpile.convert(shown)(compiled, 3)
    assert capsys.readouterr().out == said
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(compiled, plain)


def test_what_a_turn_raises_is_raised():
    def failing(x, count):
        total = 0
        for k in range(count):
            total = total + x[k : k + 4] * np.ones(4)
        return total

    x = np.arange(6.0)
    converted = transpile.convert(failing)
    np.testing.assert_array_equal(converted(x, 3), failing(x, 3))
    with pytest.raises(ValueError, match="broadcast"):
        converted(x, 4)
    with pytest.raises(ValueError, match="broadcast"):
        transpile.convert(failing)(x[:3], 1)
