"""Many rotations as quaternions: composed, applied to points, interpolated, and made matrices.

entry:      track
family:     elementwise
exercises:  a class with operators whose attributes are arrays, properties, static methods, np.cross and stacking
patterns:   where none-axis concatenate-stack axis-reductions keepdims library-solvers transcendentals
            default-arguments user-calls classes operator-methods property tuple-results
dtypes:     float64 float32
small:      n=6
medium:     n=150000
large:      n=800000
sized:      n=5+3k
sweeps:     1
work:       n
cached:     n=2000
"""

import numpy as np


class Rotations:
    """Unit quaternions w + v: w is (n,), v is (n, 3)."""

    def __init__(self, w, v):
        self.w = w
        self.v = v

    @staticmethod
    def about(axis, angle):
        return Rotations(np.cos(angle / 2), np.sin(angle / 2)[:, None] * axis)

    def __mul__(self, other):
        w = self.w * other.w - (self.v * other.v).sum(axis=1)
        v = self.w[:, None] * other.v + other.w[:, None] * self.v + np.cross(self.v, other.v)
        return Rotations(w, v)

    @property
    def inverse(self):
        return Rotations(self.w, -self.v)

    @property
    def angle(self):
        return 2 * np.arctan2(np.sqrt((self.v**2).sum(axis=1)), self.w)

    def apply(self, points):
        t = 2 * np.cross(self.v, points)
        return points + self.w[:, None] * t + np.cross(self.v, t)

    def matrices(self):
        x, y, z = self.v.T
        w = self.w
        rows = [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], axis=1),
            np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], axis=1),
            np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1),
        ]
        return np.stack(rows, axis=1)


def slerp(a, b, t):
    """Rotations on the shortest way from a to b."""
    dot = a.w * b.w + (a.v * b.v).sum(axis=1)
    flip = np.where(dot < 0, -1.0, 1.0).astype(dot.dtype)
    theta = np.arccos(np.minimum(np.abs(dot), 0.9995))
    p, q = np.sin((1 - t) * theta), flip * np.sin(t * theta)
    s = np.sin(theta)
    return Rotations((p * a.w + q * b.w) / s, (p[:, None] * a.v + q[:, None] * b.v) / s[:, None])


def track(axes, angles, points, part=0.25):
    """Points turned by all rotations so far in pairs, the frames between, and the angles from one to the next."""
    turns = Rotations.about(axes / np.linalg.norm(axes, axis=1, keepdims=True), angles)
    first, second = Rotations(turns.w[:-1], turns.v[:-1]), Rotations(turns.w[1:], turns.v[1:])
    both = second * first
    moved = both.apply(points[1:])
    between = slerp(first, second, part)
    relative = second * first.inverse
    return moved, between.matrices(), relative.angle


def make_inputs(n, dtype=np.float64):
    rng = np.random.default_rng(107)
    axes, points = rng.normal(0, 1, (2, n, 3)).astype(dtype)
    return axes, rng.uniform(-3, 3, n).astype(dtype), points


def bad_inputs():
    axes, angles, points = make_inputs(6)
    yield "points in four dimensions", ValueError, (axes, angles, np.ones((6, 4)))
    yield "angles that are missing", ValueError, (axes, angles[:3], points)
