"""NumPy's rounding do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import F32, I8, X32, X, agree, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("np.round(a)", X),
    ("np.round(a,2)", X),
    ("a.round(1)", X32),
    ("np.round(a,-1)", X * 10),
    ("np.round(a,2)", 2.567),
    ("np.round(a)", I8),
    ("np.round(a,-1)", np.arange(20)),
    ("np.round(a,1)", F32(2.567)),
    ("np.around(a,10)", X),
    ("np.around(a,23)", X * 1e-9),
    ("np.around(a,30)", X),
    ("np.around(a,-99)", X * 1e100),
    ("np.around(a,100)", X * 1e-100),
    ("np.around(a,400)", X[:0]),
    ("round(a,30)", np.float64(1.1)),
    ("np.round(a)", 7),
    ("a.round(2)", np.float64(2.567)),
    ("np.fix(a)", X),
    ("np.round(a,1,b)", X32, X.copy()),
    ("np.round(a,-1,b)", X, X32.copy()),
    ("a.round(0,b)", X32, X.copy()),
    ("np.round(a,-1,b)", I8, X[0].copy()[:1]),
    ("np.round(a,1,b)", X32, I8.astype(int).reshape(3, 4)),
    ("np.round(a,-1,b)", np.arange(12), np.zeros(12, int)),
    ("np.round(a,-1,b)", np.arange(12), np.zeros(12)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_rounding_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_rounding_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
