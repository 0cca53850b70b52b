"""Searches and counts that a kernel does by itself, and those that it leaves to NumPy."""

import numpy as np
import pytest

from transpile import convert
from transpile.devices.loops.program import Upcall
from transpile.devices.loops.statement import LibraryCall


def test_numbers_of_the_dtype_are_searched_for_in_the_kernel(scheduled):
    def function(a, v):
        return (
            np.searchsorted(a, v),
            np.searchsorted(a[::2], v[::-1], side="right"),
            np.searchsorted(a, v[0, 0]),
        )

    program = scheduled(function, np.arange(9.0), np.arange(6.0).reshape(2, 3))
    assert program.count(LibraryCall) == 3 and program.count(Upcall) == 0


@pytest.mark.parametrize("numbers", [np.arange(6), np.arange(6.0).reshape(2, 3, order="F")])
def test_numbers_of_another_dtype_or_order_are_searched_for_by_numpy(scheduled, numbers):
    def function(a, v):
        return np.searchsorted(a, v)

    program = scheduled(function, np.arange(9.0), numbers)
    assert program.count(LibraryCall) == 0 and program.count(Upcall) == 1


def counts(x, w):
    return np.bincount(x), np.bincount(x, weights=w), np.bincount(x, minlength=7)


@pytest.mark.parametrize("dtype", ["b", "B", "h", "H", "i", "I", "l"])
def test_elements_are_counted_as_numpy_counts_them(dtype):
    random = np.random.default_rng(2)
    converted = convert(counts, strict=True)
    for size in (0, 1, 2, 30, 2000):
        x, w = random.integers(0, 100, size).astype(dtype), random.standard_normal(size)
        for found, expected in zip(converted(x, w), counts(x, w), strict=True):
            assert found.dtype == expected.dtype and found.tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    ("x", "w"),
    [(np.array([1, -2]), np.ones(2)), (np.array([1, 2]), np.ones(3))],
)
def test_what_numpy_does_not_count_raises_its_errors(x, w):
    with pytest.raises(ValueError) as expected:
        counts(x, w)
    with pytest.raises(ValueError) as found:
        convert(counts, strict=True)(x, w)
    assert str(found.value) == str(expected.value)
