"""Loops of few turns are written out, those of many or an unknown number are not."""

import ast

import numpy as np
import pytest

import transpile
from transpile.devices.cpu import short_loops


@pytest.mark.parametrize(
    ("bounds", "turns"),
    [
        ("3", range(3)),
        ("-1, 2", range(-1, 2)),
        ("6, 0, -2", range(6, 0, -2)),
        ("0", range(0)),
        ("9", None),
        ("n", None),
        ("0, 3, 0", None),
    ],
)
def test_few_turns_are_written_out(bounds, turns):
    (loop,) = ast.parse(f"for i in range({bounds}):\n    x[i] = y").body
    assert short_loops.short_turns(loop) == turns


def test_long_bodies_are_not():
    (loop,) = ast.parse("for i in range(3):\n" + "    x[i] = y + z * i\n" * 100).body
    assert short_loops.short_turns(loop) is None


def test_what_is_written_out_is_what_it_was():
    def neighbours(grid):
        n, m = grid.shape
        out = np.zeros((n, m), dtype=np.int64)
        for i in range(n):
            for j in range(m):
                for di in range(-1, 2):
                    for dj in range(1, -2, -1):
                        if di != 0 or dj != 0:
                            out[i, j] += grid[(i + di) % n, (j + dj) % m]
        return out

    grid = np.random.default_rng(0).integers(0, 2, (7, 5))
    assert np.array_equal(transpile.convert(neighbours, strict=True)(grid), neighbours(grid))
