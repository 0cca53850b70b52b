"""NumPy's creation do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import pytest

from .agreement import X, agree, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("np.full((2,a),b)", 3, 2.5),
    ("np.full((2,a),b,dtype=int)", 3, 2.5),
    ("np.zeros_like(a)", X.T),
    ("np.zeros_like(a,order='C')", X.T),
    ("np.full_like(a,b)", X, 3),
    ("np.ones(a,int)", 4),
    ("np.ndarray((a,2),np.uint8).shape", 3),
    ("np.empty(a).shape", -3),
    ("np.ones_like(a)", 2.5),
    ("np.full(a,b)", 3, X[0, :1]),
    ("np.zeros((len(a),2)).shape", X),
    ("np.zeros((a[0,0]>0,2))", X),
    ("a.reshape([True,-1])", X),
    ("np.empty((2,3)).size",),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_creation_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_creation_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
