"""NumPy's ufuncs do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ..arrays.agreement import agree as agreeing
from .agreement import F32, I8, NONE, X32, X, Z, agree, function_of, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("a.ravel(order='F')", X),
    ("a.ravel(order='F')", X.T),
    ("a.ravel(order='K')", X.T),
    ("a.clip(min=3)", X),
    ("a.clip(max=3)", X),
    ("a.dtype==np.float64", X),
    ("a.astype(float,copy=False)", X),
    ("a.astype('i4',casting='safe')", X),
    ("a.max(axis=1)", NONE),
    ("a.argmin(axis=1)", NONE),
    ("a[:b].max(axis=0)", X, 0),
    ("a[:b].argmin(axis=0)", X, 0),
    ("a[:b].argmin(axis=1)", X, 0),
    ("a[:b].max(axis=1)", X, 0),
    ("a.sum(initial=5)", X.astype(int)),
    ("a.max(initial=b)", X, 4.0),
    ("a.max(axis=0,initial=100.)", X),
    ("a.sum(where=a>0)", X.astype(int)),
    ("a.max(where=a>0,initial=-1)", X),
    ("a.min(where=a>0)", X),
    ("a.mean(dtype=np.float32)", X),
    ("a.mean(axis=0,out=b)", X, np.zeros(4)),
    ("a.var(ddof=1)", X),
    ("a.std(axis=0,ddof=1)", X32),
    ("a.var(axis=1)", Z.astype(np.complex64)),
    ("a.var(axis=0,keepdims=True)", X),
    ("np.add(a,b)", X, X[0]),
    ("np.add(a,b,c)", X, X[0], np.zeros((3, 4))),
    ("np.add(a,b,out=c)", X, X[0], np.zeros((3, 4))),
    ("np.add(a,b,out=(c,))", X, X[0], np.zeros((3, 4))),
    ("np.add(a,b,c)", X, X32, np.zeros((3, 4), F32)),
    ("np.add(a,b,c,casting='unsafe')", X, X32, np.zeros((3, 4), int)),
    ("np.add(a,b,c)", X, X32, np.zeros((3, 4), int)),
    ("np.add(a,b,c)", X, X[0], np.zeros(4)),
    ("np.add(a,b,c)", X[0], X[0], np.zeros((2, 4))),
    ("np.add(a,b,c)", X[0], X[0], np.zeros(3)),
    ("np.add(a,1,where=a>0,out=b)", X, X.copy()),
    ("np.add(a,1,where=a[0]>0,out=b)", X, X.copy()),
    ("np.add(a,1,where=a>0,out=b)", X[0], X.copy()),
    ("np.add(a,1,out=b,where=[True,False,True,False])", X, X.copy()),
    ("np.add(a,1,out=b,where=a)", X, X.copy()),
    ("np.sqrt(a,out=a,where=a>0)", X),
    ("np.divide(a,b,out=np.zeros_like(a),where=b!=0)", X, np.round(X) * (X > 2)),
    ("np.add(a,b,dtype=np.float32)", X, X[0]),
    ("np.add(a,b,dtype=np.float64)", I8, I8),
    ("np.add(a,b,dtype='f4')", I8, 2),
    ("np.sqrt(a,dtype=np.float32)", I8 + 6),
    ("np.add(a,b,dtype=np.int8)", X, X),
    ("np.add(a,b,dtype=np.int8,casting='unsafe')", X, X),
    ("np.multiply(a,b,casting='no')", X, X32),
    ("np.multiply(a,b,casting='safe')", X, X32),
    ("np.add([1,2],a)", X[:, :2]),
    ("np.add(a,(1,2,3,4))", X),
    ("np.add(a,[b,1,2,3])", X, 2.0),
    ("np.hypot(a,2)", 3.0),
    ("np.sqrt(a)", 4),
    ("np.exp(a)", [1, 2, 3]),
    ("np.add(1,2)+a", 3),
    ("np.maximum(a,b)", 1, 2.5),
    ("np.add(a)", X),
    ("np.add(a,a,a,a)", X),
    ("np.add.outer(a,b)", X[0], X[1]),
    ("np.subtract.outer(a,b)", X, X[0]),
    ("np.multiply.outer(a,b)", X[0], 2),
    ("np.divmod(a,b)", X, 2),
    ("np.modf(a)", X),
    ("np.frexp(a)", X),
    ("np.modf(a,b,c)", X[0], np.zeros(4), np.zeros(4)),
    ("np.divmod(a,b)", 7, 3),
    ("divmod(a,b)", X, 2.0),
    ("np.abs(a)", Z),
    ("np.sign(a)", X),
    ("np.power(a,2)", X),
    ("a**2", X32),
    ("np.square(a)", I8),
    ("np.conj(a)", Z),
    ("np.floor_divide(a,b)", I8, 3),
    ("np.left_shift(a,b)", I8, 1),
    ("np.logical_and(a,b)", X, I8[:4]),
    ("np.arctan2(a,b)", X, X[0]),
    ("np.isnan(a)", X),
    ("np.signbit(a)", X32),
    ("np.deg2rad(a)", X),
    ("np.bitwise_count(a)", I8),
    ("np.copysign(a,-1)", X),
    ("np.nextafter(a,b)", X, 0),
    ("np.ldexp(a,b)", X, 2),
    ("np.gcd(a,4)", I8),
    ("np.float_power(a,2)", I8),
    ("np.heaviside(a,.5)", X),
    ("np.spacing(a)", X),
    ("np.logaddexp(a,b)", X, X[0]),
    ("np.cbrt(a)", X),
    ("np.fmax(a,b)", X, X[0]),
    ("np.positive(a)", X),
    ("np.add(a,b)", X, X[:, :2]),
    ("np.add(a,b,subok=False)", X, X),
    ("np.add(a,b,order='C')", X.T, X.T),
    ("np.add(a,b,order='F')", X, X),
    ("np.add(a,b)", X.T, X.T),
    ("np.add(a,b,order='K')", X.T, X.T),
    ("a+=b\nreturn a", X, X[0]),
    ("a+=[1,2,3,4]\nreturn a", X),
    ("a[1:]+=a[:-1]", X),
    ("a+=b", I8, 2.5),
    ("a/=b", I8, 2),
    ("a//=b", I8, 2),
    ("a*=b", X, 1j),
    ("a<<=b", I8, 1),
    ("a@=b", X[:, :3], np.eye(3)),
    ("a+=b", X32, X),
    ("a+=b", X[0], X),
    ("a**=2", X),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_ufuncs_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_ufuncs_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)


@pytest.mark.parametrize(
    "other", [np.ones((3, 1)), np.ones((3, 3)), np.ones((2, 3, 3)), np.ones((3, 2)), np.ones(3)], ids=np.shape
)
@pytest.mark.parametrize(
    "own",
    [np.ones((3, 3)), np.ones((1, 3)), np.ones(3), np.ones((2, 1, 3)), np.ones((2, 3, 3))],
    ids=np.shape,
)
def test_a_product_of_matrices_in_place_repeats_no_rows_and_columns(own: Any, other: Any) -> None:
    agreeing(function_of("a @= b\nreturn a", "a, b"), (own, other), strict=False)
