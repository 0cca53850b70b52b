"""Least squares by Householder reflections.

entry:      fit
family:     linear-algebra
exercises:  reflections applied to a shrinking corner, vectors kept in a list, columns that are slices with strides
patterns:   array-iterables reversed-loops enumerate list-append conditional-expression writing-helpers
            augmented-slices overlapping-update loop-index-slices run-time-slices matmul outer-products contractions
            library-solvers math-functions user-calls tuple-results validation
small:      n=12 degree=3
medium:     n=6000 degree=50
large:      n=12000 degree=60
sized:      n=14+4k degree=3+k
"""

import math

import numpy as np


def design(t, degree):
    """Chebyshev polynomials of t, one in each column."""
    a = np.ones((len(t), degree + 1))
    a[:, 1] = t
    for k in range(2, degree + 1):
        a[:, k] = 2 * t * a[:, k - 1] - a[:, k - 2]
    return a


def reflector(x):
    """v with |v| = 1, such that x - 2 v (v·x) has nothing but its first element."""
    v = x.copy()
    v[0] += math.copysign(np.linalg.norm(x), x[0])
    length = np.linalg.norm(v)
    return v / length if length > 0 else v


def triangularise(a):
    """Make a matrix upper triangular in place. Returns the reflectors, of which each is shorter than the one before."""
    reflectors = []
    for k in range(a.shape[1]):
        v = reflector(a[k:, k])
        a[k:, k:] -= 2.0 * np.outer(v, v @ a[k:, k:])
        a[k + 1 :, k] = 0.0
        reflectors.append(v)
    return reflectors


def fit(t, y, degree):
    """Coefficients of a polynomial through (t, y), the residual's norm, and the triangle's condition, roughly."""
    if len(t) <= degree:
        raise ValueError(f"{len(t)} points for degree {degree}")
    r = design(t, degree)
    b = y.copy()
    for k, v in enumerate(triangularise(r)):
        b[k:] -= 2.0 * v * np.dot(v, b[k:])
    n = degree + 1
    c = np.zeros(n)
    for i in reversed(range(n)):
        c[i] = (b[i] - np.dot(r[i, i + 1 : n], c[i + 1 :])) / r[i, i]
    pivots = np.abs(np.diag(r))
    return c, np.linalg.norm(b[n:]), pivots.max() / pivots.min()


def make_inputs(n, degree):
    rng = np.random.default_rng(83)
    t = np.sort(rng.uniform(-1, 1, n))
    return t, np.sin(5 * t) + 0.1 * rng.standard_normal(n), degree


def bad_inputs():
    t, y, degree = make_inputs(12, 3)
    yield "too few points", ValueError, (t[:3], y[:3], degree)
    yield "a constant has one column", IndexError, (t, y, 0)
