"""Right-hand sides that overlap the array they are stored into see it as it was before."""

from __future__ import annotations

import numpy as np
import pytest

import transpile

from .comparison import call, compare


def ahead(x):
    x[1:-1] = x[2:] + x[1:-1]


def behind(x):
    x[1:-1] = x[:-2] + x[1:-1]


def onto_the_left(x):
    x[:-1] += x[1:]


def onto_the_right(x):
    x[1:] += x[:-1]


def reversed_onto_itself(x):
    x[:] = x[::-1]


def backwards_ahead(x):
    x[::-1][:-1] = x[::-1][1:]


def backwards_behind(x):
    x[::-1][1:] = x[::-1][:-1]


def down_and_back(x):
    x[1:-1, 1:-1] = x[2:, :-2] + x[1:-1, 1:-1]


def up_and_forth(x):
    x[1:-1, 1:-1] = x[1:-1, 2:] + x[:-2, 1:-1]


def mirrored(x):
    x[1:-1, ::-1] = x[2:, :]


def through_a_loop_of_numpy(x):
    x[:, :-1] = np.exp(x[:, 1:])


def transposed(x):
    x[:-1, :-1].T[:] = x[1:, 1:].T


LINES = (
    ahead,
    behind,
    onto_the_left,
    onto_the_right,
    reversed_onto_itself,
    backwards_ahead,
    backwards_behind,
)
PLANES = (down_and_back, up_and_forth, mirrored, through_a_loop_of_numpy, transposed)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("function", LINES + PLANES, ids=lambda function: function.__name__)
def test_the_old_elements_are_read(function, order, device):
    shape = (1200,) if function in LINES else (7, 600)
    x = np.asarray(np.random.default_rng(0).normal(size=shape), order=order)
    compare(call(function, (x,)), call(transpile.convert(function, strict=True, device=device), (x,)))


def ordered_by_several(x):
    order = np.lexsort((x,))
    x -= order
    return order


def ordered(x):
    order = np.argsort(x)
    x *= 2
    return order


def searched(x, y):
    places = np.searchsorted(x, y)
    x += 1
    y *= places
    return places


def ordered_in_a_loop(x):
    total = 0
    for k in range(3):
        total += np.lexsort((x,))[k] + np.argsort(x)[0]
        x[k] += 10
    return total


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [ordered_by_several, ordered, searched, ordered_in_a_loop])
def test_what_is_sorted_with_gaps_is_written_where_it_is(function, device):
    converted = transpile.convert(function, strict=True, device=device)
    for step in (2, 1, -1):
        given = [
            (np.arange(12.0) * 7 % 5)[::step] if function is not searched else np.arange(12.0)[:: abs(step)],
            (np.arange(9.0) * 0.7)[::step],
        ][: function.__code__.co_argcount]
        plain = [array.copy() for array in given]
        assert repr(converted(*given)) == repr(function(*plain))
        assert all(np.array_equal(one, other) for one, other in zip(given, plain, strict=True))


def multiplied_in_a_loop(x, y, n):
    part = x[::2]
    total = 0.0
    for k in range(n):
        total += np.dot(part, y)
        x[0] += k
    return total, part.sum()


@pytest.mark.parametrize("step", [1, -1, 3])
def test_what_is_copied_for_a_library_stays_where_it_is(step):
    converted = transpile.convert(multiplied_in_a_loop, strict=True)
    for n in (0, 3, 1):
        given, plain = (np.arange(36.0)[::step] for _ in range(2))
        y = np.arange(float(len(given[::2])))
        assert repr(converted(given, y, n)) == repr(multiplied_in_a_loop(plain, y, n))
        assert np.array_equal(given, plain)
