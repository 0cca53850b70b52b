"""Searches for the first extreme, on rows of every kind, and what is computed piece by piece."""

import numpy as np
import pytest

from transpile import convert

DTYPES = "?bBhHiIlLfd"


def places(m):
    return np.argmax(m), np.argmin(m), m.argmax(axis=0), m.argmin(axis=0), m.argmax(axis=1), m.argmin(axis=-1)


def places_of_computed(m):
    return np.argmax(m * m), np.argmin(abs(m), axis=0), np.argmax(np.exp(m), axis=1), np.argmin(-m[:, 0])


def numbers(dtype, shape):
    """Numbers with many that are equal; among floats, zeros of both signs and NaN."""
    draw = np.random.default_rng(7)
    m = draw.integers(0, 5, shape).astype(dtype)
    if m.dtype.kind == "f" and m.size > 20:
        m.flat[3], m.flat[7], m.flat[-5] = np.nan, -0.0, np.inf
    return m


@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (3, 1), (5, 15), (5, 16), (40, 600), (2000, 3), (3, 2000)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_first_extreme_is_where_numpy_finds_it(dtype, shape):
    m = numbers(dtype, shape)
    converted = COMPILED[places]
    for layout in (m, m.T, m[::-1], np.repeat(m, 2, axis=1)[:, ::2]):
        for found, expected in zip(converted(layout), places(layout), strict=True):
            assert type(found) is type(expected)
            assert np.array_equal(found, expected)


@pytest.mark.parametrize("shape", [(1, 1), (5, 15), (40, 600), (600, 40)])
def test_first_extreme_of_what_is_computed(shape):
    m = numbers("d", shape)
    with np.errstate(all="ignore"):
        for found, expected in zip(COMPILED[places_of_computed](m), places_of_computed(m), strict=True):
            assert np.array_equal(found, expected)


def decided(x, y):
    return np.array_equal(x, y), np.any(x > y), np.all(x == y), np.count_nonzero(x != y), (x == y).sum()


@pytest.mark.parametrize("size", [0, 1, 1023, 1024, 1025, 3000, 70_000])
def test_an_element_decides_wherever_it_lies(size):
    x = np.arange(float(size))
    for place in {0, size // 2, size - 1} if size else ():
        y = x.copy()
        y[place] -= 1
        assert COMPILED[decided](x, y) == decided(x, y) == (False, True, False, 1, size - 1)
    assert COMPILED[decided](x, x.copy()) == decided(x, x.copy())


def stacked(x, y):
    return np.stack((x, y, x), axis=1)


def test_columns_are_stored_in_one_loop():
    x = np.arange(7.0)
    converted = convert(stacked, strict=True)
    assert converted(x, -x).tobytes() == stacked(x, -x).tobytes()
    assert converted.kernels(x, x).count("for ") == 1


COMPILED = {function: convert(function, strict=True) for function in (places, places_of_computed, decided)}


def of_truths_and_bytes(t, u, x, y):
    return np.fmax(t, u), np.fmax(x, y), t @ u, x @ y, np.argmax(t), np.argmax(x)


def test_truth_values_and_bytes_have_loops_of_their_own():
    t, x = np.eye(3) > 0, np.arange(9, dtype="i1").reshape(3, 3)
    found = convert(of_truths_and_bytes, strict=True)(t, ~t, x, -x)
    for one, other in zip(found, of_truths_and_bytes(t, ~t, x, -x), strict=True):
        assert np.asarray(one).dtype == np.asarray(other).dtype and np.array_equal(one, other)
