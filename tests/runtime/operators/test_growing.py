"""Lists that a loop replaces by such as have grown in it are staged before it: the call runs compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from transpile import convert


def distances(near, start):
    distance = np.full(near.shape[0], -1)
    distance[start] = 0
    front = [start]
    while front:
        found = []
        for u in front:
            for v in range(near.shape[0]):
                if near[u, v] and distance[v] < 0:
                    distance[v] = distance[u] + 1
                    found.append(v)
        front = found
    return distance


def sums(x):
    reached = [x[0]]
    for value in x:
        more = []
        for old in reached:
            more.append(old + value)
            if old > 1:
                more.append(old - value)
        reached = more
    return reached


def filled(x):
    kept, room = [], []
    for value in x:
        room.append(value)
        if len(room) == 3:
            kept.append(room[0] + room[-1])
            room = []
    return kept, room


GENERATOR = np.random.default_rng(1)
CALLS = [(distances, (GENERATOR.random((12, 12)) < 0.2, 0)), (sums, (GENERATOR.random(7),)), (filled, (GENERATOR.random(8),))]  # fmt: skip


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(("program", "given"), CALLS, ids=lambda given: getattr(given, "__name__", ""))
def test_lists_that_a_loop_replaces(program: Callable[..., Any], given: tuple[Any, ...], device: str) -> None:
    converted = convert(program, strict=True, device=device)
    np.testing.assert_equal(converted(*given), program(*given))
    assert "ran 1 time" in converted.explain()
