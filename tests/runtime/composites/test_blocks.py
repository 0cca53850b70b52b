"""Arrays of blocks are converted what they are as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import X, agree

CASES: list[tuple[Any, ...]] = [
    ("np.block([[a, b], [b, a]])", X, X + 1),
    ("np.block([a[0], 1, b])", X, np.array([2, 3])),
    ("np.block([[a, a[:, :1]], [b]])", X, np.zeros((2, 5), np.float32)),
    ("np.block([[1, 2], [b, 4]])", X, 3.5),
    ("np.block([[[a]], [[a]]])", X),
    ("np.block(a)", X),
    ("np.block(b)", X, 2.5),
    ("np.block([[a.T, a.T]])", X),
    ("np.block([[a, a], [a]])", X),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_blocks_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)
