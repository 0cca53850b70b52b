"""Steady temperature of a plate in a light draught: relaxation by slices until nothing changes any more.

entry:      diffuse
family:     stencils
exercises:  a tolerance loop around slice stencils, updates that read what they write
patterns:   while-loops chained-stores positional-out in-place-operators augmented-slices overlapping-update
            updated-arguments tuple-results default-arguments module-globals validation
dtypes:     float64 float32
small:      rows=8 columns=7
medium:     rows=90 columns=110
large:      rows=220 columns=260
sized:      rows=5+2k columns=16-k
sweeps:     none: each cell of a row waits for the one before it
"""

import numpy as np

DRAUGHT = 0.125


def diffuse(plate, hot=100.0, cold=0.0, tol=1e-3, max_steps=100_000):
    """Relax plate in place. Top and bottom are cold, the sides warm up from cold to hot.

    Returns the number of steps and the largest change in the last of them.
    """
    rows, columns = plate.shape
    if rows < 3 or columns < 3:
        raise ValueError("the plate has no inside")

    plate[:, 0] = plate[:, -1] = np.linspace(cold, hot, rows)
    plate[0] = plate[-1] = cold

    inside = plate[1:-1, 1:-1]
    total = np.empty_like(inside)
    change, steps = 2 * tol, 0
    while change > tol and steps < max_steps:
        before = plate.copy()

        # each cell takes the mean of its four neighbours ...
        np.add(plate[:-2, 1:-1], plate[2:, 1:-1], total)
        total += plate[1:-1, :-2]
        total += plate[1:-1, 2:]
        np.multiply(total, 0.25, inside)

        # ... and then the air moves along the rows
        for i in range(1, rows - 1):
            plate[i, 1:-1] += DRAUGHT * (plate[i, 2:] - plate[i, 1:-1])

        change = np.abs(plate - before).max()
        steps += 1
    return steps, change


def make_inputs(rows, columns, dtype=np.float64):
    plate = np.random.default_rng(2).uniform(0, 20, (rows, columns)).astype(dtype)
    return plate, 100.0, 0.0, 1e-2


def bad_inputs():
    plate, *rest = make_inputs(2, 6)
    yield "no inside", ValueError, (plate, *rest)
    plate, *rest = make_inputs(6, 6)
    yield "three dimensions", ValueError, (plate.reshape(6, 3, 2), *rest)
