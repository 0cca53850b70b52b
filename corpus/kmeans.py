"""k-means clustering (Lloyd's algorithm).

entry:      kmeans
family:     reductions
exercises:  all distances by broadcasting, argmin and sums over axes, a loop that stops when nothing moves
patterns:   newaxis axis-reductions argmin break continue mask-arithmetic record-results validation
            default-arguments user-calls
dtypes:     float64 float32
small:      n=30 d=2 k=3
medium:     n=20000 d=8 k=12
large:      n=40000 d=10 k=16
sized:      n=24+7k d=2+k k=3+k
"""

from dataclasses import dataclass

import numpy as np


@dataclass
class Clustering:
    centres: np.ndarray
    labels: np.ndarray
    inertia: float
    turns: int


def squared_distances(points: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """(n, d), (k, d) -> (n, k)"""
    return ((points[:, np.newaxis, :] - centres[np.newaxis, :, :]) ** 2).sum(axis=2)


def kmeans(points: np.ndarray, k: int, max_turns: int = 50) -> Clustering:
    """Cluster the rows of points round k centres, the first of which are the first k points."""
    if k > len(points):
        raise ValueError(f"{k} centres for {len(points)} points")

    centres = points[:k].copy()
    labels = np.full(len(points), -1)
    for turn in range(max_turns):
        d2 = squared_distances(points, centres)
        nearest = d2.argmin(axis=1)
        if np.all(nearest == labels):
            break
        labels = nearest
        for j in range(k):
            members = labels == j
            size = members.sum()
            if size == 0:
                continue
            centres[j] = (points * members[:, np.newaxis]).sum(axis=0) / size
    return Clustering(centres, labels, inertia=float(d2.min(axis=1).sum()), turns=turn)


def make_inputs(n, d, k, dtype=np.float64):
    rng = np.random.default_rng(41)
    points = rng.uniform(-10, 10, (k, d))[rng.integers(0, k, n)] + rng.normal(0, 2, (n, d))
    points[1] = points[0]  # a reading that was entered twice
    return points.astype(dtype), k


def bad_inputs():
    points, k = make_inputs(7, 2, 3)
    yield "more centres than points", ValueError, (points, 8)
    yield "no turns: nothing to return", UnboundLocalError, (points, k, 0)
