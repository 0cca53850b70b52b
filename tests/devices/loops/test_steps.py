"""Loops of steps over the same rows go row by row with the nests around them, and give what NumPy gives."""

import numpy as np
import pytest

from transpile.devices.loops.statement import Allocate, For, If

SHAPES = ((30, 110), (12, 75), (11, 76), (40, 20))
TURNS = (2, 3, 6, 10)


def field(shape, dtype=float):
    return (np.sin(np.arange(float(np.prod(shape)))) * 5.0).reshape(shape).astype(dtype)


def rings(found):
    """The lengths of the rings that a kernel makes for itself where rows are long."""
    dims = [s.buffer.dims[0] for s in found if isinstance(s, Allocate)]
    return sorted(dim for dim in dims if isinstance(dim, int))


def followed(found):
    """How many loops of steps there are in loops over rows."""
    return sum(
        isinstance(inner, For)
        for loop in found
        if isinstance(loop, For) and loop.in_order
        for test in loop.body
        for inner in (test.then if isinstance(test, If) else [test])
    )


def blur(image, weights):
    h, w = (size - len(weights) + 1 for size in image.shape)
    rows = sum(weight * image[k : k + h] for k, weight in enumerate(weights))
    return sum(weight * rows[:, k : k + w] for k, weight in enumerate(weights))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128, np.int64])
def test_both_axes_of_a_blur_keep_one_row(scheduled, dtype):
    for shape in SHAPES:
        for turns in TURNS:
            found = scheduled(blur, field(shape, dtype), field((turns,), dtype))
            assert len(rings(found)) == 1 and followed(found) == 2
            alone = scheduled(blur, field(shape, dtype), field((turns,), dtype), parallel=False)
            assert rings(alone) == [1] and followed(alone) == 2


def test_what_looks_at_neighbouring_rows_follows(scheduled):
    def function(image, weights):
        smooth = blur(image * 0.5, weights)
        return smooth[2:] - smooth[:-2] + smooth[1:-1]

    for shape in SHAPES:
        found = scheduled(function, field(shape), field((4,)))
        assert len(rings(found)) == 2 and followed(found) == 2


def test_several_nests_in_a_step(scheduled):
    def function(a, c):
        b = a * 2.0
        s, t = np.zeros_like(a), np.ones_like(a)
        for k in range(len(c), 0, -1):
            s = s * b + c[k - 1]
            t[:, 1:] = s[:, :-1] * t[:, 1:] + k
        return t[1:] - t[:-1]

    for shape in SHAPES:
        for turns in TURNS:
            scheduled(function, field(shape) / 7.0, field((turns,)))
            scheduled(function, field(shape) / 7.0, field((turns,)), parallel=False)


def test_steps_that_look_at_rows_that_run_time_gives_wait_for_all_of_them(scheduled):
    def function(a, turns):
        b = a + 1.0
        s = np.zeros_like(a[turns:])
        for k in range(turns):
            s = s + b[k : k + len(s)] * k
        return s

    for shape in SHAPES:
        for turns in TURNS:
            assert followed(scheduled(function, field(shape), turns, parallel=False)) == 0


def test_numbers_that_are_stored_by_rows_are_read_behind_them(scheduled):
    def function(a, turns):
        b = a * a
        s = np.zeros_like(a)
        for k in range(turns):
            s = s * 0.5 + b[k, k] * a
        return s + b

    for shape in SHAPES:
        for turns in TURNS:
            scheduled(function, field(shape), turns)


def test_arguments_are_stored_over_in_order(scheduled):
    def function(a, c):
        before = a[:-1] * 0.5
        for k in range(len(c)):
            a[1:] = a[1:] * c[k] + before
        a[:-1] = a[1:] - before

    for shape in SHAPES:
        for turns in TURNS:
            scheduled(function, field(shape), field((turns,)) / 5.0)
            scheduled(function, field(shape), field((turns,)) / 5.0, parallel=False)


def test_steps_are_left_to_threads_where_the_loop_over_rows_is_not_shared(scheduled):
    def function(a, c):
        b = np.zeros_like(a)
        for k in range(len(c)):
            b = b * a + c[k]
        a[1:-1] = (b[2:] - b[:-2]) * 0.01

    for shape in SHAPES:
        given = field(shape) / 7.0, field((6,))
        assert followed(scheduled(function, *given)) == 0
        assert followed(scheduled(function, *given, parallel=False)) == 1


def test_what_steps_give_is_kept_where_it_is_wanted(scheduled):
    def function(image, weights):
        h = len(image) - len(weights) + 1
        rows = sum(weight * image[k : k + h] for k, weight in enumerate(weights))
        smooth = rows[:, 1:] + rows[:, :-1]
        return rows, smooth.max(), smooth[1:] * smooth[:-1]

    for shape in SHAPES:
        scheduled(function, field(shape), field((3,)))


def test_turns_of_a_loop_around_have_their_own(scheduled):
    def function(a, c, turns):
        for _ in range(turns):
            b = np.zeros_like(a)
            for k in range(len(c)):
                b = b * a + c[k]
            a[1:-1] = (b[2:] - b[:-2]) * 0.01
            a[0] = b[0] * 0.5
        return a

    for shape in SHAPES:
        for turns in TURNS:
            scheduled(function, field(shape) / 7.0, field((turns,)) / 7.0, 3)
            scheduled(function, field(shape) / 7.0, field((turns,)) / 7.0, 3, parallel=False)


def test_warnings_are_those_of_numpy(scheduled):
    with pytest.warns(RuntimeWarning, match="overflow encountered in multiply"):
        scheduled(blur, np.abs(field(SHAPES[0])) * 1e307, np.full(3, 1e5))


def test_no_rows_and_no_steps(scheduled):
    for shape in ((3, 100), (4, 100), (100, 3), (100, 4)):
        scheduled(blur, field(shape), field((4,)))
