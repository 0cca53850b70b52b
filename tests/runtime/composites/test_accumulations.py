"""NumPy's running sums, products and extrema do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from transpile import convert

from .agreement import I8, X32, X, Z, agree, in_layouts

# Numbers enough for vector code to round some of them otherwise than scalar code does.
TURNS = np.exp(1j * np.arange(60.0).reshape(6, 10) ** 2)
POWERS = np.random.default_rng(3).random((30, 8)) + 0.5

CASES: list[tuple[Any, ...]] = [
    ("np.cumprod(a, axis=1), np.multiply.accumulate(a)", TURNS),
    ("np.power.accumulate(a), np.arctan2.accumulate(a, axis=1), np.hypot.accumulate(a)", POWERS),
    ("np.power.accumulate(a, axis=1), np.arctan2.accumulate(a)", POWERS.astype(np.float32)),
    ("np.cumsum(a)", X),
    ("np.cumsum(a)", X[0]),
    ("a.cumsum(axis=0)", X),
    ("a.cumsum(axis=-1)", X32),
    ("np.cumsum(a)", I8),
    ("np.cumprod(a)", X[0]),
    ("np.cumsum(a,axis=0)", X.T),
    ("np.cumsum(a,axis=1)", np.arange(24.0).reshape(2, 3, 4).transpose(2, 0, 1)),
    ("np.cumsum(a,dtype=np.float32)", X),
    ("np.cumsum(a,out=b)", X[0], np.zeros(4)),
    ("np.add.accumulate(a)", X),
    ("np.maximum.accumulate(a,axis=1)", -X),
    ("np.minimum.accumulate(a)", X[0]),
    ("np.multiply.accumulate(a)", I8),
    ("np.cumsum(a>0)", X),
    ("np.cumsum(a[::-1])[::-1], np.cumprod(a[::2])", X[0]),
    ("np.cumsum(a[::-1],out=a), np.cumsum(a,out=a[::-1]), a", X[0]),
    ("np.cumsum(a)", X[:, :0]),
    ("np.cumsum(a)", 3.0),
    ("a.cumsum()", np.float64(3)),
    ("np.cumsum(a,axis=3)", X),
    ("np.cumsum([1,a,3])", 2.0),
    ("np.logical_or.accumulate(a>3)", X[0]),
    ("np.cumsum(a)", Z),
    ("np.subtract.accumulate(a)", X[0]),
    ("np.add.accumulate(a)", 3.0),
    ("t=np.zeros(3)\nfor i in range(3):\n    t[i]=np.cumsum(a[i])[-1]\nreturn t", X),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_accumulations_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_accumulations_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)


@pytest.mark.parametrize("case", CASES[::6], ids=lambda case: case[0])
def test_compiled_accumulations_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case, device="cpu")


@pytest.mark.parametrize("function", [np.maximum.accumulate, np.minimum.accumulate, np.add.accumulate])
@pytest.mark.parametrize("axis", [0, 1])
def test_rows_are_accumulated_by_the_graph(function: Any, axis: int) -> None:
    def accumulated(x):
        return function(x, axis=axis)

    x = np.random.default_rng(0).random((4, 5))
    converted = convert(accumulated, strict=True, device="host")
    assert np.array_equal(converted(x), accumulated(x))
    assert "kept" not in str(converted.graph(x))
