"""Axes whose length is 1 for the call at hand, as dims of the arguments say, broadcast; calls where it is another one have traces of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from transpile import convert

X = np.random.default_rng(3).normal(size=(40, 6))


def projected(points, shift):
    moved = points + shift
    return moved[:, :2] / moved[:, 2:]


def parts(x, k):
    return x[:k] * x[k:]


def rests(x, y):
    return x[1:] + y[:, 1:]


def stored(points, shift):
    moved = points + shift
    moved[:, :2] /= moved[:, 2:]
    moved[:, 1:] = moved[:, :1]
    return moved


CALLS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (projected, [(X[:n, :m], X[0, :m]) for n in (40, 3, 1) for m in (3, 4)]),
    (parts, [(X[0, :n], k) for n, k in ((5, 1), (5, 4), (6, 3), (2, 1))]),
    (rests, [(X[0, :n], X[:3, :m]) for n, m in ((2, 5), (5, 2), (5, 5), (2, 2))]),
    (stored, [(X[:n, :3], X[0, :3]) for n in (40, 3, 1)]),
]


@pytest.mark.parametrize(("program", "calls"), CALLS, ids=lambda given: getattr(given, "__name__", ""))
def test_axes_of_length_one(program: Callable[..., Any], calls: list[tuple[Any, ...]]) -> None:
    converted = convert(program, strict=True)
    for _ in range(2):
        for given in calls:
            np.testing.assert_array_equal(converted(*given), program(*given), strict=True)
    assert not converted.calls.refuted


def test_lengths_that_do_not_agree_are_numpys_error() -> None:
    with pytest.raises(ValueError, match=r"could not be broadcast together with shapes \(5,2\) \(5,4\)"):
        convert(projected)(X[:5], X[0])
