"""NumPy's splits do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import pytest

from .agreement import X, agree, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("np.split(a,2,axis=1)", X),
    ("np.split(a,3)", X),
    ("np.split(a,[1,b])", X, 2),
    ("np.array_split(a,2)", X),
    ("np.array_split(a,5,axis=1)", X),
    ("np.split(a,2)", X),
    ("np.hsplit(a,2)", X),
    ("np.vsplit(a,3)", X),
    ("np.hsplit(a,2)", X[0]),
    ("np.vsplit(a,2)", X[0]),
    ("np.split([1, 2, b, 4], 2)", X, 3),
    ("np.split([0] * b, 2)", X, 4),
    ("np.array_split([1, b, 3], 2)", X, 3),
    ("for s in np.split(a,3):\n    b+=s.sum()\nreturn b", X, 0.0),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_splitting_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_splitting_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)


@pytest.mark.parametrize("case", CASES[::6], ids=lambda case: case[0])
def test_compiled_splitting_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case, device="cpu")
