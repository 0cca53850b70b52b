"""NumPy's cross products and integrals do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import pytest

from .agreement import I8, X, agree, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("np.cross(a,b)", X[:, :3], X[:, 1:]),
    ("np.cross(a,b)", X[0, :3], X[:, 1:]),
    ("np.cross(a,b)", X[0, :3], X[1, :3]),
    ("np.cross(a,b,axis=0)", X, X[::-1]),
    ("np.cross(a,[0,0,1])", X[0, :3]),
    ("np.cross(a,b)", X[0], X[0]),
    ("np.cross(a,b)", X[:, :3], I8[:3]),
    ("np.trapezoid(a)", X),
    ("np.trapezoid(a,dx=b)", X, 0.5),
    ("np.trapezoid(a,b)", X, X[0]),
    ("np.trapezoid(a,axis=0)", X),
    ("np.trapezoid(a,b)", X[1], X[0]),
    ("np.trapezoid(a,b,axis=0)", X, X),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_calculus_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_calculus_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)


@pytest.mark.parametrize("case", CASES[::6], ids=lambda case: case[0])
def test_compiled_calculus_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case, device="cpu")
