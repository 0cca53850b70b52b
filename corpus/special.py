"""Special functions from their series: gamma and incomplete gamma, and what they say of sums of squares.

entry:      evaluate
family:     elementwise
exercises:  series summed for whole arrays until the last term is small everywhere, continued fractions, reflections by where
patterns:   array-iterables reversed-loops while-loops enumerate in-place-operators where mask-arithmetic clip
            transcendentals module-globals user-calls tuple-results validation
small:      n=9
medium:     n=100000
large:      n=1000000
sized:      n=7+5k
sweeps:     1
work:       n
cached:     n=2000
"""

import numpy as np

LANCZOS = (
    676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
)  # fmt: skip


def log_gamma(x):
    """Logarithm of |gamma(x)|, by Lanczos's approximation and reflection below 1/2."""
    small = x < 0.5
    z = np.where(small, 1 - x, x) - 1
    total = np.full_like(z, 0.99999999999980993)
    for k, c in enumerate(LANCZOS):
        total += c / (z + k + 1)
    t = z + len(LANCZOS) - 0.5
    value = 0.5 * np.log(2 * np.pi) + (z + 0.5) * np.log(t) - t + np.log(total)
    reflected = np.log(np.pi / np.abs(np.sin(np.pi * np.where(small, x, 0.5)))) - value
    return np.where(small, reflected, value)


def lower_series(a, x, tol):
    term = 1 / a
    total = term.copy()
    n = 0
    while (term > tol * total).any():
        n += 1
        term *= x / (a + n)
        total += term
    return total * np.exp(a * np.log(x) - x - log_gamma(a)), n


def upper_fraction(a, x, turns):
    """The upper incomplete gamma function by a continued fraction, from its end to its beginning."""
    f = np.zeros_like(x)
    for k in range(turns, 0, -1):
        f = k * (a - k) / (x + 2 * k + 1 - a + f)
    return np.exp(a * np.log(x) - x - log_gamma(a)) / (x + 1 - a + f)


def incomplete_gamma(a, x, tol=1e-13):
    """P(a, x), by the series where x is small and by the fraction elsewhere; and the terms of the series."""
    series, terms = lower_series(a, np.where(x < a + 1, x, 1.0), tol)
    fraction = upper_fraction(a, np.where(x < a + 1, a + 1, x), turns=60)
    return np.where(x < a + 1, series, 1 - fraction), terms


def evaluate(x, freedom):
    """Probability that a sum of `freedom` squares exceeds x, its density, and the entropy of the distribution."""
    if (x <= 0).any():
        raise ValueError("x must be positive")
    a = 0.5 * freedom
    below, terms = incomplete_gamma(a, 0.5 * x)
    density = np.exp((a - 1) * np.log(x) - 0.5 * x - a * np.log(2) - log_gamma(a))
    surprise = -(density * np.log(np.maximum(density, 1e-300))).sum()
    return np.clip(1 - below, 0, 1), density, surprise, terms


def make_inputs(n):
    rng = np.random.default_rng(103)
    return rng.uniform(0.1, 30, n), rng.uniform(0.5, 20, n)


def bad_inputs():
    x, freedom = make_inputs(6)
    yield "a sum of squares below zero", ValueError, (-x, freedom)
    yield "degrees of freedom that are missing", ValueError, (x, freedom[:4])
