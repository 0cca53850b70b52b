"""Elements counted converted are counted as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import I8, X32, X, agree, in_layouts

SOME = np.array([3, 1, 4, 1, 5, 9, 2, 6])
EDGES = np.arange(-3.0, 4.0)

CASES: list[tuple[Any, ...]] = [
    ("np.bincount(a)", SOME),
    ("np.bincount(a, minlength=20)", SOME),
    ("np.bincount(a, minlength=b)", SOME, 3),
    ("np.bincount(a, weights=b)", SOME, np.linspace(0, 1, 8)),
    ("np.bincount(a, b, 12)", SOME, SOME),
    ("np.bincount(a)", SOME.astype(np.uint8)),
    ("np.bincount(a > 2)", SOME),
    ("np.bincount(a)", np.array([-1, 2])),
    ("np.bincount(a)", SOME[:0]),
    ("np.bincount(a).argmax()", SOME),
    ("np.digitize(a, b)", X, EDGES),
    ("np.digitize(a, b, right=True)", X32, EDGES),
    ("np.digitize(a, b)", 0.5, EDGES),
    ("np.digitize(a, b)", X, EDGES[[1, 0, 2]]),
    ("np.histogram(a)", X),
    ("np.histogram(a)", np.array([-7.5, -0.0, -2])),
    ("np.histogram(a)", np.array([0.0, 1, 2])),
    ("np.histogram(a)", np.array([-0.0, 1, 2])),
    ("np.histogram(a)", np.array([0.0, -1, -0.1])),
    ("np.histogram(a, 5)", I8),
    ("np.histogram(a, bins=b)", X32, 6),
    ("np.histogram(a, bins=5, range=(0, 4))", X),
    ("np.histogram(a, bins=5, range=(b, 4))", X, -2.0),
    ("np.histogram(a, b)", X, EDGES),
    ("np.histogram(a, b)", X, EDGES[::-1].copy()),
    ("np.histogram(a, [0, 1, 2])", X),
    ("np.histogram(a, 4, density=True)", X),
    ("np.histogram(a, 4, weights=b)", X[0], X[1]),
    ("np.histogram(a, b)", X, 0),
    ("np.histogram(a, 3)", np.full(4, 2, np.float32)),
    ("np.histogram(a, 3)", np.full(4, 2)),
    ("np.histogram(a, 3)", np.array([1.0, np.inf])),
    ("np.histogram(a, 3, range=(b, 2.5))", X32, 2.5),
    ("np.histogram(a, 'auto')", X),
    ("np.histogram2d(a, b, 3)", X[0], X[1]),
    ("np.histogram2d(a, b, [2, [0, 1, 3]], weights=a)", X[0], X[1]),
    ("np.histogramdd(a, (2, 3, 2, 2), density=True)", X),
    (
        "counts, edges = np.histogram(a, bins=b)\nreturn counts / counts.sum(), (edges[1:] + edges[:-1]) / 2",
        X,
        6,
    ),
    ("np.histogram_bin_edges(a, 4)", X),
    ("np.repeat(a, b)", X[0], np.array([1, 0, 2, 3])),
    ("np.repeat(a, [1, 2, 0], axis=0)", X),
    ("np.repeat(a, b, axis=1)", X, np.array([1, 0, 2, 3])),
    ("np.repeat(a, b)", X[0], np.array([1, -1, 2, 3])),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_counts_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_counts_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
