"""Burgers' equation on a ring, by finite volumes with limited slopes.

entry:      evolve
family:     stencils
exercises:  np.roll, limiters made of signs and minima, a time step that depends on the solution, until a given time
patterns:   break loop-else list-append in-place-operators pad-roll scans default-arguments user-calls classes
            tuple-results validation
dtypes:     float64 float32
small:      n=16
medium:     n=2000
large:      n=4000
sized:      n=12+5k
sweeps:     none: how many steps there are shows as it runs, and what a step needs lies in the first cache
"""

import numpy as np


def minmod(a, b):
    return 0.5 * (np.sign(a) + np.sign(b)) * np.minimum(np.abs(a), np.abs(b))


def flux(u):
    return 0.5 * u**2


def godunov(left, right):
    """The flux between two states, from the exact solution of their Riemann problem."""
    shock = np.maximum(flux(np.maximum(left, 0)), flux(np.minimum(right, 0)))
    return shock


class Ring:
    """Cell averages on a ring of length 1."""

    def __init__(self, u, courant):
        self.u = u
        self.dx = 1.0 / len(u)
        self.courant = courant
        self.time = 0.0

    def rate(self, u):
        slope = minmod(u - np.roll(u, 1), np.roll(u, -1) - u)
        left = u + 0.5 * slope
        right = np.roll(u - 0.5 * slope, -1)
        f = godunov(left, right)
        return (np.roll(f, 1) - f) / self.dx

    def step(self, latest):
        """Advance by the longest stable step that does not go past a time: Heun's method."""
        dt = self.courant * self.dx / max(float(np.abs(self.u).max()), 1e-6)
        dt = min(dt, latest - self.time)
        half = self.u + dt * self.rate(self.u)
        self.u = 0.5 * (self.u + half + dt * self.rate(half))
        self.time += dt
        return dt


def evolve(u, until=0.3, courant=0.4, most=5000):
    """The solution at a time, its total variation after each step, and the steps that were taken."""
    ring = Ring(u, courant)
    variation = []
    for steps in range(1, most + 1):
        ring.step(until)
        variation.append(np.abs(np.diff(ring.u, append=ring.u[:1])).sum())
        if ring.time >= until:
            break
    else:
        raise RuntimeError("too many steps")
    return ring.u, np.array(variation), steps


def make_inputs(n, dtype=np.float64):
    x = (np.arange(n) + 0.5) / n
    return ((0.4 + np.sin(2 * np.pi * x) + 0.2 * np.cos(6 * np.pi * x)).astype(dtype),)


def bad_inputs():
    (u,) = make_inputs(12)
    yield "too few steps", RuntimeError, (u, 0.3, 0.4, 3)
    yield "no cells", ZeroDivisionError, (u[:0],)
