"""Conway's game of life on a torus, from a flat list of cells, until it stands still.

entry:      evolve
family:     stencils
exercises:  neighbours by shifted slices, whose bounds are loop indices; masks; a result cut to a length found on the way
patterns:   loop-index-slices continue in-place-operators mask-arithmetic early-return run-time-slices shape-assignment
            ndarray-constructor overlapping-update writing-helpers updated-arguments user-calls default-arguments
small:      rows=9 columns=12 generations=6
medium:     rows=700 columns=800 generations=300
large:      rows=1600 columns=2000 generations=500
sized:      rows=6+k columns=18-k generations=3+k
sweeps:     generations
work:       rows columns generations
cached:     rows=200
"""

import numpy as np


def count_neighbours(world, padded, count):
    """Write into count how many of the eight neighbours are alive; padded has a rim of one more cell."""
    rows, columns = world.shape
    padded[1:-1, 1:-1] = world
    padded[0] = padded[-2]
    padded[-1] = padded[1]
    padded[:, 0] = padded[:, -2]
    padded[:, -1] = padded[:, 1]

    count[:] = 0
    for di in range(3):
        for dj in range(3):
            if di == 1 and dj == 1:
                continue
            count += padded[di : di + rows, dj : dj + columns]


def evolve(cells, columns, generations=100):
    """Let the world live for some generations, in place; cells holds its rows one after the other.

    Returns the population before and after each generation, up to where nothing changed.
    """
    world = cells[:]
    world.shape = (-1, columns)
    rows = world.shape[0]
    padded = np.zeros((rows + 2, columns + 2), world.dtype)
    count = np.ndarray(world.shape, np.uint8)
    population = np.zeros(generations + 1, dtype=int)
    population[0] = world.sum()

    for g in range(1, generations + 1):
        count_neighbours(world, padded, count)
        alive = (count == 3) | (world > 0) & (count == 2)
        if (alive == world).all():
            return population[:g]
        world[:] = alive
        population[g] = alive.sum()
    return population


def make_inputs(rows, columns, generations):
    rng = np.random.default_rng(17)
    return (rng.random(rows * columns) < 0.3).astype(np.uint8), columns, generations


def bad_inputs():
    cells, columns, generations = make_inputs(5, 6, 3)
    yield "cells do not fill the rows", ValueError, (cells[:-2], columns, generations)
    yield "negative number of generations", ValueError, (cells, columns, -2)
