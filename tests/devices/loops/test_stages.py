"""What is stored at the rims of arrays goes along with what is stored between, row by row, and gives what NumPy gives."""

import numpy as np
import pytest

from transpile.devices.loops.statement import Allocate, For

SHAPES = ((23, 70), (3, 70), (2, 70), (1, 70), (70, 3), (40, 33))


def field(shape):
    return np.sin(np.arange(float(np.prod(shape)))).reshape(shape)


def rings(found):
    """The lengths of the rings that a kernel makes for itself where rows are long."""
    dims = [s.buffer.dims[0] for s in found if isinstance(s, Allocate)]
    return [dim for dim in dims if isinstance(dim, int)]


def test_what_is_rolled_along_either_axis_is_kept_for_a_row(scheduled):
    def spread(a):
        return 0.2 * (a + np.roll(a, 1, 0) + np.roll(a, -2, 0) + np.roll(a, 3, 1) + np.roll(a, -1, 1))

    for shape in SHAPES:
        found = scheduled(spread, field(shape))
    assert set(rings(found)) == {1} and found.count(For) == 1


def test_rims_are_stored_behind_what_is_between(scheduled):
    def heat(a, turns):
        for _ in range(turns):
            before = a.copy()
            a[1:-1, 1:-1] = 0.25 * (
                before[2:, 1:-1] + before[:-2, 1:-1] + before[1:-1, 2:] + before[1:-1, :-2]
            )
            a[0] = 1.0
            a[-1] = a[-2]
            a[:, 0] = a[:, 1]
            a[:, -1] = 2.0
        return a

    for shape in SHAPES[:2] + SHAPES[4:]:
        found = scheduled(heat, field(shape), 3)
    assert 32 in rings(found) and found.count(For) == 4


@pytest.mark.parametrize("mode", ["edge", "constant", "reflect"])
def test_what_is_padded_is_kept_for_a_few_rows(scheduled, mode):
    def smooth(a):
        wide = np.pad(a, 2, mode=mode)
        return wide[4:, 2:-2] + wide[:-4, 2:-2] - wide[2:-2, 1:-3] * wide[2:-2, 3:-1]

    for shape in SHAPES[:2] + SHAPES[4:]:
        scheduled(smooth, field(shape))


def test_squares_have_rows_as_long_as_there_are(scheduled):
    def turn(n):
        a = np.arange(n * n * 1.0).reshape(n, n)
        b = np.zeros((n, n))
        for _ in range(3):
            b[0, :] = a[-1, :]
            b[1:, :] = a[:-1, :] * 0.5
            b[:, 0] += a[:, -1]
            a = a + b
        return a

    for n in (1, 2, 17, 40):
        scheduled(turn, n)


def test_a_row_at_a_place_that_run_time_gives(scheduled):
    def move(a, k, turns):
        for t in range(turns):
            before = a.copy()
            a[:, 1:] = 0.5 * (before[:, 1:] + before[:, :-1])
            a[k, :] = before[k - 1, :]
            a[k - 1, 3:] = before[k - 1, :-3] + t
        return a

    for k in (1, 2, 22):
        assert rings(scheduled(move, field((23, 70)), k, 3))
    for k in (0, -1, -21):
        scheduled(move, field((23, 70)), k, 3)


def test_a_row_that_needs_rows_far_from_it_waits_for_all(scheduled):
    def fold(a, k):
        before = a * 0.5
        a[1:] = before[1:] + before[:-1]
        a[0] = a[-1]
        a[2, :] = a[k, :] + before[k, :]
        return a

    for k in (0, 2, 22):
        scheduled(fold, field((23, 70)), k)


def test_a_row_at_places_that_are_read_is_stored_after_the_others(scheduled):
    def put(a, rows, columns):
        before = a * 0.5
        a[1:] = before[1:] + before[:-1]
        a[rows[0], columns] = before[3, columns]
        a[rows, 5] = before[rows, 6]
        return a

    scheduled(put, field((23, 70)), np.array([4, 0, 4]), np.arange(0, 70, 3))


def test_planes_at_the_rim_of_three_axes(scheduled):
    def step(a, turns):
        for _ in range(turns):
            before = a.copy()
            a[1:-1, :, 1:-1] = before[:-2, :, 1:-1] + before[2:, :, 2:]
            a[0] = 0.0
            a[:, 0, :] = a[:, -1, :]
            a[:, :, -1] = 1.0
            a[-1, 1:] = before[-1, :-1]

    for shape in ((5, 12, 15), (3, 1, 40), (4, 6, 6)):
        scheduled(step, field(shape), 3)


def test_rows_are_run_one_by_one_where_they_are_long_for_their_type(scheduled):
    def life(a, turns):
        for _ in range(turns):
            near = sum(np.roll(a, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1))
            a = ((near == 3) | ((near == 4) & (a == 1))).astype(a.dtype)
        return a

    for shape in ((9, 300), (9, 200), (1, 300), (40, 5)):
        scheduled(life, (field(shape) > 0.2).astype(np.int8), 3)


def test_overflow_at_a_rim_is_warned_of(scheduled):
    def heat(a):
        before = a * 1.0
        a[1:-1, 1:-1] = before[2:, 1:-1] + before[:-2, 1:-1]
        a[0] = a[1] * a[2]

    with pytest.warns(RuntimeWarning, match="overflow encountered in multiply"):
        scheduled(heat, field((23, 70)) * 1e200)
