"""NumPy's scalars do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import F32, I8, X, Z, agree, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("np.uint8(a)", 300),
    ("np.uint8(a)", 200),
    ("np.uint8(a)", 200.7),
    ("np.float32(a)", 1),
    ("np.float64(a)", F32(2)),
    ("np.uint32(0xFFFFFFF0)+a", np.uint32(5)),
    ("np.int64(a)", 2.5),
    ("np.int64(a)", np.float64(2.5)),
    ("np.uint8(a)", np.int64(300)),
    ("np.float32(a)", X),
    ("np.bool_(a)", 2.5),
    ("np.complex128(a)", 2.5),
    ("np.float64(a)", [1, 2]),
    ("np.int64(a)", float("nan")),
    ("np.uint8(a)", 300.0),
    ("a.real", 1 + 2j),
    ("a.imag", 1 + 2j),
    ("a.real", 2.5),
    ("a.imag", 3),
    ("a.imag", X),
    ("a.transpose(1,0,2).imag", np.arange(24.0).reshape(2, 3, 4)),
    ("y=a.imag\ny[0]=1\nreturn y", X),
    ("a.real", np.complex64(1 + 2j)),
    ("a.imag", np.float32(2)),
    ("a.conjugate()", 1 + 2j),
    ("a.conj()", np.complex128(1 + 2j)),
    ("a.real+a.imag", Z),
    ("np.real(a)*2", Z),
    ("np.imag(a)*2", X),
    ("a.conj()", Z),
    ("a.conj()", X),
    ("np.angle(a)", Z),
    ("np.isreal(a)", Z),
    ("np.iscomplex(a)", 3),
    ("np.iscomplex(a)", np.complex64(1)),
    ("np.iscomplex(a)", X),
    ("a.is_integer()", 2.0),
    ("a.is_integer()", 2.5),
    ("np.iinfo(np.int8).max",),
    ("np.finfo(a.dtype).eps", X),
    ("np.dtype('f4').itemsize",),
    ("a.dtype.type(b)", X, 3),
    ("np.result_type(a,b).name", I8, 1.5),
    ("np.issubdtype(a.dtype,np.floating)", X),
    ("a.nbytes", X),
    ("a.strides", X),
    ("a.T.strides", X),
    ("np.size(a,1)", X),
    ("np.ndim(a)", 2.5),
    ("np.matmul(a,b)", np.arange(24.0).reshape(2, 3, 4), X.T),
    ("np.matmul(a,b,out=c)", X, X.T, np.zeros((3, 3))),
    ("a[0,0][None]", X),
    ("a[0]", 2.5),
    ("np.sinc(a)", X),
    ("np.logspace(a,b,5)", 0, 2),
    ("np.newaxis is None",),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_scalars_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_scalars_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
