"""A double pendulum that comes to rest, followed by fourth-order Runge-Kutta steps, one scalar after the other.

entry:      swing
family:     scalar-loops
exercises:  helper functions that take and return tuples of floats, functions of the math module, an early stop
patterns:   break zip conditional-expression module-globals default-arguments math-functions user-calls tuple-results
small:      steps=12
medium:     steps=8000
large:      steps=80000
sized:      steps=10+3k
"""

from math import cos, pi, sin

import numpy as np

GRAVITY = 9.81
FRICTION = 0.4


def accelerations(a, b, da, db, ratio):
    """Angular accelerations of two rods of length 1; ratio is the lower mass over the sum of both."""
    d = a - b
    shared = 1.0 - ratio * cos(d) ** 2
    pull_a = -ratio * sin(d) * (db * db + da * da * cos(d))
    weight_a = -GRAVITY * (sin(a) - ratio * sin(b) * cos(d))
    pull_b = sin(d) * (da * da + ratio * db * db * cos(d))
    weight_b = GRAVITY * (sin(a) * cos(d) - sin(b))
    return (pull_a + weight_a) / shared - FRICTION * da, (pull_b + weight_b) / shared - FRICTION * db


def shifted(state, slope, dt):
    return tuple(s + dt * k for s, k in zip(state, slope))


def slope_of(state, ratio):
    a, b, da, db = state
    dda, ddb = accelerations(a, b, da, db, ratio)
    return da, db, dda, ddb


def energy(state, ratio):
    a, b, da, db = state
    kinetic = 0.5 * da * da + 0.5 * ratio * db * db + ratio * da * db * cos(a - b)
    return kinetic - GRAVITY * (cos(a) + ratio * cos(b))


def swing(start, dt, steps, ratio=0.4, flips=50):
    """Angles over time, the energy that was lost, and how often the lower rod went over the top.

    Stops early after so many flips; what was not reached is NaN.
    """
    state = (start[0], start[1], 0.0, 0.0)
    before = energy(state, ratio)
    path = np.full((steps, 2), np.nan)
    over = 0
    for step in range(steps):
        k1 = slope_of(state, ratio)
        k2 = slope_of(shifted(state, k1, dt / 2), ratio)
        k3 = slope_of(shifted(state, k2, dt / 2), ratio)
        k4 = slope_of(shifted(state, k3, dt), ratio)
        a, b, da, db = (s + dt / 6 * (p + 2 * q + 2 * r + t) for s, p, q, r, t in zip(state, k1, k2, k3, k4))
        if abs(b) > pi:
            over += 1
            b -= 2 * pi if b > 0 else -2 * pi
        state = (a, b, da, db)
        path[step] = a, b
        if over == flips:
            break
    return path, before - energy(state, ratio), over


def make_inputs(steps):
    return np.array([2.0, 2.5]), 0.004, steps


def bad_inputs():
    yield "one angle", IndexError, (np.array([2.0]), 0.01, 5)
    yield "a number of steps that is none", TypeError, (np.array([2.0, 2.5]), 0.01, 5.0)
