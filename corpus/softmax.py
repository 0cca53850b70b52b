"""Causal attention of several heads, with the softmax taken row by row in place.

entry:      attend
family:     networks
exercises:  loops over heads and rows that write through the row; products that overwrite one of their operands
patterns:   array-iterables zip enumerate in-place-operators positional-out overlapping-update loop-index-slices
            matmul where mask-arithmetic transcendentals mixed-precision updated-arguments writing-helpers user-calls
            default-arguments validation raise-after-writes tuple-results axis-reductions math-functions
small:      heads=2 n=5 width=4
medium:     heads=8 n=1000 width=32
large:      heads=10 n=2000 width=64
sized:      heads=2+k n=4+2k width=3+k
"""

import math

import numpy as np


def softmax_rows(scores, temperature):
    """exp(s / temperature), each row scaled to a sum of 1; in place."""
    for row in scores:
        row -= row.max()
        row /= temperature
        np.exp(row, row)
        row /= row.sum()


def hide_future(scores):
    for i in range(len(scores)):
        scores[i, i + 1 :] = -np.inf


def attend(queries, keys, values, scores, slope=0.5, temperature=1.0, causal=True):
    """Mix values by how well queries match keys, then keep what is positive.

    queries, keys, values: (heads, n, width) in single precision. scores: (heads, n, n) in double precision, the
    prior scores, which the attention weights replace. Returns (heads, n, width) and the entropy of each row, (heads, n).
    """
    if queries.shape != keys.shape:
        raise ValueError(f"queries are {queries.shape}, keys are {keys.shape}")
    mixed = np.empty(values.shape, dtype=np.float32)
    entropy = np.zeros(scores.shape[:2])
    scale = 1 / math.sqrt(queries.shape[2])

    for h, (q, k, v, s) in enumerate(zip(queries, keys, values, scores)):
        s[:] = scale * q @ k.T + slope * s
        if causal:
            hide_future(s)
        softmax_rows(s, temperature)
        entropy[h] = -(s * np.log(np.where(s > 0, s, 1))).sum(axis=1)
        out = s @ v
        mixed[h] = out * (out > 0)
    return mixed, entropy


def make_inputs(heads, n, width):
    rng = np.random.default_rng(37)
    q, k, v = rng.normal(0, 1, (3, heads, n, width)).astype(np.float32)
    return q, k, v, rng.normal(0, 1, (heads, n, n))


def bad_inputs():
    q, k, v, s = make_inputs(2, 4, 3)
    yield "keys of other width", ValueError, (q, k[:, :, :2], v, s)
    yield "scores without heads", TypeError, (q, k, v, s[0, 0])
    yield "values too short", ValueError, (q, k, v[:, :3], s)
