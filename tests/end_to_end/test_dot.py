"""Dot products give BLAS's bits for operands that lie in memory in any way."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import transpile

from .comparison import call, compare


def of_parts(x, y, k):
    return np.dot(x[:k], y[:k]), np.dot(x[::2], y[1::2]), x[:k] @ y[-k:]


def with_a_flipped_one(x, y, k):
    return np.dot(np.flip(x[:k]), y[:k]), np.dot(x[::-1], y), np.flip(x[:k]) @ y[:k], np.dot(x[::-2], y[::2])


def with_a_repeated_one(x, y, k):
    return np.dot(np.broadcast_to(x[3], k), y[:k]), np.dot(x, np.broadcast_to(y[:1], x.shape))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize(
    "function", [of_parts, with_a_flipped_one, with_a_repeated_one], ids=lambda f: f.__name__
)
def test_dot_products_have_the_bits_of_blas(function, dtype):
    random = np.random.default_rng(0)
    converted = transpile.convert(function, strict=True)
    for size in (8, 50, 101, 1000):
        x, y = (random.normal(0, 9, (2, size))).astype(dtype)
        compare(call(function, (x, y, size // 3)), call(converted, (x, y, size // 3)))


def of_vectors(x, y):
    return np.dot(x, y), np.inner(x, y), x @ y, x.dot(y), np.vdot(x, y)


@pytest.mark.parametrize("dtypes", ["dd", "ff", "fd", "df", "Dd", "ld"])
def test_vectors_that_are_handed_in_backward_or_with_gaps_have_the_bits_of_blas(dtypes):
    random = np.random.default_rng(1)
    converted = transpile.convert(of_vectors, strict=True)
    for (one, other), size in itertools.product(
        itertools.product(
            (slice(None), slice(None, None, -1), slice(None, None, 2), slice(None, None, -2)), repeat=2
        ),
        (9, 53, 200),
    ):
        given = [
            random.normal(0, 9, size * (abs(part.step or 1))).astype(d)[part]
            for d, part in zip(dtypes, (one, other))
        ]
        compare(call(of_vectors, given), call(converted, given))


def of_rows(a, k):
    total = 0.0
    for i in range(1, len(a)):
        a[i, 0] -= np.dot(a[i, :i], a[i - 1, :i])
        total += np.dot(a[i, i:], a[0, i:]) + np.dot(a[k:, 0], a[k:, i])
    return total


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rows_of_a_matrix_with_gaps_are_multiplied_without_a_call_of_python(dtype):
    random = np.random.default_rng(2)
    converted = transpile.convert(of_rows, strict=True)
    steps = (1, 2, -1, -2)
    for (rows, columns), size in itertools.product(itertools.product(steps, repeat=2), (2, 9, 40)):
        big = random.normal(0, 1, (160, 160)).astype(dtype)
        one, other = (big.copy()[::rows, ::columns][:size, :size] for _ in range(2))
        compare(call(of_rows, (one, 1)), call(converted, (other, 1)))
    kernel = str(converted.kernels(np.ones((160, 160), dtype)[::2, ::2], 1))
    assert "np_dot_alone" in kernel
    assert "> 0" in kernel


def of_matrices(a, v):
    return a @ v, a @ a.T, v @ a.T


def cast(a, v):
    return np.matmul(a, v, dtype=np.float32, casting="same_kind"), np.matmul(a, v, casting="same_kind")


@pytest.mark.parametrize("function", [of_matrices, cast])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtypes", ["fd", "df", "dd", "ef", "fD"])
def test_what_is_cast_for_a_product_lies_in_c_order(dtypes, order, function):
    if function is cast and "D" in dtypes:
        pytest.skip("NumPy casts no complex numbers to real ones so")
    random = np.random.default_rng(2)
    converted = transpile.convert(function, strict=True, device="host")
    for rows, columns in ((5, 7), (37, 53)):
        given = [
            random.normal(0, 9, (rows, columns)).astype(dtypes[0], order=order),
            random.normal(0, 9, columns).astype(dtypes[1]),
        ]
        compare(call(function, given), call(converted, given))


def with_another_dtype(a, v):
    return np.matmul(a, v, dtype=np.int64)


def test_products_that_numpy_does_not_cast_raise_as_numpy_does():
    given = [np.ones((2, 3)), np.ones(3)]
    converted = transpile.convert(with_another_dtype, device="host")
    compare(call(with_another_dtype, given), call(converted, given))


def computed_twice(x):
    return np.exp(x).T @ np.exp(x), np.dot(np.sort(x), np.sort(x).T), np.inner(np.sin(x), np.sin(x))


def copied_twice(x):
    a, b, c = x.copy(), np.array(x), x.copy()
    return a.T @ b, b.T @ c, a.T @ a, c.T @ x, x.T @ x


def under_several_names(x):
    a, b = x * 2, x * 2
    return a.T @ np.sin(x), b.T @ b, a.T @ b, (a + 1).T @ (b + 1), np.linalg.norm(a), np.linalg.norm(b)


def called_whole(x):
    first = np.einsum("ij,ik->jk", np.exp(x), np.exp(x), optimize=True)
    return first, np.tensordot(np.exp(x), np.exp(x), ((0,), (0,)))


def of_the_turn_before(x):
    before, total = np.exp(x), np.zeros((x.shape[1], x.shape[1]))
    for _ in range(3):
        now = np.exp(x)
        total += before.T @ now
        before = now
    return total


def on_one_way(x):
    a, b = np.exp(x), np.exp(x)
    return a.T @ b if x[0, 0] > 0 else a @ b.T


@pytest.mark.parametrize("device", ["cpu", "host"])
@pytest.mark.parametrize(
    "function",
    [computed_twice, copied_twice, under_several_names, called_whole, of_the_turn_before, on_one_way],
)
def test_equal_matrices_are_multiplied_as_two(function, device):
    converted = transpile.convert(function, strict=True, device=device)
    for shape in ((5, 5), (23, 23), (46, 23)):
        x = np.random.default_rng(2).random(shape)
        compare(call(function, (x,)), call(converted, (x,)))
