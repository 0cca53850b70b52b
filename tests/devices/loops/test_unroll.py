"""Which loops are unrolled, and what is left of their turns."""

import numpy as np

from transpile.devices.loops.statement import For, Fused, If

X = np.linspace(-2.0, 3.0, 23)
GRID = np.arange(42.0).reshape(6, 7)


def test_neighbours_by_short_loops_become_one_nest(scheduled):
    def function(padded, count):
        rows, columns = count.shape
        count[:] = 0
        for di in range(3):
            for dj in range(3):
                if di == 1 and dj == 1:
                    continue
                count += padded[di : di + rows, dj : dj + columns]

    found = scheduled(function, GRID, np.zeros((4, 5)))
    assert found.count(For) == 0 and found.count(If) == 0
    assert len(found.nests) == 1


def test_a_loop_carries_scalars_through_its_copies(scheduled):
    def function(x):
        factor, total = 1.0, 0
        for k in range(4):
            factor = factor * 2.0 - k
            total += k
            x += factor
        return factor, total

    assert scheduled(function, X).count(For) == 0


def test_the_loop_counts_down_too(scheduled):
    def function(x):
        for k in range(6, 0, -2):
            x[k:] -= x[:-k] * 0.5

    assert scheduled(function, X).count(For) == 0


def test_branches_that_the_turn_decides_leave_one_way(scheduled):
    def function(x, y):
        for k in range(4):
            if k % 2 == 0 or k == 3:
                x += y[k]
            elif y[k] > 0:
                x *= 2.0
            else:
                x -= 1.0

    scheduled(function, X, np.array([1.0, -1.0, 2.0, 4.0]))
    scheduled(function, X, np.array([1.0, 1.0, 2.0, 4.0]))


def test_what_a_turn_makes_is_its_own(scheduled):
    def function(x):
        parts = np.zeros((3, len(x)))
        for k in range(3):
            t = x * (k + 1.0)
            parts[k] = t + t[::-1]
            x[: 5 + k] = t[: 5 + k]
        return parts

    assert scheduled(function, X).count(For) == 0


def test_loops_of_many_turns_stay(scheduled):
    def function(x):
        for k in range(40):
            x += k

    # Around it stands one over pieces of the array.
    assert scheduled(function, X).count(For) == 2


def test_loops_over_scalars_stay(scheduled):
    def function(x):
        for k in range(3):
            x[k] += k

    assert scheduled(function, X).count(For) == 1


def test_loops_that_may_end_early_stay(scheduled):
    def function(x):
        for k in range(5):
            x += 1.0
            if x[0] > k:
                break
        return k

    assert scheduled(function, X).count(For) == 1


def test_loops_of_no_turn_do_nothing(scheduled):
    def function(x):
        for k in range(3, 3):
            x += k

    assert scheduled(function, X).count(Fused) == 0
