"""What is computed where it is used, and what is stored first."""

import numpy as np

from transpile.devices.loops.expression import Element
from transpile.devices.loops.statement import Allocate, ArgReduction

X = np.linspace(1.0, 2.0, 12)
ROWS = X.reshape(3, 4).copy()


def test_what_is_broadcast_through_a_view_is_computed_once(scheduled):
    def function(x, rows):
        return (np.sqrt(x[:3]) / x[3:6])[:, np.newaxis] * rows

    assert scheduled(function, X, ROWS).made == 1


def test_what_is_broadcast_into_a_target_is_computed_once(scheduled):
    def function(x, rows):
        rows[:] = np.sqrt(x[:4]) / x[4:8]

    assert scheduled(function, X, ROWS).made == 1


def test_what_is_read_through_two_views_is_computed_once(scheduled):
    def function(x):
        t = np.sqrt(x) / 3.0
        return t[::-1][1:] + t[::-1][:-1]

    assert scheduled(function, X).made == 1


def test_what_is_read_once_through_a_view_is_computed_there(scheduled):
    def function(x, y):
        return (x * y)[::-1] + 1.0, (x - y)[:, np.newaxis][:, 0]

    assert scheduled(function, X, X + 1.0).made == 0


def test_what_numpy_computes_in_rows_is_stored_before_axes_are_cut_up(scheduled):
    def inline(x):
        return (x * 2.0)[:2, ::-1].reshape(2, 2, 2).max(axis=1)

    def called(x):
        return np.exp(x)[:2, ::-1].reshape(2, 2, 2).max(axis=1)

    assert [scheduled(function, ROWS).made for function in (inline, called)] == [1, 2]


def test_what_numpy_computes_is_stored_before_rows_are_searched(scheduled):
    def inline(x):
        return np.argmin(np.abs(x), axis=1)

    def called(x):
        return np.argmin(np.abs(x * 1j), axis=1)

    def is_stored(function):
        body = scheduled(function, ROWS).program.body
        (search,) = (s for s in body if isinstance(s, ArgReduction))
        return isinstance(search.expression, Element)

    assert not is_stored(inline)
    assert is_stored(called)


def test_what_numpy_may_be_asked_about_is_stored_only_where_it_is(scheduled):
    def function(x, y):
        x *= y
        y *= (0.5 * np.abs(x)).sum()

    found = scheduled(function, X.copy(), X.copy())
    assert found.made == 1
    assert not any(isinstance(s, Allocate) for s in found.program.body)
