"""A hidden Markov model: the likeliest path of states, and the probability of each state at each time.

entry:      decode
family:     dynamic-programming
exercises:  maxima and log-sum-exp over one axis of a broadcast sum at each step, a path read backwards, two passes that meet
patterns:   reversed-loops index-arrays none-axis axis-reductions keepdims argmax transcendentals user-calls
            tuple-results
dtypes:     float64 float32
small:      states=3 n=9
medium:     states=12 n=4000
large:      states=40 n=12000
sized:      states=3+k n=7+3k
"""

import numpy as np


def log_sum_exp(a, axis):
    top = a.max(axis=axis, keepdims=True)
    return np.log(np.exp(a - top).sum(axis=axis)) + np.squeeze(top, axis=axis)


def best_path(start, move, emit):
    """States of the likeliest path and its log probability; emit is (n, states)."""
    n, states = emit.shape
    origin = np.zeros((n, states), dtype=np.int64)
    score = start + emit[0]
    for t in range(1, n):
        ways = score[:, None] + move
        origin[t] = ways.argmax(axis=0)
        score = ways.max(axis=0) + emit[t]
    path = np.zeros(n, dtype=np.int64)
    path[-1] = score.argmax()
    for t in range(n - 1, 0, -1):
        path[t - 1] = origin[t, path[t]]
    return path, score.max()


def posterior(start, move, emit):
    """Log probability of each state at each time, given all that was seen, and of what was seen."""
    forward = np.empty_like(emit)
    backward = np.zeros_like(emit)
    forward[0] = start + emit[0]
    for t in range(1, len(emit)):
        forward[t] = log_sum_exp(forward[t - 1][:, None] + move, axis=0) + emit[t]
    for t in range(len(emit) - 2, -1, -1):
        backward[t] = log_sum_exp(move + emit[t + 1] + backward[t + 1], axis=1)
    evidence = log_sum_exp(forward[-1], axis=0)
    return forward + backward - evidence, evidence


def decode(start, move, symbols, seen):
    """Path, its log probability, posterior probabilities, evidence, and the share of times at which both agree."""
    emit = np.log(symbols).T[seen]
    path, score = best_path(np.log(start), np.log(move), emit)
    log_p, evidence = posterior(np.log(start), np.log(move), emit)
    agree = (log_p.argmax(axis=1) == path).mean()
    return path, score, np.exp(log_p), evidence, agree


def make_inputs(states, n, dtype=np.float64):
    rng = np.random.default_rng(173)
    start = rng.dirichlet(np.ones(states)).astype(dtype)
    move = (rng.dirichlet(np.ones(states), states) * 0.3 + 0.7 * np.eye(states)).astype(dtype)
    symbols = rng.dirichlet(np.ones(6) / 2 + 0.5, states).astype(dtype)
    return start, move, symbols, rng.integers(0, 6, n)


def bad_inputs():
    start, move, symbols, seen = make_inputs(3, 6)
    yield "an unknown symbol", IndexError, (start, move, symbols, seen + 3)
    yield "nothing seen", IndexError, (start, move, symbols, seen[:0])
