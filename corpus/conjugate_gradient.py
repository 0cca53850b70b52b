"""Conjugate gradients, preconditioned by the diagonal, for a dense symmetric system.

entry:      minimise
family:     linear-algebra
exercises:  products of matrices and vectors in a loop with a tolerance, a dataclass as result, keyword-only arguments, in-place updates
patterns:   while-loops conditional-expression in-place-operators keyword-out matmul contractions default-arguments
            keyword-only user-calls record-results progress-print
dtypes:     float64 float32
small:      n=8
medium:     n=1400
large:      n=2600
sized:      n=6+3k
"""

from dataclasses import dataclass

import numpy as np


@dataclass
class Solution:
    x: np.ndarray
    error: float
    turns: int
    converged: bool


def norm(v):
    return np.sqrt(np.dot(v, v))


def minimise(a, b, guess=None, *, tol=1e-5, most=200, verbose=False):
    """Minimise x·ax/2 - b·x, which is to solve ax = b."""
    x = np.zeros_like(b) if guess is None else guess.copy()
    weights = 1.0 / np.diagonal(a)
    r = b - a @ x
    z = weights * r
    p = z.copy()
    rho = np.dot(r, z)
    limit = tol * norm(b)
    turns = 0
    while norm(r) > limit and turns < most:
        q = a @ p
        alpha = rho / np.dot(p, q)
        x += alpha * p
        r -= alpha * q
        np.multiply(weights, r, out=z)
        before, rho = rho, np.dot(r, z)
        p *= rho / before
        p += z
        turns += 1
        if verbose and turns % 10 == 0:
            print(f"{turns:4d} {norm(r):.2e}")
    error = float(norm(b - a @ x))
    return Solution(x, error, turns, converged=turns < most)


def make_inputs(n, dtype=np.float64):
    rng = np.random.default_rng(79)
    m = rng.normal(0, 1, (n, n))
    a = m @ m.T / n + np.diag(rng.uniform(1, 3, n))
    return a.astype(dtype), rng.normal(0, 1, n).astype(dtype)


def bad_inputs():
    a, b = make_inputs(6)
    yield "b too long", ValueError, (a, np.ones(8))
    yield "a vector for a matrix", ValueError, (b, b)
