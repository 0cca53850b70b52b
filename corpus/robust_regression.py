"""A linear model whose outliers count less: iteratively reweighted least squares with Huber's weights.

entry:      regress
family:     reductions
exercises:  medians of absolute deviations, normal equations solved by the library, reports by format strings, a stop on change
patterns:   break where mask-arithmetic none-axis quantiles matmul library-solvers module-globals default-arguments
            user-calls tuple-results progress-print validation
dtypes:     float64 float32
small:      n=16 d=2
medium:     n=60000 d=8
large:      n=300000 d=10
sized:      n=14+5k d=2+k
"""

import numpy as np

TUNING = 1.345


def with_intercept(x):
    return np.column_stack((np.ones(len(x), dtype=x.dtype), x))


def spread(r):
    """The median absolute deviation, scaled to the standard deviation of normal residuals."""
    return 1.4826 * np.median(np.abs(r - np.median(r)))


def weighted_fit(a, y, w):
    weighted = a * w[:, None]
    return np.linalg.solve(weighted.T @ a, weighted.T @ y)


def regress(x, y, tol=1e-4, most=40, verbose=True):
    """Coefficients, the intercept first; weights of the observations; explained variance; rounds."""
    if x.shape[0] <= x.shape[1]:
        raise ValueError("fewer observations than coefficients")
    a = with_intercept(x)
    w = np.ones_like(y)
    beta = weighted_fit(a, y, w)
    for turn in range(1, most + 1):
        r = y - a @ beta
        scale = spread(r)
        size = np.abs(r) / scale
        w = np.where(size <= TUNING, 1, TUNING / np.maximum(size, TUNING)).astype(y.dtype)
        old, beta = beta, weighted_fit(a, y, w)
        change = np.max(np.abs(beta - old)) / np.max(np.abs(beta))
        if verbose and turn % 4 == 0:
            print(f"round {turn}: scale {scale:.3f}")
        if change < tol:
            break
    r = y - a @ beta
    total = ((y - np.average(y, weights=w)) ** 2 * w).sum()
    explained = 1 - (r**2 * w).sum() / total
    return beta, w, float(explained), turn


def make_inputs(n, d, dtype=np.float64):
    rng = np.random.default_rng(131)
    x = rng.normal(0, 1, (n, d))
    y = 2 + x @ np.linspace(1, 2, d) + 0.3 * rng.standard_normal(n)
    y[::9] += 8
    return x.astype(dtype), y.astype(dtype)


def bad_inputs():
    x, y = make_inputs(12, 2)
    yield "too few observations", ValueError, (x[:2], y[:2])
    yield "observations that are missing", ValueError, (x, y[:-1])
    yield "no rounds", UnboundLocalError, (x, y, 1e-4, 0)
