"""A shock wave in a layered ground, recorded at the surface.

entry:      shoot
family:     stencils
exercises:  three time levels that change roles, a sponge at the rim, a source at one point, a record per receiver
patterns:   writing-helpers augmented-slices run-time-slices index-arrays where outer-products transcendentals
            default-arguments user-calls tuple-results
small:      n=12 steps=5
medium:     n=250 steps=120
large:      n=700 steps=100
sized:      n=10+3k steps=4+k
sweeps:     steps
work:       n n steps
cached:     n=80
"""

import numpy as np


def sponge(n, width, strength=0.015):
    """Factors that damp the field near the rim of an (n, n) square."""
    depth = np.arange(n)
    rim = np.minimum(depth, n - 1 - depth)
    damping = np.where(rim < width, np.exp(-((strength * (width - rim)) ** 2)), 1.0)
    return np.outer(damping, damping)


def ricker(t, frequency):
    a = (np.pi * frequency * (t - 1 / frequency)) ** 2
    return (1 - 2 * a) * np.exp(-a)


def laplacian(p, out):
    """Fourth-order second differences, where all neighbours are there."""
    out[2:-2, 2:-2] = -5.0 * p[2:-2, 2:-2]
    for shift, weight in ((1, 4 / 3), (2, -1 / 12)):
        low, high = 2 - shift, 2 + shift
        n, m = p.shape
        out[2:-2, 2:-2] += weight * (p[low : n - high, 2:-2] + p[high : n - low, 2:-2])
        out[2:-2, 2:-2] += weight * (p[2:-2, low : m - high] + p[2:-2, high : m - low])
    return out


def shoot(velocity, source, receivers, dt, steps, frequency=0.08):
    """Pressure at the receivers over time, and the energy that is left in the ground."""
    n = len(velocity)
    factor = (velocity * dt) ** 2
    damping = sponge(n, width=n // 4)
    old = np.zeros((n, n))
    now = np.zeros((n, n))
    bend = np.zeros((n, n))
    record = np.zeros((steps, len(receivers)))
    for step in range(steps):
        laplacian(now, out=bend)
        new = (2 * now - old + factor * bend) * damping
        new[source] += ricker(step * dt, frequency)
        old = now * damping
        now = new
        record[step] = now[3, receivers]
    return record, float(((now - old) ** 2).sum())


def make_inputs(n, steps):
    velocity = np.full((n, n), 0.4)
    velocity[n // 2 :] = 0.6
    velocity[3 * n // 4 :, n // 3 :] = 0.8
    return velocity, (n // 3, n // 2), np.arange(2, n - 2, 3), 0.7, steps


def bad_inputs():
    velocity, source, receivers, dt, steps = make_inputs(10, 3)
    yield "a receiver outside", IndexError, (velocity, source, receivers + 5, dt, steps)
    yield "a source outside", IndexError, (velocity, (3, 12), receivers, dt, steps)
