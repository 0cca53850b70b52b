"""Covariances do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import I8, X32, X, Z, agree, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("np.cov(a)", X),
    ("np.cov(a)", X32),
    ("np.cov(a)", I8.reshape(3, 4)),
    ("np.cov(a)", Z),
    ("np.cov(a, rowvar=False)", X),
    ("np.cov(a.T)", X),
    ("np.cov(a, b)", X[0], X[1]),
    ("np.cov(a, b)[0, 1]", X[0], X[1]),
    ("np.cov(a)", X[0]),
    ("np.cov(a, bias=True)", X),
    ("np.cov(a, ddof=0)", X),
    ("np.cov(a, b)", X, X[0]),
    ("np.corrcoef(a)", X),
    ("np.corrcoef(a, b)", X[0], X[1] ** 2),
    ("np.corrcoef(a, b)[0, 1]", X32[0], X32[1]),
    ("np.corrcoef(a, rowvar=False)", X**2),
    ("np.corrcoef(a)", X[0]),
    ("np.average(a, weights=b, returned=True)", X, np.abs(X)),
    ("np.average(a, axis=0)", X[:, :0]),
    ("np.average(a, axis=1, returned=True)", X[:, :0]),
    ("np.average(a, axis=0, weights=b)", X, np.array([1.0, 2, 3])),
    ("np.average(a, axis=1, weights=b, returned=True)", X32, np.array([1, 2, 3, 4])),
    ("np.average(a, axis=0, returned=True)", X),
    ("np.average(a, returned=True)", I8),
    ("np.average(a, axis=0, weights=b)", X, np.zeros(3)),
    ("np.isclose(a, b, rtol=c)", X, X + 1e-9, 1e-5),
    ("np.allclose(a, b, c, d)", X, X + 1, 1e-5, 1e-8),
    ("np.allclose(a, b, atol=c)", X32, X, 1e-3),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_covariances_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_covariances_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
