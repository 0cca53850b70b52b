"""Vectors of coefficients are converted what they are as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import agree

P = np.array([0.0, 2.0, -3.0, 0.5])

CASES: list[tuple[Any, ...]] = [
    ("np.polyder(a)", P),
    ("np.polyder(a, 2)", P.astype(np.int8)),
    ("np.polyder(a, 9)", P),
    ("np.polyder(a, 0)", P),
    ("np.polyint(a)", P),
    ("np.polyint(a, 2, b)", P.astype(np.float32), 3),
    ("np.polyint(a, 2, [1, 2])", P),
    ("np.polyint(a, 3, [1, 2])", P),
    ("np.polymul(a, b)", P, P[1:]),
    ("np.polymul(a, b)", P, P[:1]),
    ("np.polymul([1, 2], a)", P),
    ("np.convolve(a, b, 'same')", P, P[1:]),
    ("np.convolve(a[:int(b)], a, 'valid')", P, 2),
    ("np.convolve(a, b)", P, P[:0]),
    ("np.poly(a)", P),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_polynomials_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)
