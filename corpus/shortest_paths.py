"""All-pairs shortest paths in a directed graph (Floyd and Warshall).

entry:      shortest_paths
family:     dynamic-programming
exercises:  an outer loop around row-and-column broadcasts, written in place; integer rows as indices
patterns:   array-iterables zip newaxis positional-out overlapping-update where mask-arithmetic axis-reductions
            tuple-results user-calls validation conditional-expression keyword-out
small:      n=6 edges=14
medium:     n=420 edges=6000
large:      n=850 edges=15000
sized:      n=5+2k edges=12+7k
"""

import numpy as np


def adjacency(n, edges, lengths):
    d = np.full((n, n), np.inf)
    for (i, j), length in zip(edges, lengths):
        d[i, j] = length if length < d[i, j] else d[i, j]
    for i in range(n):
        d[i, i] = min(d[i, i], 0.0)
    return d


def shortest_paths(n, edges, lengths):
    """Distances d[i, j], the last node before j on the way from i (-1: none), and the eccentricity of each node.

    edges: (m, 2) of node numbers, lengths: (m,), which may be negative as long as no round trip is.
    """
    d = adjacency(n, edges, lengths)
    nodes = np.arange(n)
    previous = np.where(np.isfinite(d) & (nodes[:, np.newaxis] != nodes), nodes[:, np.newaxis], -1)

    through = np.empty_like(d)
    for k in range(n):
        np.add(d[:, k, np.newaxis], d[k], through)
        previous[:] = np.where(through < d, previous[k], previous)
        np.minimum(d, through, out=d)
        if d[k, k] < 0:
            raise ValueError(f"a round trip through node {k} has negative length")

    eccentricity = np.where(np.isfinite(d), d, -np.inf).max(axis=1)
    return d, previous, eccentricity


def make_inputs(n, edges):
    rng = np.random.default_rng(29)
    pairs = rng.integers(0, n, (edges, 2))
    height = rng.uniform(0, 3, n)
    climb = height[pairs[:, 1]] - height[pairs[:, 0]]
    return n, pairs, rng.uniform(0.5, 9.5, edges) + climb


def bad_inputs():
    n, edges, lengths = make_inputs(6, 12)
    edges[7] = [2, 6]
    yield "node out of range", IndexError, (n, edges, lengths)
    n, edges, lengths = make_inputs(6, 12)
    lengths[4] = -50.0
    edges[4], edges[5] = [0, 1], [1, 0]
    yield "negative round trip", ValueError, (n, edges, lengths)
    yield "edges of three nodes", ValueError, (n, np.zeros((12, 3), dtype=int), lengths)
