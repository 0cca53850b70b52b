"""Sums of floats that are computed are parted where NumPy's pairwise summation parts them, and spread over threads."""

import warnings

import numpy as np
import pytest

import transpile
from transpile.devices.loops.statement import For

SIZES = (0, 1, 7, 128, 129, 32767, 32768, 32769, 33001, 65537, 100_003, 262_143)


def pieces(program):
    """Return how many loops over pieces there are."""
    return sum(
        isinstance(s, For) and s.spread is not None and s.index.name.startswith("piece") for s in program
    )


def vectors(n, dtype=float):
    random = np.random.default_rng(n)
    return (random.random(n) * 2 - 1).astype(dtype), (random.random(n) + 0.1).astype(dtype)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sums_have_the_bits_of_one_thread(scheduled, n, dtype):
    def function(x, y):
        return (np.exp(x) * np.sin(y)).sum(), (x * y - x / y).sum()

    # One element is known while tracing.
    assert pieces(scheduled(function, *vectors(n, dtype))) == 2 * (n != 1)


@pytest.mark.parametrize("n", SIZES[1:])
def test_means_and_deviations(scheduled, n):
    def function(x, y):
        d = np.sqrt(x * x + y * y)
        return (np.exp(-d) * np.cos(d)).mean(), (d / y + d).std()

    scheduled(function, *vectors(n))


@pytest.mark.parametrize("n", [300, 40_000])
def test_zeros_and_numbers_that_are_none(scheduled, n):
    def function(x, y, start):
        return -(np.abs(x * 0) / y).sum(), np.sum(-np.abs(x * 0.0 / y)), (x / y + start).sum()

    x, y = vectors(n)
    for start in (-0.0, np.inf, -np.inf, np.nan):
        scheduled(function, x, y, start)


def test_what_lies_in_memory_is_summed_by_numpys_loop(scheduled):
    def function(x, y):
        return x.sum(), np.add.reduce(y)

    assert pieces(scheduled(function, *vectors(40_000))) == 0


def test_complex_numbers_and_products_are_not_parted(scheduled):
    def function(x, y):
        return (np.exp(x) * 1j + y).sum(), (np.exp(x) * y).prod()

    assert pieces(scheduled(function, *vectors(40_000))) == 0


def test_errors_in_any_piece_are_told_of():
    def function(x, y):
        return np.sqrt(x * y + np.log(y)).sum()

    converted = transpile.convert(function, strict=True)
    for n, place, value in ((100_000, 5, 0.0), (100_000, 99_999, -1.0), (200_000, 150_000, 1.0)):
        x, y = vectors(n)
        x, y = np.abs(x) + 2.5, y + 1.0
        y[place] = value
        told = []
        for run in (function, converted, converted):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                found = run(x, y)
            told.append((sorted(str(warning.message) for warning in caught), str(found)))
        assert told[0] == told[1] == told[2] and bool(told[0][0]) == (value <= 0)
