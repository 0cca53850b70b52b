"""Principal components of a table with missing readings, and the rows that lie far from the rest.

entry:      analyse
family:     reductions
exercises:  nan-aware means, keepdims, a symmetric eigenproblem by the library, einsum, signs made unique, quantiles
patterns:   strided-slices index-arrays where mask-arithmetic axis-reductions keepdims argmax scans searchsorted
            quantiles nan-functions matmul contractions library-solvers default-arguments user-calls tuple-results
            validation
small:      n=14 d=3
medium:     n=100000 d=12
large:      n=400000 d=16
sized:      n=12+5k d=3+k
"""

import numpy as np


def complete(table):
    """A copy with the mean of its column for each reading that is missing, and how many there were in each column."""
    missing = np.isnan(table)
    means = np.nanmean(table, axis=0)
    return np.where(missing, means, table), missing.sum(axis=0)


def standardise(table):
    centred = table - table.mean(axis=0, keepdims=True)
    scale = centred.std(axis=0, keepdims=True, ddof=1)
    return centred / scale


def principal_axes(z):
    """Variances from the largest and their directions in columns, of which the largest entry is positive."""
    correlation = z.T @ z / (len(z) - 1)
    variances, axes = np.linalg.eigh(correlation)
    variances, axes = variances[::-1], axes[:, ::-1]
    largest = np.abs(axes).argmax(axis=0)
    signs = np.sign(axes[largest, np.arange(axes.shape[1])])
    return variances, axes * signs


def analyse(table, share=0.8, extreme=0.95):
    """Scores of the components that explain a share of the variance, and which rows are extreme.

    Returns the scores, the share that each component explains, the mask of extreme rows, and the gaps.
    """
    if table.ndim != 2:
        raise ValueError("a table has rows and columns")
    filled, gaps = complete(table)
    z = standardise(filled)
    variances, axes = principal_axes(z)
    explained = variances / variances.sum()
    kept = int(np.searchsorted(np.cumsum(explained), share)) + 1
    scores = z @ axes[:, :kept]
    distance = np.einsum("ij,ij,j->i", scores, scores, 1 / variances[:kept])
    far = distance > np.quantile(distance, extreme)
    return scores, explained, far, gaps


def make_inputs(n, d):
    rng = np.random.default_rng(113)
    hidden = rng.normal(0, 1, (n, 3))
    table = hidden @ rng.normal(0, 1, (3, d)) + 0.4 * rng.normal(0, 1, (n, d))
    table[rng.uniform(0, 1, (n, d)) < 0.04] = np.nan
    table[:2] = 1.0
    return (table,)


def bad_inputs():
    (table,) = make_inputs(9, 3)
    yield "a column", ValueError, (table[:, 0],)
