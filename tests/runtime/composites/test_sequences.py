"""NumPy's sequences do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import X, agree, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("np.array([[1.0,a],[0.0,1.0]])", 0.5),
    ("np.array([a,b])", 1, 0.5),
    ("np.array([a,b])", X, X),
    ("np.array([a[0],b[1]])", X, X),
    ("np.array([a,b],np.float32)", 1, 0.5),
    ("np.array((a,[b,2]))", X[0, :2], 3),
    ("np.array([[a],[1,2]])", 1),
    ("np.array(a)", X.T),
    ("np.array(a,order='C')", X.T),
    ("np.array(a,copy=False)", X.T),
    ("np.asarray(a)", X),
    ("np.array(a,copy=np._CopyMode.IF_NEEDED),np.array(a,copy=np._CopyMode.ALWAYS)", X),
    ("np.asarray(a,copy=np._CopyMode.NEVER)", X),
    ("np.asarray(a,dtype=np.float32)", X.T),
    ("np.array(a,ndmin=3)", X),
    ("np.array(a)", 3.0),
    ("np.asarray(a)", 3),
    ("np.ascontiguousarray(a)", X.T),
    ("np.ascontiguousarray(a)", X),
    ("np.asfortranarray(a)", X),
    ("np.asfortranarray(a)", np.float64(3)),
    ("y=np.asfortranarray(a)\nreturn y, y is a", np.asfortranarray(X)),
    ("y=np.asfortranarray(a)\nreturn y, y is a", X[0]),
    ("np.asfortranarray(a[0,0,...])", X[None]),
    ("y=np.asfortranarray(a)\nreturn y, y is a, np.asarray(a,order='F') is a", X[:0]),
    ("b=a.T\nreturn np.ascontiguousarray(b) is b, np.asfortranarray(b) is b", X[:, :0]),
    ("np.array(a.T,order='A'),np.array(a.T,np.float32,order='A'),a.T.astype(np.float32,order='A')", X),
    ("a.T.copy('A'),np.zeros_like(a.T,order='A'),np.copy(a,'A'),np.asarray(a.T,np.float32,order='A')", X),
    ("np.array([a,b])", X, X[:2]),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_sequences_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_sequences_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
