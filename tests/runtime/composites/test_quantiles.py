"""Medians and quantiles do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import I8, X32, X, agree, in_layouts

HOLES = np.where(X > 2, np.nan, X)
HOLES32 = HOLES.astype(np.float32)
NOWHERE = np.full((2, 3), np.nan)

CASES: list[tuple[Any, ...]] = [
    ("np.percentile(a, 50)", X),
    ("np.percentile(a, [25, 50, 75])", X32),
    ("np.percentile(a, b)", X, 30),
    ("np.percentile(a, b)", X, 12.5),
    ("np.percentile(a, b)", X32, np.array([10.0, 90.0])),
    ("np.percentile(a, 30, axis=0)", X),
    ("np.percentile(a, [5, 95], axis=1)", X),
    ("np.percentile(a, 40, axis=1, keepdims=True)", X32),
    ("np.percentile(a, 40, axis=(0, 1))", X),
    ("np.percentile(a, 40, method='nearest')", I8),
    ("np.percentile(a, 200)", X),
    ("np.quantile(a, 0.3)", I8),
    ("np.quantile(a, 1)", I8),
    ("np.percentile(a, 50)", I8),
    ("np.quantile(a, b, axis=0)", X, 0.25),
    ("lo, hi = np.quantile(a, [0.25, 0.75])\nreturn hi - lo", X),
    ("np.median(a)", X),
    ("np.median(a, axis=0)", X32),
    ("np.median(a, axis=(0, 1))", X),
    ("np.median(a, axis=1, keepdims=True)", I8.reshape(3, 4)),
    ("np.median(a, axis=5)", X),
    ("np.median(a)", X[:, 0]),
    ("np.nanmedian(a)", HOLES),
    ("np.nanmedian(a, axis=0)", HOLES32),
    ("np.nanpercentile(a, 30)", HOLES),
    ("np.nanpercentile(a, [30, 60], axis=1)", HOLES),
    ("np.nanquantile(a, 0.3, axis=0)", HOLES32),
    ("np.nanstd(a)", HOLES),
    ("np.nanvar(a, axis=0)", HOLES32),
    ("np.nanvar(a, axis=1, ddof=1, keepdims=True)", X),
    ("np.nanstd(a)", I8),
    ("np.nanargmin(a)", HOLES),
    ("np.nanargmax(a, axis=1)", HOLES32),
    ("np.nanargmax(a, axis=0, keepdims=True)", HOLES),
    ("np.nanargmin(a)", NOWHERE),
    ("np.nancumsum(a)", HOLES),
    ("np.nancumprod(a, axis=0)", HOLES),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_quantiles_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_quantiles_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
