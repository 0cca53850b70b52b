"""Statistics of ranks: ties shared, Spearman's correlation, and the test of Mann, Whitney and Wilcoxon.

entry:      compare_groups
family:     sorting
exercises:  np.unique with inverse and counts, cumulative counts that become mean ranks, sorting of pairs by np.lexsort
patterns:   in-place-operators run-time-slices mask-selection index-arrays concatenate-stack scans sorts
            unique-bincount math-functions user-calls tuple-results validation
small:      n=18
medium:     n=150000
large:      n=700000
sized:      n=15+4k
"""

import math

import numpy as np


def mean_ranks(x):
    """Ranks from 1; equal values share the mean of theirs. Also how many share each."""
    _, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    upto = np.cumsum(counts)
    return (upto - (counts - 1) / 2)[inverse], counts


def spearman(x, y):
    rx, _ = mean_ranks(x)
    ry, _ = mean_ranks(y)
    rx -= rx.mean()
    ry -= ry.mean()
    return (rx * ry).sum() / math.sqrt((rx * rx).sum() * (ry * ry).sum())


def mann_whitney(x, group):
    """U of the group, and by how many standard deviations it is off; ties are allowed for."""
    ranks, ties = mean_ranks(x)
    n, m = len(x), int(group.sum())
    if m == 0 or m == n:
        raise ZeroDivisionError("one of the groups is empty")
    u = ranks[group].sum() - m * (m + 1) / 2
    mean = m * (n - m) / 2
    correction = (ties**3 - ties).sum() / (n * (n - 1.0))
    variance = m * (n - m) / 12 * (n + 1 - correction)
    return u, (u - mean) / math.sqrt(variance)


def longest_run(group):
    """How many in a row are of one group."""
    changes = np.flatnonzero(np.diff(group.astype(np.int8)))
    edges = np.concatenate(([-1], changes, [len(group) - 1]))
    return int(np.diff(edges).max())


def compare_groups(x, y, group):
    """Rank correlation of x and y, U and its deviation, and the longest run of a group in the order of x, then y."""
    order = np.lexsort((y, x))
    u, z = mann_whitney(x, group)
    trimmed = x[order][len(x) // 10 : len(x) - len(x) // 10]
    return spearman(x, y), (u, z), longest_run(group[order]), trimmed.mean()


def make_inputs(n):
    rng = np.random.default_rng(151)
    x = rng.integers(0, n // 2, n)
    y = x + rng.normal(0, n / 4, n)
    return x, y, rng.uniform(0, 1, n) < 0.4


def bad_inputs():
    x, y, group = make_inputs(12)
    yield "nobody in the group", ZeroDivisionError, (x, y, np.zeros(12, dtype=bool))
    yield "y too short", ValueError, (x, y[:7], group)
