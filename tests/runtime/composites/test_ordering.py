"""Partitions and orders by keys do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import I8, X32, X, agree, in_layouts

KEYS = np.array([2.0, 1.0, 2.0, 0.0])

CASES: list[tuple[Any, ...]] = [
    ("np.partition(a, 2)", X),
    ("np.partition(a, b, axis=0)", X32, 1),
    ("np.partition(a, [0, 2])", I8),
    ("np.partition(a, 3, axis=None)", X),
    ("np.partition(a, 9)", X),
    ("np.argpartition(a, 2)", X),
    ("np.argpartition(a, -3)[-3:]", X[0]),
    ("a.partition(1)\nreturn a", X[::-1].copy()),
    ("a.argpartition(2, axis=0)", X),
    ("np.lexsort((a, b))", X[0], KEYS),
    ("np.lexsort([a, b])", KEYS, I8[:4]),
    ("np.lexsort(a)", X),
    ("np.sort(a, axis=None)", X),
    ("np.sort(a)", X.T),
    ("np.sort(a, axis=0)", X[:, ::2]),
    ("np.argsort(a, axis=None)", X[::-1]),
    ("np.searchsorted(a, 3)", np.arange(5.0)),
    ("np.searchsorted(a, b, side='right')", np.arange(5), X[0]),
    ("np.searchsorted(a, b, sorter=c)", X[0][::-1].copy(), X[1], np.array([3, 2, 1, 0])),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_orders_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_orders_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
