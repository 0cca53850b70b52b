"""Which stores are dropped, and which must stay."""

import contextlib

import numpy as np

import transpile
from transpile.devices.loops.statement import Nest

X = np.linspace(-2.0, 3.0, 24)
Y = np.linspace(1.0, 2.0, 24)


def test_a_fill_that_is_overwritten_goes(scheduled):
    def function(x):
        y = np.zeros(len(x))
        y[:] = x[::-1]
        return y

    assert len(scheduled(function, X).nests) == 1


def test_a_fill_that_is_overwritten_in_part_stays(scheduled):
    def function(x):
        y = np.zeros(len(x))
        y[1:] = x[1:]
        return y

    assert len(scheduled(function, X).nests) == 2


def test_a_fill_that_is_read_first_stays(scheduled):
    def function(x, y):
        y[:] = 3.0
        x[:-1] = y[1:] + x[1:]
        y[:] = x[::-1]

    assert len(scheduled(function, X, Y).nests) == 3


def test_a_fill_that_is_read_in_other_dims_stays(scheduled):
    def function(x, y):
        y[:] = 3.0
        x += y.reshape(4, 6).sum()
        y[:] = x[::-1]

    assert len(scheduled(function, X, Y).nests) >= 3


def test_a_fill_that_a_branch_reads_stays(scheduled):
    def function(x, y, k):
        y[:] = 3.0
        if k > 0:
            x[0] = y[k]
        y[:] = x[::-1]

    for k in (0, 1):
        assert len(scheduled(function, X, Y, k).nests) == 2


def test_a_fill_that_an_error_may_show_stays():
    def function(x, y, k):
        y[:] = 3.0
        print("here")
        if k > 0:
            raise ValueError
        y[:] = x

    converted = transpile.convert(function, strict=True)
    for k in (0, 1):
        plain, compiled = Y.copy(), Y.copy()
        for run, y in ((function, plain), (converted, compiled)):
            with contextlib.suppress(ValueError):
                run(X, y, k)
        np.testing.assert_array_equal(compiled, plain)


def test_a_matrix_that_is_overwritten_through_its_transpose_is_not_filled(scheduled):
    def function(a):
        b = np.zeros(a.shape)
        c = b.T
        c[:] = a.T * 2.0
        return b

    assert len(scheduled(function, X.reshape(4, 6)).nests) == 1


def test_memory_that_is_only_written_goes(scheduled):
    def function(x):
        t = np.zeros(len(x))
        for k in range(3):
            t[:] = x * k
            x += t
        return x

    assert scheduled(function, X).made == 0


def test_memory_of_one_turn_that_the_next_turn_reads_stays(scheduled):
    def function(x, steps):
        t = np.zeros(len(x))
        for k in range(steps):
            x += t
            t[:] = x * k
        return x

    for steps in (0, 1, 4):
        assert scheduled(function, X, steps).made == 1


def test_single_elements_that_are_stored_stay(scheduled):
    def function(x):
        x[0] = 4.0
        x[1:] = 2.0
        x[0] = 5.0
        return x.copy()

    assert scheduled(function, X).count(Nest) >= 2
