"""Indices: of whatever type of integer they are, and of another one from turn to turn."""

from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...end_to_end.comparison import call, compare


def follows_links(links, place, offset):
    steps = 0
    while place != -1 and steps < 8:
        link = place + offset if steps % 2 else place
        links[place] = link
        steps += 1
        place = links[(link + 3) % len(links)]
    return steps, place


def named_by_either(x, place, places):
    either = places[0] if x[0] > 0 else place
    x[either] += 1.0
    return x[either], x[either:], np.zeros(either)


LINKS = np.arange(7, dtype=np.int32)[::-1].copy()
X = np.array([1.0, 2.0, 3.0])


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function, arguments",
    [
        (follows_links, (LINKS, 3, 0)),
        (named_by_either, (X, 1, np.array([2], np.uint8))),
        (named_by_either, (-X, 1, np.array([2], np.uint8))),
        (named_by_either, (-X, -1, np.array([2], np.int16))),
        (named_by_either, (X, 1, np.array([5], np.int64))),
    ],
)
def test_integers_of_several_types_index_alike(function: Any, arguments: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    compare(call(function, arguments), call(converted, arguments))


def test_no_call_is_left_to_python_for_the_type_of_an_index() -> None:
    converted = convert(follows_links, strict=True)
    for _ in range(3):
        converted(LINKS.copy(), 3, 0)
    assert "left to plain Python" not in converted.explain()


def taken(x, places):
    return x[places], x[places] * 2.0, x[places].flags.f_contiguous


def taken_by_two(x, places, others):
    return x[places, others], x[:, others], x[places]


GRID = np.arange(12.0).reshape(4, 3)
PLACES = np.array([[0, 2, 1], [1, 0, 2]])
TURNED = PLACES.T.copy().T


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function, arguments",
    [
        (taken, (X, PLACES)),
        (taken, (X, TURNED)),
        (taken, (X.astype(np.float32), np.stack([TURNED, PLACES]).T)),
        (taken, (GRID, TURNED)),
        (taken_by_two, (GRID, TURNED, PLACES)),
        (taken_by_two, (GRID, TURNED, TURNED)),
        (taken_by_two, (GRID.T, TURNED, TURNED)),
    ],
)
def test_single_elements_lie_as_their_indices_do(function: Any, arguments: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    compare(call(function, arguments), call(converted, arguments))
