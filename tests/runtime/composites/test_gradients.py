"""Gradients do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import I8, X32, X, Z, agree, in_layouts

PLACES = np.array([0.0, 1.0, 1.5, 4.0])

CASES: list[tuple[Any, ...]] = [
    ("np.gradient(a)", X),
    ("np.gradient(a)", X32[0]),
    ("np.gradient(a)", I8),
    ("np.gradient(a)", Z),
    ("np.gradient(a, 2.0)", X),
    ("np.gradient(a, b)", X32, 0.3),
    ("np.gradient(a, b, 2)", X, 0.3),
    ("np.gradient(a, axis=0)", X),
    ("np.gradient(a, axis=(1, 0))", X),
    ("np.gradient(a, b, axis=1)", X, PLACES),
    ("np.gradient(a, b)", X[0], PLACES),
    ("np.gradient(a, b)", X[0], np.arange(4.0)),
    ("np.gradient(a, b)", X[0], PLACES[:3]),
    ("np.gradient(a, edge_order=2)", X),
    ("np.gradient(a, b, edge_order=2)", X32, 0.7),
    ("np.gradient(a, b, edge_order=c)", X[0], PLACES, 1),
    ("np.gradient(a, b, edge_order=c)", X[0], PLACES, 2),
    ("np.gradient(a)", X[:1]),
    ("np.gradient(a, 1.0, 2.0, 3.0)", X),
    ("dy, dx = np.gradient(a)\nreturn np.hypot(dx, dy)", X),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_gradients_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_gradients_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
