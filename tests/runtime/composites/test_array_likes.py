"""Numbers and lists where NumPy takes arrays; methods of NumPy's scalars."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import X32, X, agree

CASES: list[tuple[Any, ...]] = [
    ("np.sum([a,b])", 1, 2.5),
    ("np.mean([a,b,3])", 1, 2.5),
    ("np.max((a,b))", 1, 2.5),
    ("np.dot([1,2],a)", X[:2]),
    ("np.concatenate([[a],[b]])", 1, 2.5),
    ("np.concatenate(([1.],a,[b]))", X[0], 2),
    ("np.array([a]*3)", 1.5),
    ("np.stack([a,[1,2,3,4]])", X[0]),
    ("np.flip([1,a])", 2),
    ("np.zeros(a.shape)+b", X, 1),
    ("np.zeros((a,a),dtype=b.dtype)", 2, X32),
    ("np.outer([1,2],a)", X[0]),
    ("np.sum(a)", [1, 2, 3]),
    ("np.clip([1,2,a],0,2)", 3),
    ("np.linalg.norm([a,3])", 4.0),
    ("np.where([True,False],a,b)", 1, 2.0),
    ("np.maximum(a,[1,2,3,4])", X[0]),
    ("np.asarray([a,b]).sum()", X[0], X[0]),
    ("np.abs(-3)+a", 1),
    ("np.abs(a)", -3),
    ("np.abs(a)", True),
    ("np.floor(a)", 2.5),
    ("np.sqrt(a)", 2),
    ("np.isnan(a)", 2.5),
    ("np.mod(a,b)", 7, 3),
    ("np.power(a,b)", 2, -1),
    ("np.minimum(a,b)", 2, 3.5),
    ("np.pi*a", 2),
    ("np.e**a", 2),
    ("np.inf>a", 2.0),
    ("np.sin(a)", 1),
    ("np.array(a).dtype", True),
    ("np.array([a,True])", False),
    ("np.size(a)", [1, 2, 3]),
    ("np.ones((2,a))[0]", 3),
    ("np.array([])+a", 1),
    ("np.array([], dtype=np.float32)+a", 1.0),
    ("np.empty(0)+a", 1),
    ("np.zeros(())+a", 1),
    ("np.array(a)[()]", 2.5),
    ("np.array([[a,2],[3,4]])[0]", 1),
    ("np.array([a,2])*b", 1, X[:, :2]),
    ("return np.float64(a)/3 if b else np.float32(a)", 2, 1),
    ("return a.shape==b.shape, a.dtype==b.dtype, a.ndim", X, X32),
    ("return np.argmax(a)+np.argmin(a,axis=0)", X),
]
METHODS = (
    "sum()", "mean()", "max()", "min()", "prod()", "any()", "all()", "round()", "round(1)", "astype(int)", "astype(np.float32)",
    "reshape(1, 1)", "T", "ravel()", "flatten()", "clip(0, 1)", "copy()", "squeeze()", "tolist()", "item()", "shape", "ndim", "size",
    "dtype", "itemsize", "nbytes", "real", "imag", "conj()", "argmax()", "transpose()", "conjugate()", "reshape(-1)", "strides",
    "swapaxes(0, 0)", "repeat(2)", "diagonal()", "trace()", "dot(2)",
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_numbers_and_lists_stand_for_arrays(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("number", [np.float64(2.5), np.int32(7)], ids=str)
def test_numpy_scalars_have_the_methods_of_arrays(method: str, number: Any) -> None:
    agree(f"a.{method}", number)
