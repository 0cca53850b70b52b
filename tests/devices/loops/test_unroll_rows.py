"""Reductions over few rows."""

import numpy as np
import pytest

from transpile.devices.loops.statement import Fused, Reduction

ROWS = np.linspace(-2.0, 3.0, 60).reshape(3, 20)


@pytest.mark.parametrize("dtype", ["f4", "f8", "c16", "i2", "u8"])
def test_few_stacked_arrays_are_added_up_element_by_element(scheduled, dtype):
    def function(x, y):
        rows = np.stack([x, y, x * y, x - y])
        return rows.sum(axis=0), rows.prod(axis=0)

    x, y = (ROWS[k].astype(dtype) for k in range(2))
    found = scheduled(function, x, y)
    assert found.count(Reduction) == 0
    assert len(found.nests) == 1


def test_windows_need_no_memory(scheduled):
    def function(x):
        frames = np.stack([x[k : k + 17] for k in range(4)])
        mean = frames.mean(axis=0)
        return np.sqrt(((frames - mean) ** 2).mean(axis=0))

    found = scheduled(function, ROWS[0].copy())
    assert found.count(Fused) == 1 and found.made == 0


def test_extremes_begin_with_the_first_row(scheduled):
    def function(x, y):
        rows = np.stack([x, y])
        return rows.max(axis=0), rows.min(axis=0)

    scheduled(function, np.array([1.0, np.nan, -0.0, 0.0] * 5), np.array([2.0, 1.0, 0.0, -0.0] * 5))
    scheduled(function, np.array([3, -4, 5]), np.array([3, 4, -5]))


def test_negative_zeros_keep_their_sign(scheduled):
    def function(x, y):
        return np.stack([x, y]).sum(axis=0)

    scheduled(function, np.full(9, -0.0), np.full(9, -0.0))


def test_any_number_of_rows_stays_a_loop(scheduled):
    def function(rows):
        return rows.sum(axis=0)

    assert scheduled(function, ROWS).count(Reduction) == 1


def test_the_end_of_rows_is_added_up_in_runs(scheduled):
    def function(x, y):
        return np.stack([x, y], axis=1).sum(axis=1)

    scheduled(function, ROWS[0].copy(), ROWS[1].copy())
