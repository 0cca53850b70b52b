"""A linear system solved by elimination with pivoting, and its solution refined.

entry:      solve
family:     linear-algebra
exercises:  rows exchanged by a list of indices, rank-one updates of a shrinking corner, substitution by slices
patterns:   reversed-loops writing-helpers augmented-slices overlapping-update in-place-operators row-exchange
            loop-index-slices index-arrays argmax matmul outer-products mixed-precision default-arguments user-calls
            tuple-results validation
dtypes:     float64 float32
small:      n=6
medium:     n=400
large:      n=900
sized:      n=5+2k
"""

import numpy as np


def factorise(a):
    """LU factors of a matrix in place, rows exchanged. Returns the order of the rows and the sign of the exchange."""
    n = a.shape[0]
    order = np.arange(n)
    sign = 1.0
    for k in range(n - 1):
        p = k + int(np.argmax(np.abs(a[k:, k])))
        if a[p, k] == 0:
            raise ZeroDivisionError(f"column {k} has no pivot")
        if p != k:
            a[[k, p]] = a[[p, k]]
            order[[k, p]] = order[[p, k]]
            sign = -sign
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return order, sign


def substitute(lu, b):
    """Solve for one right-hand side, its rows in order."""
    n = len(b)
    x = b.copy()
    for i in range(1, n):
        x[i] -= lu[i, :i] @ x[:i]
    for i in range(n - 1, -1, -1):
        x[i] = (x[i] - lu[i, i + 1 :] @ x[i + 1 :]) / lu[i, i]
    return x


def solve(a, b, refinements=2):
    """x with a @ x = b; the residuals before each refinement; and the determinant, as sign and logarithm."""
    if a.shape[0] != a.shape[1]:
        raise ValueError("the matrix is not square")
    lu = a.copy()
    order, sign = factorise(lu)
    x = substitute(lu, b[order])
    residuals = np.zeros(refinements)
    for turn in range(refinements):
        r = b - a @ x
        residuals[turn] = np.abs(r).max()
        x += substitute(lu, r[order])
    diagonal = np.diag(lu)
    sign *= float(np.prod(np.sign(diagonal)))
    return x, residuals, (sign, float(np.log(np.abs(diagonal)).sum()))


def make_inputs(n, dtype=np.float64):
    rng = np.random.default_rng(73)
    a = rng.normal(0, 1, (n, n)).astype(dtype)
    return a, a @ rng.normal(0, 1, n).astype(dtype)


def bad_inputs():
    a, b = make_inputs(5)
    yield "not square", ValueError, (a[:, :4], b)
    yield "singular", ZeroDivisionError, (np.zeros((4, 4)), np.ones(4))
