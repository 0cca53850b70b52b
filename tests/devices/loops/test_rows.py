"""Nests that reduce rows, and those that go with them, run row by row where rows are long."""

import numpy as np
import pytest

from transpile.devices.loops.statement import For, If, Reduction


def by_rows(program):
    """How many loops of rows have a reduction in them."""
    return sum(isinstance(s, For) and any(isinstance(i, Reduction) for i in s.body) for s in program)


def random(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape)


@pytest.mark.parametrize("shape", [(5, 100), (3, 64), (4, 63), (6, 3), (2, 200), (0, 80), (130, 300)])
def test_what_is_made_of_the_sum_of_a_row_is_made_beside_it(scheduled, shape):
    def function(x):
        weights = np.exp(x - 1.0)
        return weights / weights.sum(axis=1, keepdims=True)

    assert by_rows(scheduled(function, random(*shape))) == 1


def test_moments_of_rows_and_what_is_done_with_them_go_together(scheduled):
    def function(x, gain):
        mean = x.mean(axis=-1, keepdims=True)
        spread = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
        return gain * (x - mean) / np.sqrt(spread + 1e-5)

    program = scheduled(function, random(7, 90), random(90))
    assert by_rows(program) == 1 and program.count(If) == 1
    scheduled(function, random(7, 9), random(9))


def test_rows_of_rows(scheduled):
    def function(x):
        y = x * x
        return y - y.sum(axis=2, keepdims=True)

    for shape in ((3, 4, 100), (3, 4, 5), (2, 1, 70)):
        assert by_rows(scheduled(function, random(*shape))) == 1


def test_sums_of_columns_stay_apart(scheduled):
    def function(x):
        y = x * x
        return y - y.sum(axis=0)

    assert by_rows(scheduled(function, random(100, 80))) == 0


def test_what_needs_the_sums_of_other_rows_comes_after_all_of_them(scheduled):
    def function(x):
        sums = (x * x).sum(axis=1)
        return x + sums[::-1, None], sums

    assert by_rows(scheduled(function, random(70, 90))) == 0


def test_rows_that_are_changed_in_place(scheduled):
    def function(x):
        x -= x.max(axis=1, keepdims=True)
        np.exp(x, out=x)
        x /= x.sum(axis=1)[:, None]

    scheduled(function, random(5, 100))
    scheduled(function, np.asfortranarray(random(70, 80)))
