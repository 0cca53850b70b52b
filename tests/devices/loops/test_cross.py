"""Nests are tiled where arrays lie across each other, and there alone."""

import numpy as np
import pytest

from transpile.devices.loops.statement import For

WIDE = np.arange(70.0 * 600.0).reshape(70, 600)
SQUARE = np.arange(45.0 * 45.0).reshape(45, 45)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.T.copy(),
        lambda x: np.ascontiguousarray(x.T) * 2.0,
        lambda x: np.exp(np.ascontiguousarray(np.sqrt(x).T)),
        lambda x: np.ascontiguousarray(x[::-1, 1:].T) + 1.0,
        lambda x: x.astype(np.int32).T.copy(),
    ],
)
def test_what_is_read_across_memory_is_read_in_tiles(scheduled, function):
    assert scheduled(function, WIDE).count(For) == 2


def test_a_sum_with_the_transpose_is_computed_in_tiles(scheduled):
    def function(x):
        return (x + x.T) / 2 - x * x.T

    assert scheduled(function, SQUARE).count(For) == 2


def test_what_is_written_across_memory_is_written_in_tiles(scheduled):
    def function(x, y):
        y.T[:] = x
        y += 1.0

    scheduled(function, WIDE, np.zeros((600, 70)))


def test_loops_around_the_two_stay_around_the_tiles(scheduled):
    def function(x):
        return np.ascontiguousarray(x.transpose(0, 2, 1)) * 2.0

    assert scheduled(function, np.arange(3.0 * 40 * 50).reshape(3, 40, 50)).count(For) == 3


def test_loops_between_the_two_stay_in_the_tiles(scheduled):
    def function(x):
        return np.ascontiguousarray(x.transpose(2, 1, 0))

    assert scheduled(function, np.arange(40.0 * 3 * 50).reshape(40, 3, 50)).count(For) == 2


@pytest.mark.parametrize(
    "function",
    [
        # All go along memory.
        lambda x: x.T * 2.0 + x.T,
        lambda x: x[:, ::-1] + x,
        # A turn of a loop of its own is a short one.
        lambda x: np.ascontiguousarray(x[:, :8].T),
    ],
)
def test_what_goes_along_memory_stays_as_it_is(scheduled, function):
    assert scheduled(function, WIDE).count(For) == 0


def test_an_array_that_is_overwritten_with_its_own_transpose_is_read_before(scheduled):
    def function(x):
        x[:] = x.T
        x += x.T

    scheduled(function, SQUARE)


def test_an_array_that_is_overwritten_where_it_was_read_already_keeps_its_order(scheduled):
    def function(x, y):
        x[:-1] = x[1:] + y.T[1:]

    scheduled(function, SQUARE, SQUARE + 1.0)
