"""Turns of a loop run side by side where none has to do with what another one stores, and each waits for its own sums."""

import numpy as np
import pytest

from transpile.devices.loops.expression import Constant
from transpile.devices.loops.statement import For, If

A = np.random.default_rng(1).standard_normal((19, 13))
B = np.random.default_rng(2).standard_normal((13, 11))


def together(program):
    """Return how many turns run side by side, for each loop of which several do."""
    steps = [loop.step.value for loop in program if isinstance(loop, For) and isinstance(loop.step, Constant)]
    return [step for step in steps if step > 1]


def product(a, b):
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0.0
            for k in range(b.shape[0]):
                s += a[i, k] * b[k, j]
            c[i, j] = s
    return c


def test_sums_of_turns_that_are_their_own_run_side_by_side(scheduled):
    assert together(scheduled(product, A, B)) == [8]


@pytest.mark.parametrize("columns", [0, 1, 7, 8, 9, 16, 23])
def test_turns_that_are_left_over_run_one_by_one(scheduled, columns):
    b = np.random.default_rng(3).standard_normal((13, columns))
    scheduled(product, A, b)


@pytest.mark.parametrize("kind", [np.float32, np.complex128])
def test_other_floats_are_added_up_in_the_same_order(scheduled, kind):
    def function(a, x):
        y = np.zeros(a.shape[0], a.dtype)
        for i in range(2, a.shape[0]):
            s = y[i]
            for k in range(a.shape[1]):
                s += a[i, k] * x[k]
            y[i] = s
        return y

    a = (A * (1 + 2j) if kind is np.complex128 else A).astype(kind)
    assert together(scheduled(function, a, a[0].copy())) == [8]


def test_rows_below_the_one_that_is_read_are_stored_to(scheduled):
    def function(a):
        for j in range(a.shape[0]):
            for i in range(j + 1, a.shape[0]):
                s = a[i, j]
                for k in range(j):
                    s -= a[i, k] * a[j, k]
                a[i, j] = s / a[j, j]

    assert together(scheduled(function, A[:13] + 20.0 * np.eye(13))) == [8]


def test_turns_that_read_what_the_ones_before_have_stored_run_one_by_one(scheduled):
    def function(a, b):
        for i in range(a.shape[0]):
            s = b[i]
            for k in range(i):
                s -= a[i, k] * b[k]
            b[i] = s

    def fixed(a, b):
        for i in range(a.shape[0]):
            s = b[i]
            for k in range(a.shape[0]):
                s -= a[i, k] * b[k]
            b[i] = s

    for solve in (function, fixed):
        assert together(scheduled(solve, 0.1 * A[:13], B[:, 0].copy())) == []


def test_turns_that_go_on_with_the_last_ones_result_run_one_by_one(scheduled):
    def function(a):
        y = np.zeros(a.shape[0])
        s = 0.0
        for i in range(a.shape[0]):
            for k in range(a.shape[1]):
                s += a[i, k]
            y[i] = s
        return y

    assert together(scheduled(function, A)) == []


def test_loops_of_different_lengths_run_one_by_one(scheduled):
    def function(a):
        y = np.zeros(a.shape[1])
        for i in range(a.shape[1]):
            s = 0.0
            for k in range(i):
                s += a[k, i] * 0.5
            y[i] = s
        return y

    assert together(scheduled(function, A)) == []


def test_branches_and_loops_in_loops_are_copied(scheduled):
    def function(image, kernel):
        out = np.zeros((image.shape[0] - 2, image.shape[1] - 2))
        for i in range(out.shape[0]):
            for j in range(out.shape[1]):
                s = 0.0
                for u in range(kernel.shape[0]):
                    for v in range(kernel.shape[1]):
                        s += image[i + u, j + v] * kernel[u, v]
                if s > 0.5:
                    out[i, j] = s
                else:
                    out[i, j] = i - j
        return out

    assert together(scheduled(function, A, B[:3, :3].copy())) != []


def test_what_fails_in_a_turn_is_left_where_it_was(scheduled):
    def function(a, x):
        for i in range(a.shape[0]):
            s = 0.0
            for k in range(x.shape[0]):
                s += a[i, k] / x[k]
            a[i, 0] = s

    with pytest.warns(RuntimeWarning, match="divide by zero"):
        scheduled(function, A, np.array([1.0, 0.0, 2.0]))


def test_ranges_that_run_backwards_or_nowhere(scheduled):
    def function(a, first, last):
        y = np.zeros(a.shape[0])
        for i in range(first, last):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k]
            y[i] = s
        return y

    for first, last in ((0, 19), (3, 3), (5, 2), (2, 18)):
        scheduled(function, A, first, last)


def test_sums_in_elements_run_side_by_side(scheduled):
    def function(a, x):
        y = np.ones(a.shape[0])
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                y[i] += a[i, j] * x[j]
        return y

    assert together(scheduled(function, A, A[0].copy())) == [8]


def test_elements_that_each_turn_finds_anew_are_left_to_vectors(scheduled):
    def function(a, b):
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                a[i, j] += b[j]

    assert together(scheduled(function, A, A[0].copy())) == []


def test_an_element_that_all_turns_add_to_keeps_its_order(scheduled):
    def function(a, y):
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                y[0] += a[i, j]

    assert together(scheduled(function, A, np.zeros(2))) == []


def eliminate(a):
    for j in range(a.shape[0]):
        for i in range(j + 1, a.shape[0]):
            s = a[i, j]
            for k in range(j):
                s -= a[i, k] * a[j, k]
            a[i, j] = s / a[j, j]


def test_turns_that_report_errors_run_side_by_side_and_report_one_by_one(scheduled):
    program = scheduled(eliminate, np.tril(A[:13]) + 9 * np.eye(13))
    assert together(program) == [8]
    (several,) = (
        loop for loop in program if isinstance(loop, For) and loop.step == Constant(8, loop.step.type)
    )
    (report,) = (statement for statement in several.body if isinstance(statement, If))
    assert isinstance(report.then[0], For)
