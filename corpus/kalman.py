"""Kalman filter for a target of nearly constant velocity, then a smoothing pass backwards.

entry:      track
family:     networks
exercises:  small matrix algebra at every time step; state that helpers update in place; missing measurements
patterns:   overlapping-update writing-helpers subscript-targets matmul array-iterables enumerate continue newaxis
            reversed-loops tuple-results default-arguments user-calls module-globals in-place-operators chained-stores
            nan-functions math-functions
small:      n=12
medium:     n=60000
large:      n=250000
sized:      n=7+6k
"""

import math

import numpy as np

PRIOR_VARIANCE = 100.0


def predict(x, P, F, Q):
    x[:] = F @ x
    P[:] = F @ P @ F.T + Q


def correct(x, P, z, r):
    """Update state and covariance by a position z of variance r. Returns position and its standard deviation."""
    gain = P[:, 0] / (P[0, 0] + r)
    x += gain * (z - x[0])
    P -= gain[:, np.newaxis] * P[0]
    return x[0], math.sqrt(P[0, 0])


def track(z, dt=0.1, r=0.25, q=0.5, weight=0.3):
    """Positions and standard deviations after each measurement in z (nan: none), and the smoothed positions."""
    n = len(z)
    F = np.array([[1.0, dt], [0.0, 1.0]])
    Q = q * np.array([[dt**3 / 3, dt**2 / 2], [dt**2 / 2, dt]])
    x = np.zeros(2)
    P = PRIOR_VARIANCE * np.eye(2)

    position, sigma, velocity = np.zeros(n), np.zeros(n), np.zeros(n)
    for k, zk in enumerate(z):
        predict(x, P, F, Q)
        if np.isnan(zk):
            position[k], sigma[k] = x[0], math.sqrt(P[0, 0])
            velocity[k] = x[1]
            continue
        position[k], sigma[k] = correct(x, P, zk, r)
        velocity[k] = x[1]

    smooth = np.empty_like(position)
    smooth[-1] = last = position[-1]
    for k in range(n - 2, -1, -1):
        last = (1 - weight) * position[k] + weight * (last - dt * velocity[k])
        smooth[k] = last
    return position, sigma, smooth


def make_inputs(n):
    rng = np.random.default_rng(19)
    t = 0.1 * np.arange(n)
    z = 3 * np.sin(0.3 * t) + 0.2 * t + rng.normal(0, 0.5, n)
    z[3::7] = np.nan
    return (z,)


def bad_inputs():
    (z,) = make_inputs(9)
    yield "no measurements", IndexError, (z[:0],)
    z[0] = 1.0
    yield "negative variance", ValueError, (z, 0.1, -200.0)
