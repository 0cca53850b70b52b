"""Heat in a plate whose conductivity differs from place to place, by fluxes through the faces of cells.

entry:      diffuse
family:     stencils
exercises:  fields at faces beside fields in cells, np.pad and np.diff, sources switched by time, balances summed on the way
patterns:   conditional-expression updated-arguments in-place-operators pad-roll argmax scans default-arguments
            user-calls tuple-results validation
dtypes:     float64 float32
small:      n=8 steps=4
medium:     n=300 steps=60
large:      n=1000 steps=60
sized:      n=6+2k steps=3+k
sweeps:     steps
work:       n n steps
cached:     n=60
"""

import numpy as np


def face_conductivity(k, axis):
    """Harmonic means of neighbouring cells; nothing passes through the rim."""
    if axis == 0:
        left, right = k[:-1, :], k[1:, :]
    else:
        left, right = k[:, :-1], k[:, 1:]
    inner = 2 * left * right / (left + right)
    rim = ((1, 1), (0, 0)) if axis == 0 else ((0, 0), (1, 1))
    return np.pad(inner, rim)


def divergence(u, kx, ky):
    fx = np.zeros_like(kx)
    fy = np.zeros_like(ky)
    fx[1:-1] = -kx[1:-1] * np.diff(u, axis=0)
    fy[:, 1:-1] = -ky[:, 1:-1] * np.diff(u, axis=1)
    return fx[1:] - fx[:-1] + fy[:, 1:] - fy[:, :-1]


def diffuse(u, k, source, dt, steps, switch_off=0.5):
    """Advance u in place. Returns the mean temperature after each step, and the hottest cell of the last."""
    if k.min() <= 0:
        raise ValueError("conductivity must be positive")
    kx = face_conductivity(k, axis=0)
    ky = face_conductivity(k, axis=1)
    means = np.empty(steps, dtype=u.dtype)
    for step in range(steps):
        change = -divergence(u, kx, ky)
        if step < switch_off * steps:
            change += source
        u += dt * change
        means[step] = u.mean()
    row, column = divmod(int(np.argmax(u)), u.shape[1])
    return means, (row, column)


def make_inputs(n, steps, dtype=np.float64):
    rng = np.random.default_rng(67)
    u = rng.uniform(0, 1, (n, n + 3))
    k = 10 ** rng.uniform(-1, 0, (n, n + 3))
    source = np.zeros((n, n + 3))
    source[n // 3 : n // 2, n // 2 :] = 2.0
    return u.astype(dtype), k.astype(dtype), source.astype(dtype), 0.2, steps


def bad_inputs():
    u, k, source, dt, steps = make_inputs(6, 3)
    yield "an insulator", ValueError, (u, 0 * k, source, dt, steps)
    yield "a source of other shape", ValueError, (u, k, source[:-1], dt, steps)
