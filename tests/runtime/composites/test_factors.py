"""Factors of matrices do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import X32, X, Z, agree, in_layouts

SQUARE = X @ X.T + 10 * np.eye(3)
SEVERAL = np.array([SQUARE, SQUARE.T * 2])
INTEGERS = np.array([[4, 1], [1, 3]])

CASES: list[tuple[Any, ...]] = [
    ("np.linalg.qr(a)", X),
    ("np.linalg.qr(a)", X32.T.copy()),
    ("q, r = np.linalg.qr(a)\nreturn r, q * 2", X),
    ("np.linalg.qr(a, mode='complete')", X.T.copy()),
    ("np.linalg.qr(a, 'r')", X),
    ("np.linalg.qr(a)", SEVERAL),
    ("np.linalg.svd(a)", X),
    ("np.linalg.svd(a, full_matrices=False)", X32),
    ("u, s, v = np.linalg.svd(a, full_matrices=False)\nreturn (u * s) @ v", X),
    ("np.linalg.svd(a, compute_uv=False)", X),
    ("np.linalg.svdvals(a)", Z),
    ("np.linalg.svd(a).S", INTEGERS),
    ("np.linalg.eigh(a)", SQUARE),
    ("w, v = np.linalg.eigh(a, 'U')\nreturn v[:, ::-1][:, :2], w.sum()", SQUARE),
    ("np.linalg.eigh(a)", SEVERAL),
    ("np.linalg.eigh(a)", X),
    ("np.linalg.eigh(a)", INTEGERS),
    ("np.linalg.lstsq(a, b, rcond=None)", X.T.copy(), X[0]),
    ("np.linalg.lstsq(a, b, rcond=None)", X, X[:, :2].copy()),
    ("np.linalg.lstsq(a, b, rcond=c)", X32.T.copy(), X32[0], 1e-6),
    ("coefficients, *_ = np.linalg.lstsq(a, b, rcond=None)\nreturn coefficients + 1", X.T.copy(), X[0]),
    ("np.linalg.pinv(a)", X),
    ("np.linalg.pinv(a, rcond=b)", X32, 1e-4),
    ("np.linalg.slogdet(a)", SQUARE),
    ("sign, size = np.linalg.slogdet(a)\nreturn sign * size", SEVERAL),
    ("np.linalg.slogdet(a)", X),
    ("np.linalg.cond(a)", SQUARE),
    ("np.linalg.cond(a, 1)", SQUARE),
    ("np.linalg.cond(a, 'fro')", SQUARE),
    ("np.linalg.matrix_rank(a)", X),
    ("np.linalg.matrix_rank(a, tol=b)", X, 1e-3),
    ("np.linalg.matrix_rank(a)", SEVERAL),
    ("np.linalg.inv(a)", SEVERAL),
    ("np.linalg.inv(a)", np.zeros((2, 2))),
    ("np.linalg.det(a)", SEVERAL),
    ("np.linalg.solve(a, b)", SEVERAL, SEVERAL),
    ("np.linalg.cholesky(a)", np.array([SQUARE, SQUARE + np.eye(3)])),
    ("np.linalg.cholesky(a)", -SQUARE),
    ("np.linalg.eigvalsh(a)", SEVERAL),
    ("np.linalg.norm(a, 1)", X),
    ("np.linalg.norm(a, -np.inf)", X),
    ("np.linalg.norm(a, 2)", X),
    ("np.linalg.norm(a, 'nuc')", X32),
    ("np.linalg.norm(a, 3)", X[0]),
    ("np.linalg.norm(a, b, axis=1)", X, 3),
    ("np.linalg.norm(a, axis=(0, 1), keepdims=True)", X),
    ("np.linalg.norm(a, axis=(1, 2))", SEVERAL),
    ("np.linalg.matrix_power(a, 3)", SQUARE),
    ("np.linalg.matrix_power(a, -2)", SQUARE),
    ("np.linalg.qr(a)", X[0]),
    ("np.linalg.svd(a)", X[:0]),
    ("np.polyfit(a, b, 2)", X[0], X[1]),
    ("np.polyfit(a, b, 1)", X[0], X[1]),
    ("np.polyfit(a, b, 1, cov=True)", X[0], X[1]),
    ("np.polyfit(a, np.stack([b, b * 2], 1), 1, cov=True)", X[0], X[1]),
    ("np.polyfit(a, b, 1, cov='unscaled', w=a + 9)", X[0], X[1]),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_factors_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_factors_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
