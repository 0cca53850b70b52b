"""NumPy's statistics do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import X, Z, agree, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("a.var()", Z),
    ("np.std(a,correction=1)", X),
    ("np.std(a,dtype=int)", X),
    ("np.std(a,0,dtype=int)", X),
    ("np.average(a,weights=b)", X, np.abs(X) + 1),
    ("np.average(a,axis=0)", X),
    ("np.average(a,weights=b)", X[0], [1, 2, 3, 4]),
    ("a.var()+a.T.std()", X),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_statistics_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_statistics_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
