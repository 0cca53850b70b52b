"""Composites compiled whole: several of a family in each function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import I8, X32, X, Z, agree

pytestmark = pytest.mark.slow

CASES: list[tuple[Any, ...]] = [
    (
        "return np.linspace(a,b,c), np.linspace(a,b,c,endpoint=False), np.linspace(a,b,c,dtype=int), np.arange(a,b,0.3), np.arange(c)",
        0.1,
        1.7,
        7,
    ),
    (
        "return np.array([[1.0,a],[b,2.0]]), np.array([a,b]), np.array(c), np.asarray([c[0],c[1]]), np.full((2,3),a)",
        0.5,
        2,
        X,
    ),
    ("return a.reshape(2,6), a.T.ravel(), a.flatten(), a.reshape(6,-1), a.ravel()", X),
    ("y=a[:]\ny.shape=(-1,b)\nreturn y", X, 6),
    (
        "return np.where(a>b,a,0), np.where(a[0]>0,a,c), np.clip(a,-1,b), np.clip(c,0,1), np.where(a,1,2)",
        X,
        2.5,
        X32,
    ),
    (
        "return np.flip(a), np.fliplr(a), np.rot90(a), np.moveaxis(a,0,1), np.expand_dims(a,0), np.broadcast_to(a,(2,3,4)), a.T",
        X,
    ),
    (
        "return np.concatenate([a,b]), np.stack([a,a],axis=-1), np.hstack([a,b]), np.vstack([a,a[0]]), np.column_stack([a[:,0],a])",
        X,
        X32,
    ),
    ("return np.diff(a), np.roll(a,1,axis=1), np.tile(a,2), np.repeat(a,2,axis=0), np.roll(a,b)", X, 5),
    ("return np.uint8(a), np.float32(a), np.int64(a), np.bool_(a), np.complex128(a)", 200),
    ("return a.real, a.imag, a.conj(), a.real*a.real+a.imag*a.imag", np.complex128(1 + 2j)),
    ("return a.real+a.imag, a.conj(), np.abs(a)", Z),
    ("return a.astype(int), a.astype(np.float32), a.copy(), np.copy(a.T), a.item(5), a[0].sum().item()", X),
    ("a.fill(b)\nreturn a.copy('K')", X.T, 2),
    (
        "return a.sum(), a.mean(axis=0), a.var(), a.std(axis=1,ddof=1), a.max(axis=1), a.argmin(), np.ptp(a), np.count_nonzero(a>0)",
        X,
    ),
    (
        "return a.sum(), a.mean(axis=0), a.var(), a.max(axis=1,keepdims=True), a.argmin(axis=1), (a>0).any(axis=0), a.mean()",
        X32,
    ),
    ("return a.sum(), a.mean(), a.max(), a.prod(), a.argmax(), np.bitwise_xor.reduce(a)", I8),
    (
        "return np.isclose(a,b), np.allclose(a,b), np.array_equal(a,a), np.round(a,2), np.round(a)",
        X,
        X + 1e-09,
    ),
    (
        "return a@a.T, np.dot(a,a.T), a[0]@a[1], np.outer(a[0],a[1]), np.inner(a,a), np.linalg.norm(a), np.linalg.norm(a,axis=1)",
        X,
    ),
    ("return np.eye(b), np.eye(3), np.tril(a), np.triu(a,1), np.diag(a), np.trace(a)", X, 4),
    ("return np.diag(a), np.tri(3), np.meshgrid(a,a[:2]), np.eye(20)", X[0]),
    (
        "return np.add(a,b,c), np.add(a,1,where=a>0,out=c), np.add(a,b,dtype=np.float32), np.add.outer(a[0],b), np.modf(a)",
        X,
        X[0],
        np.zeros((3, 4)),
    ),
    ("return a[:b].max(axis=0)", X, 0),
    ("return a[:b].argmin(axis=0)", X, 2),
    ("np.sqrt(a,out=a,where=a>0)", X),
    ("np.fill_diagonal(a,b)", X, 5.0),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0][:60])
def test_compiled_composites_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case, device="cpu")
