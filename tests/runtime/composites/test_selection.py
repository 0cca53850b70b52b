"""NumPy's selection do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...end_to_end.comparison import call, compare
from .agreement import F32, I8, X, agree, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("np.select([a, a], [b, b])", np.True_, 3),
    ("np.select([a], [b], 5)", False, 3.0),
    ("np.where(a>b,a,0)", X, 5),
    ("np.where(a>5,a,a.T)", X[:3, :3]),
    ("np.where(a,1,2)", 3),
    ("np.where(a,a,b)", X.T, F32(2)),
    ("np.where(a,b,1.5)", X, I8[:4]),
    ("np.where(a>1,a,300)", I8),
    ("np.where(a,a,a.T[0])", X),
    ("np.where(a>0,b,c)", X, 1, 2.5),
    ("np.where(a[0]>0,a,b)", X, True),
    ("np.clip(a,2,5)", X),
    ("a.clip(2,b)", X, 7.5),
    ("np.clip(a,-300,b)", I8, 3),
    ("np.clip(a,b,300)", I8, -3),
    ("np.clip(a,0,1)", 2.5),
    ("np.clip(a,0,1)", F32(2.5)),
    ("np.clip(a,1,2,out=b)", X, X.copy()),
    ("np.clip(a,1,2,a)", X),
    ("np.clip(a,None,None)", X),
    ("np.clip(a,b,c)", X, X[0] - 1, X[0] + 2),
    ("np.copyto(a,b,where=a>3)", X, 2),
    ("np.select([a>3,a>1],[a,2*a],-1)", X),
    ("np.select([a>3,a>1],[a,2],b)", X.astype(np.int8), 1),
    ("np.select([a>3,a>1],[a,2])", abs(X).astype(np.uint8)),
    ("np.select([a>3,a>1],[a,b])", abs(X).astype(np.uint8), 2),
    ("np.select([a>3],[a],2)", abs(X).astype(np.uint8)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_selection_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_selection_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)


def labels(a):
    return np.where(a > 2, "x", "f8"), np.select([a > 2], [b"x"], b"y")


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_text_to_choose_from_is_text_and_left_to_numpy() -> None:
    converted = convert(labels, device="host")
    compare(call(labels, (X,)), call(converted, (X,)))
    assert "S122-dtype" in converted.explain()
