"""Eigenvalues and vectors of a symmetric matrix by Jacobi's rotations.

entry:      eigen
family:     linear-algebra
exercises:  pairs of rows and columns rotated in place, a sweep over a triangle, results put in order by argsort
patterns:   deep-loops triangular-loops while-loops continue writing-helpers overlapping-update index-arrays sorts
            default-arguments math-functions user-calls tuple-results validation
small:      n=5
medium:     n=50
large:      n=110
sized:      n=4+k
"""

import math

import numpy as np


def rotation(a, p, q):
    """Cosine and sine of the rotation that makes a[p, q] zero."""
    theta = (a[q, q] - a[p, p]) / (2.0 * a[p, q])
    t = 1.0 / (abs(theta) + math.sqrt(theta * theta + 1.0))
    if theta < 0:
        t = -t
    c = 1.0 / math.sqrt(t * t + 1.0)
    return c, t * c


def rotate_columns(m, p, q, c, s):
    left = m[:, p].copy()
    m[:, p] = c * left - s * m[:, q]
    m[:, q] = s * left + c * m[:, q]


def off_diagonal(a):
    return math.sqrt(((a - np.diag(np.diag(a))) ** 2).sum())


def eigen(symmetric, tol=1e-9, most=30):
    """Eigenvalues from the smallest, eigenvectors in columns, and how many sweeps it took."""
    if not np.allclose(symmetric, symmetric.T):
        raise ValueError("the matrix is not symmetric")
    a = symmetric.copy()
    n = len(a)
    vectors = np.eye(n)
    sweeps = 0
    while off_diagonal(a) > tol:
        if sweeps == most:
            raise RuntimeError("no convergence")
        for p in range(n - 1):
            for q in range(p + 1, n):
                if abs(a[p, q]) < 1e-14:
                    continue
                c, s = rotation(a, p, q)
                rotate_columns(a, p, q, c, s)
                rotate_columns(a.T, p, q, c, s)
                rotate_columns(vectors, p, q, c, s)
        sweeps += 1
    order = np.argsort(np.diag(a))
    return np.diag(a)[order], vectors[:, order], sweeps


def make_inputs(n):
    m = np.random.default_rng(89).normal(0, 1, (n, n))
    return ((m + m.T) / 2,)


def bad_inputs():
    (a,) = make_inputs(5)
    yield "not symmetric", ValueError, (a + np.triu(a),)
    yield "too few sweeps", RuntimeError, (a, 1e-9, 1)
