"""What NumPy converts arguments by gives converted what it gives as it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import X, agree

CASES: list[tuple[Any, ...]] = [
    ("np.insert(a, 1, b)", X[0], 2.5),
    ("np.insert(a, [0, 2], b, axis=1)", X, 2.5),
    ("np.delete(a, [0, -1])", X[0]),
    ("np.delete(a, slice(None, None, 2), axis=1)", X),
    ("np.unique(a)", np.float64(3)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_functions_that_convert_their_arguments_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)
