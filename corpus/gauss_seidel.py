"""Symmetric Gauss-Seidel iteration for a diagonally dominant system, with progress on the screen.

entry:      gauss_seidel
family:     linear-algebra
exercises:  forward and backward sweeps by scalar loops, a nested function, print in a loop
patterns:   reversed-loops break loop-else nested-functions progress-print updated-arguments tuple-results
            default-arguments continue array-iterables enumerate writing-helpers user-calls validation raise-after-writes
dtypes:     float64 float32
small:      n=8
medium:     n=360
large:      n=900
sized:      n=5+2k
"""

import numpy as np


def relax(A, b, x, i):
    """Solve row i for x[i]."""
    s = b[i]
    for j in range(len(b)):
        if j == i:
            continue
        s -= A[i, j] * x[j]
    x[i] = s / A[i, i]


def gauss_seidel(A, b, x, tol=1e-6, max_sweeps=100, report=4):
    """Improve x in place until no row of A x = b is off by more than tol. Returns the number of sweeps and the error."""
    n = len(b)

    def largest_residual():
        worst = 0.0
        for i, row in enumerate(A):
            r = b[i]
            for j in range(n):
                r -= row[j] * x[j]
            worst = max(worst, abs(r))
        return worst

    for sweep in range(1, max_sweeps + 1):
        for i in range(n):
            relax(A, b, x, i)
        for i in reversed(range(n)):
            relax(A, b, x, i)
        error = largest_residual()
        if sweep % report == 0:
            print(f"sweep {sweep:3d}: residual {error:.3e}")
        if error <= tol:
            break
    else:
        raise RuntimeError(f"no convergence in {max_sweeps} sweeps")
    return sweep, error


def make_inputs(n, dtype=np.float64):
    rng = np.random.default_rng(11)
    A = rng.uniform(-1, 1, (n, n)).astype(dtype)
    A[np.arange(n), np.arange(n)] = np.abs(A).sum(axis=1) * 1.1
    b = A @ rng.uniform(-1, 1, n).astype(dtype)
    tol = 1e-10 if dtype == np.float64 else 1e-4 * n
    return A, b, np.zeros(n, dtype), tol


def bad_inputs():
    A, b, x, tol = make_inputs(6)
    yield "too few sweeps", RuntimeError, (A, b, x, tol, 2)
    A, b, x, tol = make_inputs(6)
    yield "report every 0 sweeps", ZeroDivisionError, (A, b, x, tol, 20, 0)
    A, b, x, tol = make_inputs(6)
    yield "x too short", IndexError, (A, b, x[:4], tol)
