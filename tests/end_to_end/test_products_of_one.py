"""Products of vectors of one element, which NumPy's dot does not add to zero, and matmul does; and of vectors that may be one long."""

from typing import Any

import numpy as np
import pytest

from transpile import convert

from ..behaviours.harness import observe
from .comparison import compare

ONES = [
    ([-0.0], [1.0]),
    ([[-0.0]], [[1.0]]),
    ([-0.0], [[1.0]]),
    ([[-0.0]], [1.0]),
    ([1e300], [1e300]),
    ([-0.0, -0.0], [1.0, 1.0]),
]


def products(x, y):
    return np.dot(x, y), np.inner(x, y), x.dot(y)


def of_vectors(x, y):
    return np.vdot(x, y), x @ y, np.dot(x, y)


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.int64])
def test_a_negative_zero_stays_one(dtype: Any, device: str) -> None:
    for x, y in ONES:
        given = np.array(x).astype(dtype, casting="unsafe"), np.array(y).astype(dtype)
        for function in (products, of_vectors) if given[0].ndim == given[1].ndim == 1 else (products,):
            converted = convert(function, strict=True, device=device)
            compare(observe(function, given), observe(converted, given))


def growing(a):
    found = []
    for i in range(len(a)):
        row = a[i, : i + 1]
        found.append(np.dot(row, a[0, : i + 1]))
        found.append(np.inner(row, row))
    return np.array(found)


def shrinking(a):
    found = []
    for i in range(len(a)):
        column = a[i:, i].ravel()
        found.append(np.linalg.norm(a[i:, i]))
        found.append(column.dot(a[i:, 0].ravel()))
    return np.array(found)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128])
@pytest.mark.parametrize("function", [growing, shrinking])
def test_vectors_become_one_long(function: Any, dtype: Any, device: str) -> None:
    draw = np.random.default_rng(0)
    # Complex vectors that are one long by chance are left to the original.
    strict = dtype is not np.complex128 or function is growing
    converted = convert(function, strict=strict, device=device)
    for n in (2, 3, 5, 17):
        for order in "CF":
            a = np.asarray(draw.normal(size=(n, n)) * np.exp(1j * (dtype is np.complex128)))
            a = np.asarray(a if dtype is np.complex128 else a.real, order=order).astype(dtype)
            a[draw.random((n, n)) < 0.4] = -0.0
            compare(observe(function, (a,)), observe(converted, (a,)))


def columns_by_rows(a, b):
    found = [
        np.dot(a[:, None], b[None, :]),
        np.dot(a[::-1, None], b[None, ::-1]),
        np.dot(a[None, :1], b[None, :]),
    ]
    parts = np.zeros((len(a), len(a), len(a)), a.dtype)
    for i in range(len(a)):
        parts[i, i:, : i + 1] = np.dot(a[i:, None], b[None, : i + 1])
    return found, parts


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.int64])
def test_columns_by_rows_have_the_bits_of_every_routine(dtype: Any, device: str) -> None:
    draw = np.random.default_rng(1)
    others = np.array(
        [0.0, -0.0, 5e-324, 1e200, -1e308, -1.0, np.inf, np.nan][: 8 if dtype is np.float64 else 2]
    )
    converted = convert(columns_by_rows, device=device)
    for n in (2, 3, 8, 19) * 3:
        given = []
        for _ in range(2):
            x = draw.normal(size=n) * 9
            chosen = draw.random(n) < 0.3
            x[chosen] = draw.choice(others, chosen.sum())
            given.append(x.astype(dtype))
        compare(observe(columns_by_rows, given), observe(converted, given))


def test_columns_by_rows_are_computed_without_python() -> None:
    def reflected(a):
        for i in range(len(a) - 1):
            v = a[i:, i] * 2.0
            a[i:, i:] -= np.dot(v[:, None], v[None, :])

    a = np.random.default_rng(0).random((6, 6))
    text = str(convert(reflected, strict=True).kernels(a))
    assert "+ 0.0" in text and text.index("!= 1") < text.index("upcall")
