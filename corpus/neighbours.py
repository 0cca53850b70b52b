"""Classes of points by their nearest neighbours, with votes that count less from afar.

entry:      classify
family:     sorting
exercises:  distances by products, np.argpartition and np.take_along_axis, votes added at indices, batches over rows
patterns:   augmented-slices scatter-add loop-index-slices run-time-slices index-arrays none-axis axis-reductions
            keepdims argmax sorts matmul module-globals default-arguments user-calls tuple-results validation
small:      n=20 queries=7 k=3
medium:     n=3000 queries=700 k=9
large:      n=8000 queries=1500 k=15
sized:      n=18+4k queries=6+2k k=3
"""

import numpy as np

BATCH = 256


def nearest(points, queries, k):
    """Squared distances to the k nearest points of each query, the nearest first, and which they are."""
    d2 = (queries**2).sum(axis=1)[:, None] - 2 * queries @ points.T + (points**2).sum(axis=1)
    some = np.argpartition(d2, k - 1, axis=1)[:, :k]
    distances = np.take_along_axis(d2, some, axis=1)
    order = np.argsort(distances, axis=1)
    return np.take_along_axis(distances, order, axis=1), np.take_along_axis(some, order, axis=1)


def vote(labels, distances, classes):
    """(n, k) labels and squared distances -> (n, classes) shares of the votes."""
    weights = 1 / (np.maximum(distances, 0) + 1e-6)
    votes = np.zeros((len(labels), classes))
    rows = np.arange(len(labels))
    for j in range(labels.shape[1]):
        votes[rows, labels[:, j]] += weights[:, j]
    return votes / votes.sum(axis=1, keepdims=True)


def classify(points, labels, queries, k, classes=4):
    """The class of each query, how sure that is, and how often each of its neighbours was one of others."""
    if k > len(points):
        raise ValueError("more neighbours than points")
    chosen = np.empty(len(queries), dtype=labels.dtype)
    certainty = np.empty(len(queries))
    popularity = np.zeros(len(points), dtype=np.int64)
    for start in range(0, len(queries), BATCH):
        stop = start + BATCH
        distances, indices = nearest(points, queries[start:stop], k)
        shares = vote(labels[indices], distances, classes)
        chosen[start:stop] = shares.argmax(axis=1)
        certainty[start:stop] = shares.max(axis=1)
        np.add.at(popularity, indices, 1)
    return chosen, certainty, popularity


def make_inputs(n, queries, k):
    rng = np.random.default_rng(163)
    centres = np.array([[0.0, 0.0, 0.0], [2.0, 0.5, 1.0], [0.0, 2.0, -1.0], [2.5, 2.5, 0.0]])
    labels = rng.integers(0, 4, n)
    points = centres[labels] + rng.normal(0, 0.7, (n, 3))
    return points, labels, centres[rng.integers(0, 4, queries)] + rng.normal(0, 0.7, (queries, 3)), k


def bad_inputs():
    points, labels, queries, k = make_inputs(9, 4, 3)
    yield "more neighbours than points", ValueError, (points, labels, queries, 10)
    yield "a class that is not there", IndexError, (points, labels + 2, queries, k)
