"""Loops that go on as long as some element asks for it run over a piece of memory at a time."""

import numpy as np
import pytest

from transpile.devices.loops.statement import While

LENGTHS = (0, 2, 1023, 1024, 1025, 5000)


def in_pieces(program):
    """Whether a loop on a test stands in another one."""
    return program.count(While) == 2


def numbers(length):
    """Numbers of which the last want most turns."""
    return np.linspace(1.0, 100.0, length), np.linspace(0.0, 30.0, length) ** 0.9


def test_a_series_is_summed_piece_by_piece_for_as_many_turns(scheduled):
    def function(a, x, tolerance):
        term = 1 / a
        total = term.copy()
        n = 0
        while (term > tolerance * total).any():
            n += 1
            term *= x / (a + n)
            total += term
        return total, n

    for length in LENGTHS:
        assert in_pieces(scheduled(function, *numbers(length), 1e-13))
        a, x = numbers(length)
        assert in_pieces(scheduled(function, a[::-1].copy(), x[::-1].copy(), 1e-13))


def test_tests_of_all_elements_and_of_turns_are_tests_of_pieces(scheduled):
    def until_all(x):
        n = 0
        while not np.all(x < 1.0):
            x *= 0.75
            n += 1
        return n

    def some_and_turns(x):
        n = 0
        while np.any(x > 1.0) and n < 7:
            x *= 0.75
            n += 1
        return n

    def turns_and_some(x):
        n = 0
        while n < 9 and np.any(x > 1.0):
            x *= 0.75
            n += 1
        return n

    def some_or_turns(x):
        n = 0
        while np.any(x > 1.0) | (n < 7):
            x *= 0.75
            n += 1
        return n

    for function in (until_all, some_and_turns, turns_and_some, some_or_turns):
        for length in LENGTHS:
            assert in_pieces(scheduled(function, numbers(length)[0]))


def test_elements_that_want_a_turn_again_are_asked_at_every_goal(scheduled):
    def function(x):
        n, step = 0, 1.0
        while n < 30 and (np.abs(x - 12.0) > 2.0).any():
            x += step
            n += 1
            step = 1.0 + n % 3
        return n, step

    for length in LENGTHS:
        # Every other piece is ahead of the rest, and beyond what it was to reach when these come there.
        x = 3.0 + 3.0 * (np.arange(length) % 2048 > 1023)
        assert in_pieces(scheduled(function, x))


def test_a_piece_that_is_far_ahead_waits_for_the_others(scheduled):
    def function(x):
        n = 0
        while (x > 0).any():
            x -= 1.0
            n += 1
        return n

    x = np.zeros(3000)
    x[5], x[-1] = 1500.0, 3100.0
    assert in_pieces(scheduled(function, x))
    assert in_pieces(scheduled(function, x[::-1].copy()))


def test_numbers_that_turns_carry_are_those_of_the_last_one(scheduled):
    def function(x, factor):
        steps, flips = 0.0, False
        while np.any(x > 1.0):
            x *= factor
            factor = factor * 0.99
            steps += factor
            flips = not flips
        return steps, flips, factor

    for length in LENGTHS:
        assert in_pieces(scheduled(function, numbers(length)[0], 0.9))


def test_tests_of_pieces_that_say_nothing_of_the_whole_stay(scheduled):
    def while_all(x):
        while np.all(x > 1.0):
            x *= 0.5

    def while_sum(x):
        while x.sum() > 10.0:
            x *= 0.5

    def while_some_and_all(x):
        while (x > 1.0).any() and np.all(x < 1e9):
            x *= 0.5

    def while_several(x):
        while (x > 1.0).sum() > 2:
            x *= 0.5

    for function in (while_all, while_sum, while_some_and_all, while_several):
        assert not in_pieces(scheduled(function, 2.0 + numbers(5000)[0]))


def test_elements_that_look_at_others_stay_in_step(scheduled):
    def neighbours(x):
        while (x > 1.0).any():
            x[1:] = x[:-1] * 0.5
            x[0] *= 0.5

    def reversed_(x, y):
        while (x > 1.0).any():
            x *= 0.5
            y[:] = x[::-1]

    x = 2.0 + numbers(3000)[0]
    assert not in_pieces(scheduled(neighbours, x[:40].copy()))
    assert not in_pieces(scheduled(reversed_, x, x.copy()))


def test_what_turns_count_of_elements_is_of_all(scheduled):
    def function(x):
        counts = 0
        while (x > 1.0).any():
            counts += np.count_nonzero(x > 1.0)
            x *= 0.5
        return counts

    assert not in_pieces(scheduled(function, 2.0 + numbers(3000)[0]))


def test_a_warning_of_a_later_piece_comes_nevertheless():
    import transpile

    def function(x, tolerance):
        n = 0
        while (tolerance * x > 1e-3).any():
            x *= x
            x /= 2.0
            n += 1
        return n

    x = np.full(5000, 0.5)
    x[4000] = 1e200
    with np.errstate(over="raise", invalid="raise"):
        with pytest.raises(FloatingPointError):
            function(x.copy(), 1e200)
        with pytest.raises(FloatingPointError):
            transpile.convert(function, strict=True)(x.copy(), 1e200)


def test_arrays_that_are_made_anew_take_over_memory_and_run_in_pieces(scheduled):
    def function(a, x, tolerance):
        n = 0
        y = a.copy()
        while np.any(np.abs(y - x) > tolerance * a):
            y = y + 0.5 * (x - y)
            n += 1
        return y, n

    for length in LENGTHS:
        assert in_pieces(scheduled(function, *numbers(length), 1e-3))


def test_numbers_that_are_read_of_what_turns_store_keep_all_in_step(scheduled):
    def tested(x):
        n = 0
        while np.any(x > 1.0) and x[3] > 0.9:
            x *= 0.5
            n += 1
        return n

    def summed(x):
        total = 0.0
        while (x > 1.0).any():
            x *= 0.5
            total = total + x[5]
        return total

    def stored(x, bound):
        while (x > bound[0]).any():
            x *= 0.5
            bound[0] = x[7]

    x = np.linspace(1.0, 50.0, 3000)
    for function, others in ((tested, ()), (summed, ()), (stored, (np.array([1.0, 2.0]),))):
        assert not in_pieces(scheduled(function, x, *others))
