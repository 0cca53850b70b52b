"""Arrays taken as sets do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import X32, X, agree, in_layouts

SOME = np.array([3, 1, 4, 1, 5, 9, 2, 6])
FLOATS = np.array([0.0, -0.0, np.nan, 2.5, np.nan, 2.5, -1.0])

CASES: list[tuple[Any, ...]] = [
    ("np.unique(a)", SOME),
    ("np.unique(a)", X32),
    ("np.unique(a)", FLOATS),
    ("np.unique(a, equal_nan=False)", FLOATS),
    ("np.unique(a)", SOME > 3),
    ("np.unique(a)", SOME[:0]),
    ("np.unique(a)", np.float64(3)),
    ("np.unique(a, return_counts=True)", SOME),
    ("np.unique(a, return_index=True, return_inverse=True, return_counts=True)", FLOATS),
    ("np.unique(a, return_inverse=True)", np.array([[1, 2], [2, 1]])),
    (
        "values, counts = np.unique(a, return_counts=True)\nreturn values[np.argmax(counts)], len(values)",
        SOME,
    ),
    ("t = 0\nfor v in np.unique(a):\n    t += int(v) * int((a == v).sum())\nreturn t", SOME),
    ("np.unique(a, axis=0)", np.array([[1, 2], [1, 2], [0, 5]])),
    ("np.unique(a, axis=0, return_counts=True)", np.array([[1.5, 2], [1.5, 2], [0, 5]])),
    ("np.unique(a, axis=1)", np.array([[1, 2, 1], [1, 0, 1]])),
    ("np.unique(a, axis=-1, return_index=True, return_inverse=True)", np.ones((2, 3, 4)).cumsum(2) % 2),
    ("np.unique(a, axis=2)", SOME.reshape(2, 4)),
    ("np.unique(a).size", SOME),
    ("np.unique_counts(a)", SOME),
    ("np.isin(a, b)", SOME, SOME[:3]),
    ("np.isin(a, [1, 2], invert=True)", SOME),
    ("a[~np.isin(a, b)]", X, X[0]),
    ("np.intersect1d(a, b)", SOME, SOME[2:5]),
    ("np.intersect1d(a, b, return_indices=True)", SOME, SOME[2:5]),
    ("np.setdiff1d(a, b)", SOME, SOME[:3]),
    ("np.setdiff1d(a, b)", X, X[0]),
    ("np.union1d(a, b)", SOME, X[0]),
    ("np.setxor1d(a, b)", SOME, SOME[:3]),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_sets_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_sets_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
