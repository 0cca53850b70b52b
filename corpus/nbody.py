"""Gravitating bodies followed by leapfrog steps, with a class that holds their state.

entry:      simulate
family:     elementwise
exercises:  object state updated in place by methods, all pairs by broadcasting, snapshots collected in a list
patterns:   classes newaxis axis-reductions in-place-operators transcendentals array-iterables enumerate zip
            loop-index-slices list-append concatenate-stack updated-arguments tuple-results module-globals
            default-arguments user-calls conditional-expression property
dtypes:     float64 float32
small:      n=4 steps=5
medium:     n=60 steps=400
large:      n=240 steps=300
sized:      n=3+2k steps=4+k
sweeps:     steps
work:       n n steps
cached:     n=60
"""

import numpy as np

G = 1.0
SOFTENING = 0.05


class Bodies:
    """Point masses; positions and velocities are (n, 3)."""

    def __init__(self, positions, velocities, masses):
        self.x = positions
        self.v = velocities
        self.m = masses
        self.time = 0.0
        self.evaluations = 0

    def accelerations(self):
        d = self.x[np.newaxis, :, :] - self.x[:, np.newaxis, :]
        r2 = (d**2).sum(axis=2) + SOFTENING**2
        pull = G * self.m / (r2 * np.sqrt(r2))
        self.evaluations += 1
        return (pull[:, :, np.newaxis] * d).sum(axis=1)

    def step(self, dt):
        self.v += 0.5 * dt * self.accelerations()
        self.x += dt * self.v
        self.v += 0.5 * dt * self.accelerations()
        self.time += dt

    @property
    def energy(self):
        kinetic = 0.5 * (self.m * (self.v**2).sum(axis=1)).sum()
        potential = 0.0
        for i, (p, m) in enumerate(zip(self.x, self.m)):
            r = np.sqrt(((self.x[:i] - p) ** 2).sum(axis=1) + SOFTENING**2)
            potential -= G * m * (self.m[:i] / r).sum()
        return kinetic + potential


def simulate(positions, velocities, masses, duration, steps, snapshots=5):
    """Advance positions and velocities in place by `duration`.

    Returns snapshots of the positions, the relative error of the energy, and how often the forces were evaluated.
    """
    bodies = Bodies(positions, velocities, masses)
    before = bodies.energy
    dt = duration / steps
    every = steps // snapshots if steps > snapshots else 1
    frames = [bodies.x.copy()]
    for i in range(1, steps + 1):
        bodies.step(dt)
        if i % every == 0:
            frames.append(bodies.x.copy())
    return np.stack(frames), (bodies.energy - before) / before, bodies.evaluations


def make_inputs(n, steps, dtype=np.float64):
    rng = np.random.default_rng(23)
    x = rng.uniform(-1, 1, (n, 3)).astype(dtype)
    v = rng.normal(0, 0.3, (n, 3)).astype(dtype)
    m = rng.uniform(0.5, 1.5, n).astype(dtype) / n
    return x, v, m, 0.002 * steps, steps


def bad_inputs():
    x, v, m, duration, steps = make_inputs(4, 3)
    yield "no steps", ZeroDivisionError, (x, v, m, duration, 0)
    yield "one mass too many", ValueError, (x, v, np.ones(5), duration, steps)
