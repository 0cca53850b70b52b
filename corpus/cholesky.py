"""Solving A x = b for a positive definite A by a Cholesky factorisation written out in loops, all in place.

entry:      solve_in_place
family:     linear-algebra
exercises:  triangular and reversed loops; arguments as the only output; an error when half of the work is done
patterns:   output-arguments writing-helpers deep-loops triangular-loops reversed-loops loop-index-slices matmul
            in-place-operators user-calls validation raise-after-writes augmented-slices overlapping-update
            math-functions
dtypes:     float64 float32
small:      n=8
medium:     n=220
large:      n=400
sized:      n=4+3k
"""

from math import sqrt

import numpy as np


def factor(a):
    """Replace a by its lower factor."""
    n = a.shape[0]
    for j in range(n):
        d = a[j, j]
        for k in range(j):
            d -= a[j, k] ** 2
        if d <= 0:
            raise ValueError(f"matrix is not positive definite (row {j})")
        d = sqrt(d)
        a[j, j] = d
        for i in range(j + 1, n):
            s = a[i, j]
            for k in range(j):
                s -= a[i, k] * a[j, k]
            a[i, j] = s / d
        a[j, j + 1 :] = 0


def forward(l, b):
    """Replace b by the solution of l x = b."""
    for i in range(len(l)):
        b[i] -= l[i, :i] @ b[:i]
        b[i] /= l[i, i]


def backward(l, b):
    """Replace b by the solution of l.T x = b."""
    for i in range(len(l) - 1, -1, -1):
        b[i] /= l[i, i]
        b[:i] -= b[i] * l[i, :i]


def solve_in_place(a, b):
    """Replace a by its lower Cholesky factor, and b by the solution of a x = b."""
    factor(a)
    forward(a, b)
    backward(a, b)


def make_inputs(n, dtype=np.float64):
    rng = np.random.default_rng(3)
    m = rng.standard_normal((n, n))
    return (m @ m.T + n * np.eye(n)).astype(dtype), rng.standard_normal(n).astype(dtype)


def bad_inputs():
    a, b = make_inputs(6)
    a[4, 4] = -1.0
    yield "not positive definite", ValueError, (a, b)
    a, b = make_inputs(6)
    yield "right-hand side too short", IndexError, (a, b[:3])
