"""Moving statistics of a series: window by window, at coarser and coarser scales, and its autoregressive model.

entry:      moving_statistics
family:     reductions
exercises:  windows stacked by a comprehension; folding into blocks; a signal that halves in each turn; the
            Levinson-Durbin recursion, which updates a prefix by itself reversed
patterns:   comprehension concatenate-stack axis-reductions transcendentals shape-assignment run-time-slices
            loop-index-slices changing-shapes strided-slices while-loops list-append overlapping-update
            augmented-slices chained-stores tuple-results default-arguments module-globals user-calls
            array-iterables enumerate matmul clip
dtypes:     float64 float32
small:      n=50
medium:     n=1000000
large:      n=4000000
sized:      n=40+9k
"""

import numpy as np

ORDER = 6
PERIOD = 12


def windows(x, width):
    """All windows of a series extended at both ends by its mirror image, one in each column."""
    half = width // 2
    padded = np.concatenate((np.flip(x[:half]), x, np.flip(x[len(x) - half :])))
    return np.stack([padded[k : k + len(x)] for k in range(width)])


def seasonal_profile(x, period):
    k = len(x) // period
    blocks = x[: k * period].copy()
    blocks.shape = (k, period)
    return blocks.mean(axis=0)


def roughness_by_scale(x, shortest=8):
    """Mean square step of the series, of its means over pairs, over fours, ..."""
    steps = []
    while len(x) >= shortest:
        d = x[1:] - x[:-1]
        steps.append((d * d).mean())
        even = len(x) // 2 * 2
        x = (x[:even:2] + x[1:even:2]) / 2
    return np.array(steps)


def autoregression(r):
    """Coefficients y with x[t] + y[0] x[t-1] + y[1] x[t-2] + ... = noise, from autocorrelations (r[0] is 1)."""
    y = np.zeros(len(r) - 1, dtype=r.dtype)
    y[0] = alpha = -r[1]
    beta = 1.0
    for k in range(1, len(y)):
        beta *= 1 - alpha * alpha
        alpha = -(r[k + 1] + np.flip(r[1 : k + 1]) @ y[:k]) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y


def moving_statistics(x, width=8, forget=0.2):
    """Rows of mean, standard deviation, minimum, maximum and exponential mean; profile; roughness; coefficients."""
    frames = windows(x, width)
    mean = frames.mean(axis=0)
    spread = np.sqrt(((frames - mean) ** 2).mean(axis=0))
    low, high = frames.min(axis=0), frames.max(axis=0)

    trend = np.empty_like(x)
    level = x[0]
    for i, value in enumerate(np.clip(x, low + spread / 2, high - spread / 2)):
        level += forget * (value - level)
        trend[i] = level

    centred = x - x.mean()
    r = np.array([centred[lag:] @ centred[: len(x) - lag] for lag in range(ORDER + 1)])
    table = np.stack([mean, spread, low, high, trend])
    return table, seasonal_profile(x, PERIOD), roughness_by_scale(x), autoregression(r / r[0])


def make_inputs(n, dtype=np.float64):
    rng = np.random.default_rng(43)
    t = np.arange(n)
    x = np.sin(2 * np.pi * t / PERIOD) + 0.3 * rng.standard_normal(n) + 0.5 * np.cos(0.01 * t)
    return (x.astype(dtype),)


def bad_inputs():
    (x,) = make_inputs(30)
    yield "windows of no width", ValueError, (x, 0)
    yield "windows wider than the series", ValueError, (x, 80)
    yield "empty series", IndexError, (x[:0],)
