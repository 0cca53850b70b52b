"""What is done with a few columns is written out beside what is done with rows."""

import numpy as np

from transpile.devices.loops.statement import Fused, Nest, Reduction

POINTS = np.random.default_rng(3).normal(size=(41, 3))


def test_lengths_of_points_are_found_in_one_nest_with_what_is_made_of_them(scheduled):
    def function(points):
        _x, _y, _z = points.T
        return points / np.sqrt((points * points).sum(axis=1))[:, None]

    found = scheduled(function, POINTS)
    assert len(found.nests) == 1 and isinstance(found.nests[0], Fused) and found.made == 0


def test_cross_products_need_no_memory_for_what_they_are_made_of(scheduled):
    def function(one, other):
        twice = 2.0 * np.cross(one, other)
        return np.cross(one, twice) + other

    found = scheduled(function, POINTS, POINTS[::-1].copy())
    assert len(found.nests) == 1 and found.made == 0


def test_sums_of_columns_have_numpys_bits(scheduled):
    def function(x):
        _a, _b, _c, _d = x.T
        return x.sum(axis=1)

    numbers = np.array([[-0.0] * 4, [1e30, 1.0, -1e30, 1.0], [0.1, 0.2, 0.3, 0.4]])
    for x in (numbers, POINTS[:40].reshape(-1, 4), numbers.astype(np.float32)):
        assert scheduled(function, x).count(Reduction) == 0
    for dtype in (np.int8, np.uint64, np.int64):
        scheduled(function, np.arange(24, dtype=dtype).reshape(6, 4))


def test_other_reductions_of_columns_stay(scheduled):
    def function(x):
        _a, _b, _c = x.T
        return x.prod(axis=1), (x + 1j).sum(axis=1)

    assert scheduled(function, POINTS).count(Reduction) == 2


def test_columns_alone_go_through_memory_from_end_to_end(scheduled):
    def function(x):
        _a, _b, _c = x.T
        return x * 2.0 + 1.0

    (nest,) = scheduled(function, POINTS).nests
    assert isinstance(nest, Nest) and len(nest.indices) == 1


def test_columns_that_are_computed_of_each_other_keep_their_order(scheduled):
    def function(x):
        _a, _b, _c = x.T
        x[:, 1:] += x[:, :-1]
        x[1:] -= x[:-1, ::-1]
        return x.sum(axis=1) + x[:, 0]

    scheduled(function, POINTS)
