"""European option prices in closed form, and one American put on a binomial tree.

entry:      value_book
family:     elementwise
exercises:  long elementwise expressions with masks, float32 beside float64, an array that shrinks from turn to turn
patterns:   transcendentals where mask-arithmetic ndarray-constructor changing-shapes while-loops argmin
            reversed-loops module-globals default-arguments user-calls validation tuple-results mixed-precision
            math-functions
dtypes:     float64 float32
small:      n=9
medium:     n=2000000
large:      n=4000000
sized:      n=5+4k
sweeps:     1
work:       n
cached:     n=4000
"""

import math

import numpy as np

# Abramowitz & Stegun 26.2.17, error below 7.5e-8
CDF_SCALE = 0.2316419
CDF_COEFFICIENTS = (0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429)


def normal_cdf(x):
    t = 1 / (1 + CDF_SCALE * np.abs(x))
    poly = np.zeros_like(x)
    for c in reversed(CDF_COEFFICIENTS):
        poly = (poly + c) * t
    tail = poly * np.exp(-0.5 * x * x) / np.sqrt(2 * np.pi)
    return np.where(x < 0, tail, 1 - tail)


def american_put(spot, strike, years, rate, vol, steps):
    """Value of one put that may be exercised early."""
    dt = years / steps
    up = math.exp(vol * math.sqrt(dt))
    discount = math.exp(-rate * dt)
    p = (1 / discount - 1 / up) / (up - 1 / up)

    prices = spot * up ** (2.0 * np.arange(steps + 1) - steps)
    values = np.maximum(strike - prices, 0)
    while len(values) > 1:
        prices = prices[1:] / up
        values = discount * (p * values[1:] + (1 - p) * values[:-1])
        values = np.maximum(values, strike - prices)
    return values[0]


def value_book(spot, strike, years, rate=0.02, vol=0.3, steps=50):
    """Prices of calls and puts, and what early exercise would add to the put that is nearest the money.

    Contracts with years <= 0 have expired and are worth what exercising them gives.
    """
    assert spot.shape == strike.shape == years.shape, "one spot, strike and time per contract"
    if (strike <= 0).any():
        raise ValueError("strikes must be positive")

    call = np.ndarray(spot.shape)
    put = np.ndarray(spot.shape)
    live = years > 0
    t = np.where(live, years, 1)
    sd = vol * np.sqrt(t)
    d1 = (np.log(spot / strike) + (rate + 0.5 * vol**2) * t) / sd
    d2 = d1 - sd
    owed = strike * np.exp(-rate * t)
    moneyness = spot - strike

    call[:] = np.where(live, spot * normal_cdf(d1) - owed * normal_cdf(d2), moneyness * (moneyness > 0))
    put[:] = np.where(live, call - spot + owed, -moneyness * (moneyness < 0))

    i = np.argmin(np.abs(moneyness) + 1e6 * ~live)
    premium = american_put(spot[i], strike[i], years[i], rate, vol, steps) - put[i]
    return call, put, premium


def make_inputs(n, dtype=np.float64):
    rng = np.random.default_rng(31)
    spot = rng.uniform(60, 140, n).astype(dtype)
    strike = rng.uniform(80, 120, n).astype(dtype)
    years = rng.uniform(-0.1, 2, n)
    years[0] = 1.0
    return spot, strike, years.astype(dtype)


def bad_inputs():
    spot, strike, years = make_inputs(5)
    yield "shapes that differ", AssertionError, (spot, strike[:4], years)
    spot, strike, years = make_inputs(5)
    strike[3] = -1.0
    yield "negative strike", ValueError, (spot, strike, years)
