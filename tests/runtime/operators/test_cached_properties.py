"""A `functools.cached_property` of an object that a call makes is traced, once, and is among what the object holds."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from transpile import convert


class Grid:
    def __init__(self, points: int, length: float = 1.0) -> None:
        self.points = points
        self.length = length

    @property
    def width(self) -> float:
        return self.length / self.points

    @functools.cached_property
    def centres(self) -> Any:
        print("made")
        return (np.arange(self.points) + 0.5) * self.width

    @functools.cached_property
    def scale(self) -> float:
        if self.length > 1:
            return 1.0
        return self.length / 2


def total(points):
    grid, found = Grid(points), 0.0
    for i in range(points):
        found += grid.centres[i] * grid.scale
    return found


def scales(points):
    return sum([Grid(3, float(i)).scale for i in range(points)])


def kept(points):
    grid = Grid(points)
    grid.centres[0] = 9
    return grid


def test_runs_once_on_what_run_time_gives(capsys: Any) -> None:
    for program in (total, scales):
        converted = convert(program, strict=True)
        for points in (3, 5, 4):
            expected, printed = program(points), capsys.readouterr()
            assert converted(points) == expected and capsys.readouterr() == printed


def test_the_object_that_is_returned_holds_it() -> None:
    expected, found = kept(3), convert(kept, strict=True)(3)
    assert type(found) is Grid and list(vars(found)) == list(vars(expected))
    assert found.centres.tolist() == expected.centres.tolist()
