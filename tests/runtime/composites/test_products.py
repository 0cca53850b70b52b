"""NumPy's products do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import I8, X32, X, Z, agree, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("c = np.array(0.0)\nr = np.dot(a, b, c)\nreturn r, c", X[0], X[1]),
    ("np.dot(a,b)", X, X.T),
    ("np.dot(a,b)", X[0], X[1]),
    ("a.dot(b)", X, X[0]),
    ("a@b", X, X.T),
    ("a@b", X[0], X[1]),
    ("a@b", X, X[0]),
    ("a@b", X[:, 0], X),
    ("a@b", X, X),
    ("a@b", X[0], X[:, 0]),
    ("a@b", X, X32.T),
    ("a@b", I8.reshape(3, 4), I8.reshape(4, 3)),
    ("np.dot(a,b)", X, X),
    ("np.dot(a,b)", X[0], X[:, 0]),
    ("np.dot(a,b)", 2.0, 3),
    ("np.vdot(a,b)", X, X),
    ("np.vdot(a,b)", X, X[0]),
    ("np.vdot(a,b)", X[0], X),
    ("np.inner(a,b)", X, X),
    ("np.inner(a,b)", X[0], X[1]),
    ("np.inner(a,b)", X, X[:, :2]),
    ("np.outer(a,b)", X[0], X[1]),
    ("np.outer(a,b)", X[0], [1, 2]),
    ("np.outer(a,b,out=c)", X[0], X[1], np.zeros((4, 4))),
    ("a@2", X),
    ("2@a", X),
    ("np.dot(a,b,out=c)", X, X.T, np.zeros((3, 3))),
    ("np.linalg.norm(a)", X),
    ("np.linalg.norm(a)", X32),
    ("np.linalg.norm(np.array(a), keepdims=True)", 2.5),
    ("np.linalg.norm(a, keepdims=True)", X),
    ("np.linalg.norm(a,axis=1)", X),
    ("np.linalg.norm(a,axis=0,keepdims=True)", X),
    ("np.linalg.norm(a,1)", X[0]),
    ("np.linalg.norm(a,np.inf)", X[0]),
    ("np.linalg.norm(a,axis=1)", Z),
    ("np.linalg.norm(a,ord=np.inf,axis=1)", X),
    ("np.linalg.norm(a)", I8),
    ("np.linalg.norm(a[0]-b)", X, X[1]),
    ("np.linalg.norm(a,keepdims=True)", X.T),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_products_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_products_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_a_norm_that_numpy_gives_as_a_number_is_one(device: str) -> None:
    agree("np.linalg.norm(a, ord='nuc')", X, device=device)
    agree("np.linalg.norm(a, ord='nuc') * 2 + b", X, 1.0, device=device)


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_norms_of_nothing_are_those_of_numpy(device: str) -> None:
    for body in (
        "np.linalg.norm(a, np.inf)",
        "np.linalg.norm(b, np.inf, axis=1), np.linalg.norm(b, np.inf, axis=1, keepdims=True)",
        "np.linalg.vector_norm(a, ord=np.inf)",
        "np.linalg.norm(a, 1), np.linalg.norm(a, 0), np.linalg.norm(a), np.linalg.norm(a, 3)",
    ):
        agree(body, np.empty(0), np.empty((2, 0)), device=device)
        agree(body, X[0], X, device=device)
    agree("np.linalg.norm(a, np.inf)", np.array([np.nan, 1.0, -3.0]), device=device)
