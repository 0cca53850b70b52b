"""NumPy's copies do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import I8, X, agree, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("a.astype(int)", X),
    ("a.astype(np.float32)", X.T),
    ("a.astype(float)", X),
    ("a.astype(bool)", X),
    ("a.astype(int)", np.float64(2.5)),
    ("a.astype(np.complex64)", X),
    ("a.copy()", X.T),
    ("a.copy('K')", X.T),
    ("np.copy(a)", X.T),
    ("np.copy(a)", 2.5),
    ("a.fill(b)", X, 2),
    ("a[1].fill(3)", X),
    ("np.copyto(a,b)", X, 2),
    ("np.copyto(a,b)", X.astype(int), X),
    ("a.item()", X[:1, :1]),
    ("a.item(5)", X),
    ("a.item(1,2)", X),
    ("a.item()", X),
    ("a.tolist()", X),
    ("a.item()", np.uint8(3)),
    ("a[0].tolist()", I8),
    ("a.copy(None)", X.T),
    ("a.copy(1)", np.int8(3)),
    ("a.copy('q')", np.int8(3)),
    ("a.copy('F')", np.int8(3)),
    ("a.item(0)", np.int8(3)),
    ("a.item(1)", np.int8(3)),
    ("a.item('x')", np.int8(3)),
    ("a.item(None)", np.int8(3)),
    ("a.item((0, 0))", np.int8(3)),
    ("a.item(False)", np.int8(3)),
    ("a.view(None)", X),
    ("a.view(None)", np.uint64(3)),
    ("a.astype(b)", X, I8),
    ("a.astype(b)", X, np.float32(1)),
    ("np.zeros(2, b)", X, I8),
    ("np.zeros(2, b)", X, 3),
    ("a.dumps()", np.int8(3)),
    ("a.dumps()", np.float64(3)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_copies_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_copies_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
