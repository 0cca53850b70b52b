"""Dot products give BLAS's bits for operands that lie in memory in any way."""

from __future__ import annotations

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
