"""NumPy's comparisons do converted what they do as they are."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from transpile import convert

from .agreement import I8, X32, X, agree, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("np.isclose(a,b)", X, X + 1e-09),
    ("np.isclose(a,b)", X, X32),
    ("np.isclose(a,3.7)", X),
    (
        "np.isclose(a, 2, atol=0, rtol=b), np.isclose(a, 2, atol=0, rtol=np.float64(b))",
        np.float32([1, 3]),
        (1 - 2**-52) / 2,
    ),
    (
        "np.isclose(a, b, atol=0, rtol=0), np.isclose(a, np.float64(b), atol=0, rtol=0)",
        np.array([1, 2], "f4"),
        1 - 2**-52,
    ),
    (
        "np.isclose(a, c, atol=b), np.isclose(a, c, atol=np.float64(b))",
        np.array([1, 2], "f4"),
        1 - 2**-52,
        np.float32(0),
    ),
    ("np.isclose(a, b), np.isclose(a, 2j)", np.array([1, np.inf, np.nan], "f4"), np.inf),
    ("np.isclose(a,b)", 2, 3),
    (
        "np.isclose(a,b,equal_nan=True)",
        np.array([np.nan, np.inf, -np.inf, 1]),
        np.array([np.nan, np.inf, np.inf, 2]),
    ),
    ("np.allclose(a,b)", X, X + 1e-09),
    ("np.allclose(a,b)", X, X + 1),
    ("np.isclose(a,b)", I8, I8),
    ("np.isclose(a,2)", I8),
    ("np.array_equal(a,b)", X, X),
    ("np.array_equal(a,b)", X, X + 1),
    ("np.array_equal(a,b)", X, X[0]),
    ("np.array_equal(a,b)", X, X[:2]),
    ("np.array_equal(a,b,equal_nan=True)", np.array([1, np.nan]), np.array([1, np.nan])),
    ("np.allclose(a,1)", X),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_comparisons_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_comparisons_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)


def test_arrays_of_other_shapes_are_told_apart_by_compiled_code() -> None:
    def equal(one: Any, two: Any) -> Any:
        return np.array_equal(one, two), np.array_equiv(one, two)

    converted = convert(equal, strict=True, device="host")
    shapes = [(3, 4), (4, 4), (5, 4), (3, 6), (1, 4), (0, 4)]
    for one, two in itertools.product(map(np.ones, shapes), repeat=2):
        assert converted(one, two) == equal(one, two)
    assert not converted.calls.refuted
