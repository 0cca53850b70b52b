"""NumPy's reductions do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import F32, I8, NONE, X32, X, agree, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("a.sum().item()", X),
    ("a.max()", NONE),
    ("np.sum(a,dtype=np.float32)", X),
    ("np.sum(a,axis=0,out=b)", X, np.zeros(4)),
    ("np.sum(a)", 3),
    ("np.max(a)", F32(2.5)),
    ("np.sum([1,a])", 2.5),
    ("np.add.reduce(a)", X),
    ("np.maximum.reduce(a,axis=1)", X),
    ("np.logical_or.reduce(a>3,axis=1)", X),
    ("np.bitwise_xor.reduce(a)", I8),
    ("np.ptp(a,axis=0)", X),
    ("np.ptp(a)", I8),
    ("np.count_nonzero(a>0)", X),
    ("np.count_nonzero(a,axis=0)", X),
    ("a.sum()[...]", X),
    ("np.sum(a)", -0.0),
    ("np.mean(a)", np.float32(-0.0)),
    ("np.add.reduce(a, axis=())", -np.zeros((2, 3))),
    ("np.sum(a, initial=None)", -0.0),
    ("np.prod(a)", complex(np.inf, 1)),
    ("a.sum()[0]", X),
    ("a.sum()>np.pi", X),
    ("np.minimum.reduce([a,b])", X, X + 1),
    ("np.sum([a,b],axis=0)", X, X),
    ("max(a,b)", 1, 2.5),
    ("a.argmax(axis=-1)", np.arange(24.0).reshape(2, 3, 4).transpose(2, 0, 1)),
    ("a.sum(initial=b)", I8, 5.5),
    ("a.sum(initial=5, where=a > 2)", I8),
    ("a.prod(axis=0, initial=2, where=a > 2)", X.astype(int)),
    ("a.max(axis=0, initial=b, where=a > 2)", X, 1),
    ("np.bitwise_or.reduce(a, initial=64)", I8),
    ("np.any(a, where=b)", X, X > 2),
    ("np.all(a, axis=1, where=b[0])", X, X > 2),
]


METHODS = ("sum", "prod", "max", "min", "mean", "any", "all", "argmax", "argmin", "var", "std")
ARRAYS = {
    "float64": X,
    "float32": X32,
    "int64": X.astype(int),
    "int8": I8.reshape(3, 4),
    "bool": X > 0,
    "float16": X.astype(np.float16),
    "transposed": X.T,
    "three axes": np.arange(24.0).reshape(2, 3, 4).transpose(2, 0, 1),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("array", ARRAYS.values(), ids=list(ARRAYS))
def test_reductions_over_any_axis_agree_on_every_dtype(method: str, array: Any) -> None:
    for options in ("", "axis=0", "axis=-1", "axis=1, keepdims=True", "keepdims=True"):
        agree(f"a.{method}({options})", array)
    agree(f"np.{method}(a, axis=b)", array, 1)
    if not method.startswith("arg"):
        agree(f"np.{method}(a, axis=(0, 1))", array)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_reductions_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_reductions_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
