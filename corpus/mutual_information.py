"""How much each of several measurements says about another one, from histograms of pairs.

entry:      informative
family:     reductions
exercises:  bins by comparison and rounding, counting by np.bincount, entropies with empty cells, outer sums, a ranking
patterns:   masked-stores mask-selection reshape axis-reductions sorts unique-bincount outer-products transcendentals
            default-arguments user-calls tuple-results validation
small:      n=60 d=3 bins=4
medium:     n=400000 d=8 bins=24
large:      n=1500000 d=10 bins=32
sized:      n=50+9k d=3+k bins=4
"""

import numpy as np


def binned(x, bins):
    """The number of the bin of each value; bins are equally wide from the smallest to the largest."""
    low, high = x.min(), x.max()
    if low == high:
        raise ValueError("all values are the same")
    place = ((x - low) * (bins / (high - low))).astype(np.int64)
    place[place == bins] = bins - 1
    return place


def joint_counts(i, j, bins):
    return np.bincount(i * bins + j, minlength=bins * bins).reshape(bins, bins)


def entropy(counts):
    """Entropy in bits of a table of counts, where an empty cell says nothing."""
    p = counts[counts > 0] / counts.sum()
    return -(p * np.log2(p)).sum()


def dependence(i, j, bins):
    """Mutual information, normalised by the smaller entropy, and Cramér's V."""
    counts = joint_counts(i, j, bins)
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    shared = entropy(rows) + entropy(columns) - entropy(counts)
    expected = np.outer(rows, columns) / counts.sum()
    chi2 = ((counts - expected) ** 2 / np.maximum(expected, 1e-12)).sum()
    v = np.sqrt(chi2 / (counts.sum() * (bins - 1)))
    return shared / min(entropy(rows), entropy(columns)), v


def informative(table, target, bins=10):
    """For each column, what it says about the target; and the columns from the most to the least informative."""
    n, d = table.shape
    j = binned(target, bins)
    scores = np.zeros((d, 2))
    for k in range(d):
        scores[k] = dependence(binned(table[:, k], bins), j, bins)
    ranking = np.argsort(-scores[:, 0], kind="stable")
    return scores, ranking, np.sqrt((scores**2).mean(axis=0))


def make_inputs(n, d, bins):
    rng = np.random.default_rng(127)
    table = rng.normal(0, 1, (n, d))
    target = table[:, 0] ** 2 + 0.5 * table[:, 1] + 0.3 * rng.normal(0, 1, n)
    return table, target, bins


def bad_inputs():
    table, target, bins = make_inputs(30, 3, 4)
    yield "a constant target", ValueError, (table, np.ones(30), bins)
    yield "a target that is too short", ValueError, (table, target[:20], bins)
