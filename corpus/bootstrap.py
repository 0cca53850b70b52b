"""Confidence intervals of a ratio by the bootstrap, with an acceleration from the jackknife.

entry:      interval
family:     reductions
exercises:  random draws inside the function, selection by an array of draws, percentiles, means without each one in turn
patterns:   index-arrays mask-arithmetic quantiles random-draws default-arguments user-calls record-results validation
small:      n=15 draws=20
medium:     n=6000 draws=1500
large:      n=20000 draws=4000
sized:      n=12+3k draws=20+2k
"""

import numpy as np


def ratio(x, y):
    return x.mean() / y.mean()


def resample(x, y, draws, rng):
    """The ratio in each of many samples drawn with replacement."""
    values = np.empty(draws)
    for i in range(draws):
        chosen = rng.integers(0, len(x), len(x))
        values[i] = ratio(x[chosen], y[chosen])
    return values


def jackknife(x, y):
    """The ratio without each of the observations in turn."""
    n = len(x)
    return ((x.sum() - x) / (n - 1)) / ((y.sum() - y) / (n - 1))


def skewness_of_influence(x, y):
    left_out = jackknife(x, y)
    d = left_out.mean() - left_out
    return (d**3).sum() / (6 * (d**2).sum() ** 1.5)


def interval(x, y, draws=1000, level=0.9, seed=0):
    """The ratio of the means of x and y with its interval at a level, its standard error and its bias."""
    if not 0 < level < 1:
        raise ValueError("a level is between 0 and 1")
    rng = np.random.default_rng(seed)
    estimate = ratio(x, y)
    values = resample(x, y, draws, rng)
    tail = 100 * (1 - level) / 2
    low, middle, high = np.percentile(values, [tail, 50.0, 100 - tail])
    return {
        "estimate": float(estimate),
        "interval": (float(low), float(high)),
        "median": float(middle),
        "error": float(values.std(ddof=1)),
        "bias": float(values.mean() - estimate),
        "acceleration": float(skewness_of_influence(x, y)),
        "below": float((values < estimate).mean()),
    }


def make_inputs(n, draws):
    rng = np.random.default_rng(109)
    y = rng.uniform(1, 3, n)
    return 0.7 * y + rng.exponential(0.4, n), y, draws


def bad_inputs():
    x, y, draws = make_inputs(9, 5)
    yield "certainty", ValueError, (x, y, draws, 1.0)
    yield "pairs that are missing", IndexError, (x, y[:4], draws)
