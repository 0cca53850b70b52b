"""Whose memory a value is: asked of each value once, however many ways lead to it."""

import numpy as np
import pytest

import transpile
from transpile.devices.loops.memory import Memory

PLACES = tuple((k, 1.5 * k) for k in range(12))


def raised(x, limit, turns):
    for _ in range(turns):
        for k, step in PLACES:
            if x[k] < limit:
                x[k] += step
    return x


def test_branch_after_branch_is_followed_once(nothing_kept: None, monkeypatch: pytest.MonkeyPatch) -> None:
    origin, looks = Memory.origin, []

    def looked(self, value):
        looks.append(value)
        return origin(self, value)

    monkeypatch.setattr(Memory, "origin", looked)
    converted = transpile.convert(raised, strict=True)
    assert (converted(np.zeros(15), 30.0, 3) == raised(np.zeros(15), 30.0, 3)).all()
    assert 0 < len(looks) < 2000


def searched(grid, turns):
    found, ways = [(0, 0)], [(0, 0)]
    for _ in range(turns):
        while ways:
            row, column = ways.pop()
            for step in (1, 2, 3):
                if row + step < len(grid) and grid[row + step, column] > 0:
                    grid[row + step, column] -= 1
                    ways.append((row + step, column))
                if column + step < len(grid) and grid[row, column + step] > 0:
                    grid[row, column + step] -= 1
                    found.append((row, column + step))
        ways.append(found[-1])
    return found


def test_what_was_found_apart_is_not_asked_anew(nothing_kept: None, monkeypatch: pytest.MonkeyPatch) -> None:
    meet, looks = Memory._meet, []

    def looked(self, *roots):
        looks.append(roots)
        return meet(self, *roots)

    monkeypatch.setattr(Memory, "_meet", looked)
    converted = transpile.convert(searched, strict=True)
    given = np.arange(25).reshape(5, 5) % 3
    assert converted(given.copy(), 4) == searched(given.copy(), 4)
    assert 0 < len(looks) < 8000
