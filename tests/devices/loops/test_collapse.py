"""Which loops are made one."""

import numpy as np
import pytest

from transpile.devices.loops.expression import Element
from transpile.devices.loops.statement import Nest, Reduction

CUBE = np.arange(60.0).reshape(3, 4, 5)


def depths(found):
    return [len(s.loops if isinstance(s, Reduction) else s.indices) for s in found.nests]


def test_whole_arrays_are_crossed_in_one_loop(scheduled):
    def function(x, y):
        y[:] = x * 2.0
        x -= y

    assert depths(scheduled(function, CUBE, CUBE + 1.0)) == [1]


def test_rows_from_one_on_are_crossed_in_one_loop(scheduled):
    def function(x, y):
        y[1:] = x[:-1] + x[1:]

    assert depths(scheduled(function, CUBE[0].copy(), CUBE[1].copy())) == [1]


def test_a_part_of_each_row_takes_two_loops(scheduled):
    def function(x, y):
        y[:, 1:] = x[:, :-1]
        x[:, :3] -= 1.0

    assert depths(scheduled(function, CUBE[0].copy(), CUBE[1].copy())) == [2, 2]


def test_only_the_axes_that_are_whole_are_made_one(scheduled):
    def function(x, y):
        x[:, 1:] += y[:, :-1]

    assert depths(scheduled(function, CUBE, CUBE + 1.0)) == [2]


def test_a_row_that_is_broadcast_takes_two_loops(scheduled):
    def function(x, row, column):
        x += row
        x *= column

    assert depths(scheduled(function, CUBE[0].copy(), CUBE[1, 0], CUBE[2, :, :1].copy())) == [2]


def test_transposes_and_turned_arrays_keep_their_loops(scheduled):
    def function(x, y):
        x += y.T
        y -= x[::-1]

    square = np.arange(16.0).reshape(4, 4)
    assert depths(scheduled(function, square, square + 1.0)) == [2, 2]


def test_arrays_with_gaps_keep_their_loops(scheduled):
    def function(x):
        x *= 2.0

    wide = np.arange(40.0).reshape(4, 10)[:, :7]
    assert depths(scheduled(function, wide)) == [2]


def test_arrays_in_fortran_order_keep_their_loops(scheduled):
    def function(x, y):
        x += y

    scheduled(function, np.asfortranarray(CUBE), CUBE)


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (1, 4), (4, 1), (1, 1)])
def test_short_and_empty_axes_are_no_trouble(scheduled, shape):
    def function(x, y):
        x += y
        return (x > y).sum(), x * 2.0

    scheduled(function, np.ones(shape), np.ones(shape))


def test_counts_and_extremes_of_integers_cross_all_axes_at_once(scheduled):
    def function(n):
        return n.sum(), n.max(), (n > 3).any(), (n >= 0).all()

    assert set(depths(scheduled(function, np.arange(60).reshape(3, 4, 5)))) == {1}


def test_sums_of_floats_keep_numpy_s_order(scheduled):
    def function(x):
        return x.sum(), (x * x).sum(axis=2), x.sum(axis=0), (x + 1.0).sum(axis=(1, 2))

    rng = np.random.default_rng(1)
    scheduled(function, rng.standard_normal((5, 30, 70)))


def test_rows_of_results_are_one_loop(scheduled):
    def function(x):
        return x.sum(axis=0)

    (found,) = depths(scheduled(function, CUBE))
    assert found == 2


def test_positions_keep_their_loops(scheduled):
    def function(x):
        x[:] = np.arange(x.shape[1])

    assert depths(scheduled(function, np.zeros((4, 5), int))) == [2]


def test_memory_that_is_swapped_between_nests_is_crossed_anew(scheduled):
    def function(x, y, steps):
        u, v = x.copy(), y.copy()
        for _ in range(steps):
            v += 1.0
            u, v = v, u
            v -= u
        return u - v

    for steps in (0, 1, 3):
        assert scheduled(function, CUBE[0], CUBE[1], steps).count(Nest) >= 3


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (1, 7), (3, 4), (3, 4, 5), (2, 70, 3), (130, 150)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
def test_sums_of_what_is_computed_of_whole_arrays_take_one_loop(scheduled, shape, dtype):
    def function(x, y):
        return ((x - y) * (x - y)).sum(), np.sum(x * y + 2), (x * x).sum(axis=(-2, -1), keepdims=True)

    random = np.random.default_rng(1)
    x, y = random.normal(size=(2, *shape)).astype(dtype)
    found = scheduled(function, x, y)
    if min(shape) > 1:
        assert [s.run for s in found.nests if isinstance(s, Reduction)] == [1, 1, 1]


def test_sums_over_the_last_axes_keep_a_loop(scheduled):
    def function(x, y):
        return (x * y).sum(axis=(1, 2)), (x - y).mean(axis=(2, 3)).sum()

    x = np.random.default_rng(2).normal(size=(2, 3, 4, 50))
    scheduled(function, x, x[::-1].copy())


def test_sums_of_parts_and_of_turned_arrays_are_stored_first(scheduled):
    def function(x, y):
        return (x[1:, 1:] * y[1:, 1:]).sum(), (x.T * 2).sum(), (x + y.T).sum(), (x * y[0]).sum()

    x = np.random.default_rng(3).normal(size=(2, 40, 40))
    found = scheduled(function, *x)
    assert all(isinstance(s.expression, Element) for s in found.nests if isinstance(s, Reduction))
