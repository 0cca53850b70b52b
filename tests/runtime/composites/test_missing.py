"""NumPy's functions that pass over NaN do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import I8, agree, in_layouts

HOLES = np.array([[np.nan, 1.0, 2.0], [3.0, np.nan, -np.inf]])
INFINITE = np.array([[np.nan, 1.0, 2.0], [3.0, np.inf, -4]])

CASES: list[tuple[Any, ...]] = [
    ("np.nansum(a)", HOLES),
    ("np.nansum(a,axis=0)", HOLES),
    ("np.nanmax(a,axis=0)", INFINITE),
    ("np.nanmin(a)", HOLES),
    ("np.nanmean(a,axis=1)", INFINITE),
    ("np.nanmean(a)", INFINITE),
    ("np.nanprod(a)", INFINITE),
    ("np.nansum(a)", I8),
    ("np.nanmax(a)", I8),
    ("np.nanmean(a)", np.array([np.nan])),
    ("np.nanmean(a)", I8),
    ("np.nan_to_num(a)", HOLES),
    ("np.nan_to_num(a,nan=1,posinf=2,neginf=3)", HOLES),
    ("np.nan_to_num(a)", I8),
    ("np.nan_to_num(a)", np.float64(np.inf)),
    ("np.nan_to_num(a)", 2.5),
    ("np.nan_to_num(a)", HOLES.astype(np.float32)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_missing_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_missing_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)


@pytest.mark.parametrize("case", CASES[::6], ids=lambda case: case[0])
def test_compiled_missing_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case, device="cpu")
