"""Programs that ask NumPy for what it refuses, or does otherwise, for reasons that do not show in what they compute."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import FallbackWarning

X = np.arange(1.0, 5.0)


def unused_empty(x: Any, n: int) -> Any:
    np.empty(n)
    return x + 1


def unused_zeros_of_two_axes(x: Any, n: int) -> Any:
    np.zeros((n, 3 * n))
    return x + 1


def length_of_what_is_filled(x: Any, n: int) -> Any:
    return x * len(np.full(n, 2.0))


def sum_of_ones(x: Any, n: int) -> Any:
    return x * np.ones(n).sum()


def known_size(x: Any, n: int) -> Any:
    np.empty(2**60)
    return x + n


def known_size_of_two_axes(x: Any, n: int) -> Any:
    np.ones((2**40, 2**40))
    return x + n


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function",
    [
        unused_empty,
        unused_zeros_of_two_axes,
        length_of_what_is_filled,
        sum_of_ones,
        known_size,
        known_size_of_two_axes,
    ],
)
def test_arrays_that_no_memory_has_room_for_are_refused(function: Any, device: str) -> None:
    _same(function, [(X, 3), (X, 2**60), (X, 5), (X, 2**50)], device)


def polynomial(x: Any, n: int) -> Any:
    return np.poly(x[n])


def roots(x: Any, n: int) -> Any:
    return np.roots(float(n))


def triangle(x: Any, n: int) -> Any:
    return np.triu_indices(np.uint8(4))[0] + n


def shifted_triangle(x: Any, n: int) -> Any:
    return np.tri(np.uint8(3), k=-1) + n


@pytest.mark.parametrize("function", [polynomial, roots, triangle, shifted_triangle])
def test_numbers_of_kinds_that_numpy_does_not_take_are_refused(function: Any) -> None:
    _same(function, [(X, 1), (X, 2)], "cpu")


def compares(x: Any, n: int) -> Any:
    return np.vectorize(lambda a: 1.0 if a > n else 0.0)(x)


def overflows(x: Any, n: int) -> Any:
    return np.vectorize(lambda a: min(a * 1e308 * n, 5.0))(x)


@pytest.mark.parametrize("function", [compares, overflows])
def test_vectorize_warns_of_what_numbers_of_pythons_meet(function: Any) -> None:
    hole = np.array([1.0, np.nan, 3.0, np.inf])
    _same(function, [(X, 0), (X, 10), (hole, 2), (X, 1)], "cpu")


def casts(x: Any, n: int) -> Any:
    return x.sum(dtype=np.float32), x.astype(np.float32).sum(dtype=np.float64) * n


def test_sums_of_what_is_cast_are_those_of_the_size_of_buffers_that_is_set() -> None:
    x = np.random.default_rng(0).standard_normal(20_000)
    converted = transpile.convert(casts)
    usual = casts(x, 2)
    assert converted(x, 2) == usual
    before = np.setbufsize(16)
    try:
        assert casts(x, 2) != usual
        assert converted(x, 2) == casts(x, 2)
    finally:
        np.setbufsize(before)
    assert converted(x, 2) == usual


def _same(function: Any, inputs: list[tuple[Any, ...]], device: str) -> None:
    converted = transpile.convert(function, device=device)
    for given in inputs:
        assert _outcome(converted, given) == _outcome(function, given)


def _outcome(function: Any, given: tuple[Any, ...]) -> Any:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function(*given)
        except Exception as error:
            result = type(error), str(error)
        else:
            result = np.asarray(result).dtype, np.asarray(result).tobytes()
    texts = [str(warning.message) for warning in caught if warning.category is not FallbackWarning]
    return result, texts
