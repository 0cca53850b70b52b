"""What regions give comes out as what went in."""

import numpy as np

from .agreement import agree


def test_everything_that_a_branch_gives() -> None:
    def program(x, n):
        if n > 0:
            a, b, c, d = 1, (2.5, n), {"k": x[0]}, x + 1
        else:
            a, b, c, d = 0.5, (n, 3), {"k": x[-1]}, x * 2
        return a, b, c["k"], d

    agree(program, (np.arange(3.0), 1), (np.arange(3.0), -1))


def test_what_a_loop_carries() -> None:
    def program(x):
        best, at, seen = None, -1, (0, 0.0)
        for place, value in enumerate(x):
            if best is None or value > best:
                best, at = value, place
            seen = (seen[0] + 1, seen[1] + value)
        return best, at, seen

    agree(program, (np.array([1.0, 5.0, 2.0]),), (np.zeros(0),), (np.array([3, 1]),))


def test_arrays_of_different_sizes() -> None:
    def program(x, n):
        y = x[1:] if n else x[:-2] + 1
        return y * 2

    agree(program, (np.arange(5.0), 1), (np.arange(5.0), 0))
