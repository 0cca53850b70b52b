"""Whose memory a value is: asked of each value once, however many ways lead to it."""

from pathlib import Path

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


def loops(count):
    """Return a function of so many loops, one after the other, that write one array."""
    lines = ["def many(x, y):"]
    for number in range(count):
        lines += [
            "    for i in range(1, len(x)):",
            f"        x[i] = y[i - 1] * {number}",
            "        y[i] += x[i]",
        ]
    return "\n".join([*lines, "    return x.sum()"])


def test_pairs_are_asked_for_once_after_loop_and_loop(
    nothing_kept: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    meet, looks = Memory._meet, []

    def looked(self, *roots):
        looks.append(roots)
        return meet(self, *roots)

    monkeypatch.setattr(Memory, "_meet", looked)
    counts = []
    for count in (8, 32):
        namespace: dict = {}
        path = tmp_path / f"loops_{count}.py"
        path.write_text(loops(count))
        exec(compile(path.read_text(), str(path), "exec"), namespace)
        looks.clear()
        transpile.convert(namespace["many"], strict=True).kernels(np.ones(9), np.ones(9))
        counts.append(len(looks))
    # Of loops after each other, every two may have to be told apart.
    assert 0 < counts[1] < 24 * counts[0]
