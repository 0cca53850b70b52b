"""What to pack: the most valuable load below a weight, and which things it is made of.

entry:      pack
family:     dynamic-programming
exercises:  a row of a table updated by its own shifted slice, a table of decisions walked backwards, a bound by relaxation
patterns:   array-iterables reversed-loops continue enumerate zip list-append conditional-expression masked-stores
            loop-index-slices run-time-slices mask-selection index-arrays scans sorts user-calls tuple-results
            validation
small:      n=7 limit=25
medium:     n=600 limit=40000
large:      n=1000 limit=100000
sized:      n=6+k limit=20+9k
"""

import numpy as np


def fill(weights, values, limit):
    """The best value for each weight up to the limit, and where taking a thing made it better."""
    best = np.zeros(limit + 1, dtype=np.int64)
    taken = np.zeros((len(weights), limit + 1), dtype=bool)
    for i, (weight, value) in enumerate(zip(weights, values)):
        if weight > limit:
            continue
        offer = best[: limit + 1 - weight] + value
        better = offer > best[weight:]
        taken[i, weight:] = better
        best[weight:][better] = offer[better]
    return best, taken


def trace_back(taken, weights, limit):
    """Which things the best load has, the last first."""
    chosen = []
    room = limit
    for i in range(len(weights) - 1, -1, -1):
        if taken[i, room]:
            chosen.append(i)
            room -= weights[i]
    return np.array(chosen, dtype=np.int64), room


def fractional_bound(weights, values, limit):
    """What it would be worth, could things be cut."""
    order = np.argsort(-values / weights)
    w, v = weights[order], values[order]
    total = np.cumsum(w)
    whole = int(np.count_nonzero(total <= limit))
    bound = float(v[:whole].sum())
    if whole < len(w):
        used = total[whole - 1] if whole > 0 else 0
        bound += v[whole] * (limit - used) / w[whole]
    return bound


def pack(weights, values, limit):
    """The value of the best load, its things, the room that is left, and how close the bound was."""
    assert (weights > 0).all(), "everything weighs something"
    best, taken = fill(weights, values, limit)
    chosen, room = trace_back(taken, weights, limit)
    bound = fractional_bound(weights, values, limit)
    return best[limit], chosen, room, best[limit] / bound


def make_inputs(n, limit):
    rng = np.random.default_rng(167)
    weights = rng.integers(2, max(limit // 4, 4), n)
    return weights, weights + rng.integers(1, 20, n), limit


def bad_inputs():
    weights, values, limit = make_inputs(6, 20)
    yield "something without weight", AssertionError, (weights * 0, values, limit)
    yield "a limit below nothing", ValueError, (weights, values, -3)
