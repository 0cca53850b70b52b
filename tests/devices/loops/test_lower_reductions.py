"""Products of arrays are calls of a library, on the operands as they lie."""

import numpy as np
import pytest

from transpile.devices.loops.program import Upcall
from transpile.devices.loops.statement import Allocate, For, LibraryCall


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((4, 5, 6, 3), (3, 7)),
        ((4, 1, 6, 3), (5, 3, 7)),
        ((4, 6, 3), (3,)),
        ((3,), (4, 2, 3, 5)),
        ((0, 5, 6), (6, 2)),
        ((3, 5, 0), (0, 2)),
        ((2, 1, 6), (2, 6, 1)),
    ],
)
def test_many_products_are_made_in_the_kernel(scheduled, one, other):
    def function(a, b):
        return a @ b

    random = np.random.default_rng(0)
    program = scheduled(function, random.random(one), random.random(other))
    assert program.count(LibraryCall) == 1 and program.count(Upcall) == 0
    axes = max(len(one) - 2, len(other) - 2)
    assert program.count(For) == axes - 1


def test_many_products_of_views(scheduled):
    def function(a, b):
        return (
            a.transpose(0, 2, 1) @ b,
            a[::2] @ b[:, :, ::-1].transpose(0, 2, 1)[::2, :, :],
            a[1] @ b[:, :, 2:],
        )

    random = np.random.default_rng(0)
    scheduled(function, random.random((4, 3, 3)), random.random((4, 3, 3)))


def test_dot_takes_turned_matrices_as_they_lie(scheduled):
    def function(x, y, v):
        return np.dot(x.T, v), np.dot(x.T, y), np.dot(v, x), np.dot(y.T, x), np.dot(x, y.T), np.dot(x.T, x)

    random = np.random.default_rng(0)
    for rows, columns in ((50, 7), (7, 50), (1, 5), (5, 1), (1, 1)):
        x, y = random.standard_normal((2, rows, columns))
        program = scheduled(function, x, y, random.standard_normal(rows))
        # The product of one number and another is no sum: nothing is added, not even to zero.
        calls = 0 if rows == columns == 1 else 6
        assert program.count(LibraryCall) == calls and program.count(Upcall) == 0
        assert not any(isinstance(s, Allocate) and s.buffer.source == "local" for s in program)


def test_dot_takes_rows_of_arrays_as_they_lie(scheduled):
    def function(x, w):
        total = (
            np.dot(x, w[0, 1]) + np.dot(x, w[1, 0, :, 1:])[:, :1] + np.dot(w[1, 1, 1:].T, x[:2])[:3, :1].sum()
        )
        for i in range(len(w)):
            total = total + np.dot(x[i:], w[i, i])[:1]
        return total

    random = np.random.default_rng(0)
    with np.errstate(all="ignore"):
        # Of errors in what is used in part NumPy is asked.
        program = scheduled(function, random.random((5, 3)), random.random((2, 2, 3, 4)))
    assert program.count(LibraryCall) == 3 and program.count(Upcall) == 1
