"""NumPy's reshaping do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import pytest

from .agreement import X, agree, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("a.reshape(b,-1)", X, 6),
    ("a.reshape(-1,b)", X, 5),
    ("a.reshape(-1,b)", X, 0),
    ("a.reshape(b)", X, 12),
    ("a.reshape((2,6))", X),
    ("a.reshape(-1)", X),
    ("a.reshape(-1)", X.T),
    ("a.ravel()", X),
    ("a.ravel()", X.T),
    ("a.flatten()", X),
    ("a.flatten('F')", X),
    ("a.T.ravel()", X),
    ("a[:,:2].ravel()", X),
    ("a[:2].ravel()", X),
    ("a.reshape(3,1,4)", X.T.reshape(4, 3).T),
    ("a.reshape(1,3,1,4,1)", X),
    ("a.reshape(6,2)", X),
    ("a.reshape(5,2)", X),
    ("a.reshape(-1,-1)", X),
    ("np.reshape(a,(4,3))", X),
    ("a.reshape(len(a)*4)", X),
    ("y=a[:]\ny.shape=(-1,b)\nreturn y", X, 6),
    ("y=a[:]\ny.shape=(4,-1)\ny[0]=1\nreturn y.shape", X),
    ("y=a[:]\ny.shape=(5,-1)\nreturn y", X),
    ("y=a.ravel()\ny[0]=5\nreturn y", X),
    ("y=a.T.ravel()\ny[1]=5\nreturn y", X),
    ("y=a.reshape(2,6)\ny[1]=5\nreturn a", X),
    ("y=a.flatten()\ny[1]=5\nreturn a", X),
    ("np.shape(a)", X),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_reshaping_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_reshaping_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
