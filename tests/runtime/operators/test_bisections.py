"""The functions of `bisect`, in lists and arrays, at places that run time gives."""

import bisect
from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...end_to_end.comparison import call, compare


def grades(scores):
    limits, names = [60, 70, 80, 90], [1.0, 2.0, 3.0, 4.0, 5.0]
    return np.array([names[bisect.bisect(limits, score)] for score in scores])


def both_sides(x, value):
    return bisect.bisect_left(x, value), bisect.bisect_right(x, value), bisect.bisect(x, value, 1, len(x) - 1)


def by_key(x, value):
    return bisect.bisect_left(x, value, key=lambda item: -item)


def kept_sorted(x):
    kept = []
    for value in x:
        bisect.insort(kept, value)
    return kept


def before_the_first(x, lo):
    return bisect.bisect_left(x, 1.0, lo)


X = np.array([1.0, 2.0, 2.0, 2.0, 5.0, 7.5])


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function, arguments",
    [
        (grades, (np.array([33, 99, 77, 70, 89, 90, 100]),)),
        (both_sides, (X, 2.0)),
        (both_sides, (X, 0.0)),
        (both_sides, (X, 9.0)),
        (both_sides, (X, float("nan"))),
        (both_sides, (X[:0], 1.0)),
        (both_sides, ([1, 2, 2, 3], 2)),
        (by_key, (X[::-1].copy(), -2.0)),
        (kept_sorted, (np.array([3.0, 1.0, 2.0, 1.0]),)),
        (before_the_first, (X, 0)),
    ],
)
def test_the_place_is_pythons(function: Any, arguments: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    compare(call(function, arguments), call(converted, arguments))


def test_a_place_before_the_first_raises() -> None:
    with pytest.raises(ValueError, match="lo must be non-negative"):
        convert(before_the_first, strict=True)(X, -1)
