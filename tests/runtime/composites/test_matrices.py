"""NumPy's matrices do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import I8, X, agree, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("a.trace()", X),
    ("np.trace(a,1)", X),
    ("np.trace(a,-1)", X.astype(np.int8)),
    ("np.trace(a,b)", X, 1),
    ("np.diagonal(a,b)", X, -1),
    ("np.diagonal(a,b)", X, -5),
    ("np.diagonal(a,b,1,0)", X, 5),
    ("np.eye(a)", 3),
    ("np.eye(3)",),
    ("np.eye(a,b,k=1)", 3, 5),
    ("np.eye(a,dtype=int)", 0),
    ("np.eye(a)", -2),
    ("np.eye(20)",),
    ("np.identity(a)", 4),
    ("np.eye(a,order='F',k=-1)", 3),
    ("np.eye(a,k=b)", 3, -1),
    ("np.eye(a)", 2.5),
    ("np.tri(a)", 3),
    ("np.tril(a)", X),
    ("np.triu(a,1)", X),
    ("np.triu(a,-1)", I8.reshape(3, 4)),
    ("np.tril(a,b)", X.T, 1),
    ("np.triu(a)", X[0]),
    ("np.triu(a)", np.arange(24.0).reshape(2, 3, 4)),
    ("np.diag(a)", X),
    ("np.diag(a,1)", X),
    ("np.diag(a,-1)", X),
    ("np.diag(a)", X[0]),
    ("np.diag(a,2)", X[0]),
    ("np.diag(a,-1)", X[0]),
    ("a.diagonal()", X),
    ("np.diagonal(a,1)", X),
    ("np.diagonal(a,0,1,2)", np.arange(24.0).reshape(2, 3, 4)),
    ("np.fill_diagonal(a,b)", X, 5.0),
    ("np.fill_diagonal(a,b)", X.T.copy(), 5.0),
    ("np.fill_diagonal(a,b)", X.T.copy(), X[0, :2].copy()),
    ("np.fill_diagonal(a,b,True)", X, 5.0),
    ("np.fill_diagonal(a,b)", np.zeros((3, 3, 3)), 5.0),
    ("np.fill_diagonal(a,[1,2])", np.zeros((4, 4, 4, 4))),
    ("np.fill_diagonal(a,b)", np.zeros((2, 3, 3)), 5.0),
    ("np.fill_diagonal(a,b)", X[0], 5.0),
    ("np.fill_diagonal(a,[])", X),
    ("np.diagflat(a)", X[:2, :2]),
    ("np.meshgrid(a,b)", X[0], X[:, 0]),
    ("np.meshgrid(a,b,indexing='ij')", X[0], X[:, 0]),
    ("np.meshgrid(a,b,sparse=True)", X[0], X[:, 0]),
    ("np.meshgrid(a,b,sparse=True,copy=False)", X[0], X[:, 0]),
    ("np.indices((2,a))", 3),
    ("np.indices((2,a),sparse=True)", 3),
    ("np.triu_indices(3)",),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_matrices_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_matrices_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
