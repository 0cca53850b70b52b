"""A recurrent network with gates, run over a batch of sequences of different lengths.

entry:      run
family:     networks
exercises:  gates as slices of one product, state carried from step to step, masks that hold what has ended, a dictionary of weights
patterns:   array-iterables enumerate run-time-slices where mask-arithmetic newaxis axis-reductions keepdims matmul
            library-solvers transcendentals mixed-precision default-arguments user-calls tuple-results validation
dtypes:     float64 float32
small:      n=5 batch=3 width=4
medium:     n=100 batch=64 width=96
large:      n=120 batch=64 width=128
sized:      n=4+k batch=3+k width=3+2k
"""

import numpy as np


def sigmoid(x):
    return 0.5 * (1 + np.tanh(0.5 * x))


def cell(x, h, c, weights):
    """One step for a batch: (batch, width) input and state -> new state."""
    width = h.shape[1]
    gates = x @ weights["input"] + h @ weights["state"] + weights["bias"]
    let_in = sigmoid(gates[:, :width])
    forget = sigmoid(gates[:, width : 2 * width])
    let_out = sigmoid(gates[:, 2 * width : 3 * width])
    c = forget * c + let_in * np.tanh(gates[:, 3 * width :])
    return let_out * np.tanh(c), c


def clip_norm(h, limit):
    """Scale rows that are longer than the limit."""
    length = np.linalg.norm(h, axis=1, keepdims=True)
    return h * np.minimum(1, limit / np.maximum(length, 1e-9))


def run(sequences, lengths, weights, limit=5.0):
    """States over time, the last state of each sequence, and the mean of its states.

    sequences: (n, batch, width). lengths: (batch,), how many steps of each are its own.
    """
    n, batch, width = sequences.shape
    if lengths.max() > n:
        raise ValueError("a sequence is longer than all steps")
    h = np.zeros((batch, width), dtype=sequences.dtype)
    c = np.zeros_like(h)
    states = np.zeros_like(sequences)
    for t, x in enumerate(sequences):
        running = (t < lengths)[:, np.newaxis]
        new_h, new_c = cell(x, h, c, weights)
        h = np.where(running, clip_norm(new_h, limit), h)
        c = np.where(running, new_c, c)
        states[t] = h * running
    mean = states.sum(axis=0) / lengths[:, np.newaxis]
    return states, h, mean


def make_inputs(n, batch, width, dtype=np.float64):
    rng = np.random.default_rng(197)
    weights = {
        "input": rng.normal(0, width**-0.5, (width, 4 * width)).astype(dtype),
        "state": rng.normal(0, width**-0.5, (width, 4 * width)).astype(dtype),
        "bias": np.concatenate([np.zeros(width), np.ones(width), np.zeros(2 * width)]).astype(dtype),
    }
    sequences = rng.normal(0, 1, (n, batch, width)).astype(dtype)
    return sequences, 2 + rng.integers(0, n - 1, batch), weights


def bad_inputs():
    sequences, lengths, weights = make_inputs(4, 3, 4)
    yield "a sequence too long", ValueError, (sequences, lengths + 4, weights)
    yield "no bias", KeyError, (sequences, lengths, {"input": weights["input"], "state": weights["state"]})
