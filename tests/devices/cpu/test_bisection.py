"""Numbers are found in vectors where NumPy finds them, in sorted ones and in others."""

import itertools

import numpy as np
import pytest

from transpile import convert


def places(table, numbers):
    return (
        np.searchsorted(table, numbers),
        table.searchsorted(numbers, side="right"),
        np.searchsorted(table, numbers[0]),
    )


def tables(random, dtype, size, numbers):
    """Vectors that are sorted, sorted with NaN, and not sorted; numbers in disorder, and in order."""
    table = random.integers(0, 100, size).astype(dtype)
    yield np.sort(table), numbers
    yield np.sort(table), np.sort(numbers)
    yield table, numbers
    if np.dtype(dtype).kind == "f":
        table[random.random(size) < 0.3] = np.nan
        holed = np.where(random.random(len(numbers)) < 0.3, np.nan, numbers).astype(dtype)
        yield np.sort(table), holed
        yield np.sort(table), np.sort(holed)
        yield table, holed


@pytest.mark.parametrize("dtype", ["?", "b", "B", "h", "H", "i", "I", "l", "L", "f", "d"])
def test_places_are_those_of_numpy(dtype):
    random = np.random.default_rng(5)
    converted = convert(places, strict=True)
    for size, count in itertools.product((0, 1, 2, 7, 40, 700), (1, 8, 21, 300)):
        numbers = random.integers(0, 120, count).astype(dtype)
        for table, wanted in tables(random, dtype, size, numbers):
            for found, expected in zip(converted(table, wanted), places(table, wanted), strict=True):
                assert np.array_equal(found, expected) and type(found) is type(expected)


def test_numbers_in_order_that_lie_far_apart_are_found():
    random = np.random.default_rng(6)
    table, numbers = np.sort(random.random(5000)), np.sort(random.random(400) ** 4)
    converted = convert(places, strict=True)
    for found, expected in zip(converted(table, numbers), places(table, numbers), strict=True):
        assert np.array_equal(found, expected)
