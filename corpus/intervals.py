"""Overlapping intervals merged, and how many of them cover each of many points.

entry:      coverage
family:     sorting
exercises:  sorting by one key and gathering by the order, running maxima, group boundaries by comparison, np.searchsorted on both sides
patterns:   list-append conditional-expression index-arrays mask-arithmetic concatenate-stack scans sorts searchsorted
            user-calls tuple-results record-results validation
small:      n=15 queries=9
medium:     n=200000 queries=300000
large:      n=1000000 queries=1000000
sized:      n=12+4k queries=9+3k
"""

import numpy as np


def merge(starts, ends):
    """Intervals that do not touch, from the left to the right, that cover the same points."""
    order = np.argsort(starts, kind="stable")
    s, e = starts[order], ends[order]
    furthest = np.maximum.accumulate(e)
    opens = np.ones(len(s), dtype=bool)
    opens[1:] = s[1:] > furthest[:-1]
    first = np.flatnonzero(opens)
    last = np.append(first[1:], len(s)) - 1
    return s[first], furthest[last]


def depth_at(starts, ends, points):
    """How many intervals each point lies in, their ends included."""
    begun = np.searchsorted(np.sort(starts), points, side="right")
    over = np.searchsorted(np.sort(ends), points, side="left")
    return begun - over


def gaps_between(left, right):
    gaps = left[1:] - right[:-1]
    return gaps.max() if gaps.size else 0.0


def coverage(starts, ends, points):
    """Depths of points, the merged intervals, and a summary: covered length, largest gap, share of points inside."""
    if np.any(ends < starts):
        raise ValueError("an interval ends before it starts")
    left, right = merge(starts, ends)
    depth = depth_at(starts, ends, points)
    slot = np.searchsorted(left, points, side="right") - 1
    inside = (slot >= 0) & (points <= right[np.maximum(slot, 0)])
    assert np.array_equal(inside, depth > 0)
    summary = {
        "covered": float((right - left).sum()),
        "largest gap": float(gaps_between(left, right)),
        "inside": float(inside.mean()),
        "deepest": int(depth.max()),
    }
    return depth, np.stack([left, right], axis=1), summary


def make_inputs(n, queries):
    rng = np.random.default_rng(149)
    starts = rng.uniform(0, 10 * n, n)
    return starts, starts + rng.exponential(6, n), rng.uniform(0, 10 * n, queries)


def bad_inputs():
    starts, ends, points = make_inputs(8, 5)
    yield "backwards", ValueError, (ends, starts, points)
    yield "ends that are missing", ValueError, (starts, ends[:5], points)
    yield "no intervals", IndexError, (starts[:0], ends[:0], points)
