"""Functions of NumPy's that call functions do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import transpile
from tests.runtime.composites.agreement import I8, NONE, X32, X, Z, agree, function_of
from transpile.runtime.errors import StagingError

V = np.array([0.0, 0, 3, 1, 0, 4, 0])
P = np.array([1.0, -3, 2])
CUBE = np.arange(24.0).reshape(2, 3, 4)

CASES: list[tuple[Any, ...]] = [
    ("np.vectorize(lambda x: x + 1)(a)", X),
    ("np.vectorize(lambda x: x * 0.1)(a)", X32),
    ("np.vectorize(lambda x: x + 100)(a)", I8),
    ("np.vectorize(lambda x, y: x if x > y else y)(a, b)", X, X[::-1, :1]),
    ("np.vectorize(lambda x, y: (x, x > y))(a, b)", X, 2.5),
    ("np.vectorize(lambda x: x * 2, otypes=[float])(a)", I8),
    ("np.vectorize(lambda x: x * 2, otypes='F')(a)", X),
    ("np.vectorize(lambda x: abs(x))(a)", Z),
    ("np.vectorize(lambda x: x)(a)", NONE),
    ("np.vectorize(lambda x: x, otypes=[int])(a)", NONE),
    ("np.vectorize(lambda x: x)(a)", 2.5),
    ("f = np.vectorize(lambda x, k: x ** k)\nreturn f(a, 2), f(a, 3)", X),
    ("np.vectorize(lambda x: 1 // x)(a)", np.arange(3)),
    ("n = []\ndef f(x):\n    n.append(1.0)\n    return x\nr = np.vectorize(f)(a)\nreturn r, len(n)", V),
    ("np.apply_along_axis(np.sum, 1, a)", X),
    ("np.apply_along_axis(lambda x: x.max() - x.min(), 0, a)", X),
    ("np.apply_along_axis(lambda x: x[::-1] * 2, 0, a)", X32),
    ("np.apply_along_axis(lambda x, k: x[:k], 0, a, 2)", X),
    ("np.apply_along_axis(np.sort, -1, a), np.apply_along_axis(np.sort, 0, a), np.apply_along_axis(np.mean, 1, a)", CUBE),
    ("np.apply_along_axis(np.diag, -1, a)", X),
    ("np.apply_along_axis(np.sum, 0, a)", V),
    ("np.apply_along_axis(np.sum, 2, a)", X),
    ("np.apply_along_axis(np.sum, 1, a)", X[:0]),
    ("np.fromiter((x * 2 for x in a), dtype=float)", V),
    ("np.fromiter((x for x in a if x > 0), dtype=int)", V),
    ("np.fromiter(range(a), float)", 4),
    ("np.fromiter(range(a), float, count=3)", 4),
    ("np.fromiter(range(a), float, count=5)", 4),
    ("np.fromiter((x for x in a[0]), float, count=2)", V.reshape(1, -1)),
    ("np.fromiter((x for x in a), dtype=float)", V[:0]),
    ("np.trim_zeros(a), np.trim_zeros(a, 'f'), np.trim_zeros(a, 'B')", V),
    ("np.trim_zeros(a), np.trim_zeros(a[:0])", V[:2]),
    ("np.trim_zeros(a, 'x')", V),
    ("np.poly1d(a)(b)", P, X),
    ("p = np.poly1d(a)\nreturn p(b), p(0.5), p.order, p.coeffs + 0, p[0]", P, V),
    ("np.poly1d(np.polyfit(a, b, 1))(a)", X[0], X[1]),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0][:50])
def test_rewritten_functions_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES[::3], ids=lambda case: case[0][:50])
def test_compiled_rewritten_functions_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case, device="cpu")


VECTORIZED = np.vectorize(lambda x, y: x + y if x > y else x - y)


def test_what_was_vectorized_before_is_traced() -> None:
    function = function_of("g(a, b)", "a, b")
    function.__globals__["g"] = VECTORIZED
    converted = transpile.convert(function, strict=True, device="host")
    np.testing.assert_array_equal(function(X, X[0]), converted(X, X[0]))


@pytest.mark.parametrize(
    "body",
    [
        "np.vectorize(lambda x: x)(a.T)",
        "np.vectorize(lambda x: x, cache=True)(a)",
        "np.fromiter((x for x in a[0]), float, count=len(a))",
        "np.apply_along_axis(np.sum, 0, a[None, None])",
    ],
)
def test_what_would_be_done_in_another_order_is_refused(body: str) -> None:
    with pytest.raises(StagingError) as error:
        transpile.convert(function_of(body, "a"), strict=True)(X.copy())
    assert error.value.code == "S147-hosted"
