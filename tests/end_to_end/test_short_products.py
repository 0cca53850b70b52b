"""Products of many short rows with one have the bits and the warnings of NumPy's dot, however their operands lie."""

import warnings

import numpy as np
import pytest

import transpile

from .comparison import call, compare


def of_rows(a, w):
    return np.dot(a, w), a.dot(w)


def of_parts(a, w):
    return np.dot(a[..., 1:], w[1:]), np.dot(a[::2, ::-1], w), np.dot(a[1:, :, :2], w[-2:])


def of_computed(a, w):
    return np.dot(a * 2 + 1, np.exp(w)), np.dot(np.sqrt(np.abs(a)), w / 3.0) + w[0]


def of_turned(a, w):
    planes = np.moveaxis(a, -1, 0).copy()
    return (
        np.dot(np.moveaxis(planes, 0, -1), w),
        np.dot(a[..., ::-1], w),
        np.dot(a, w[::-1]),
        np.dot(a.T, a[0, :, 0]),
    )


def of_repeated(a, w):
    return np.dot(np.broadcast_to(a[0], a.shape), w), np.dot(a, np.broadcast_to(w[:1], w.shape))


def of_colours(a, w):
    return np.dot(a[..., :2], [0.2989, 0.5870]), np.dot(a[..., :2], np.array([0.5, 2.0])).astype(np.uint8)


def stored_over(a, w):
    before = np.dot(a, w)
    w[:] = before[0, 0].real
    a[0] = 2
    return before, np.dot(a, w)


FUNCTIONS = [of_rows, of_parts, of_computed, of_turned, of_repeated, of_colours, stored_over]


@pytest.mark.parametrize("device", ["cpu", "host"])
@pytest.mark.parametrize("dtypes", ["Bd", "dd", "fd", "df", "ld", "ff", "Dd"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_products_of_short_rows_have_the_bits_of_numpy(function, dtypes, device):
    random = np.random.default_rng(0)
    converted = transpile.convert(function, device=device)
    for shape in ((5, 4, 3), (7, 3, 3), (4, 4, 4), (6, 8, 8), (3, 9, 9), (2, 16, 16), (5, 2, 2), (0, 3, 3)):
        if shape[0] == 0 and function is not of_rows:
            continue
        a = (random.normal(20, 9, shape)).astype(dtypes[0])
        given = a, random.normal(0, 9, shape[-1]).astype(dtypes[1])
        compare(call(function, given), call(converted, given))


def test_views_of_the_callers_have_the_bits_of_numpy():
    converted = transpile.convert(of_rows, strict=True)
    random = np.random.default_rng(1)
    a, w = random.normal(0, 9, (6, 5, 8)), random.normal(0, 9, 8)
    for one in (
        a[..., :3],
        a[..., ::2],
        a[::2, :, 1:4],
        a[..., :3].astype("f4"),
        a.T[:, :, :3],
        np.asfortranarray(a),
    ):
        for other in (w[: one.shape[-1]], w[::-1][: one.shape[-1]], np.repeat(w, 2)[::2][: one.shape[-1]]):
            for found, expected in zip(converted(one, other), of_rows(one, other), strict=True):
                assert found.tobytes() == expected.tobytes() and found.strides == expected.strides


def test_rows_of_four_axes_and_into_an_array():
    def function(a, w):
        out = np.empty(a.shape[:-1])
        return np.dot(a, w, out=out), out

    converted = transpile.convert(function, strict=True)
    given = np.random.default_rng(0).random((2, 3, 4, 3)), np.arange(3.0)
    compare(call(function, given), call(converted, given))


def test_rows_of_another_length_raise_as_in_numpy():
    converted = transpile.convert(of_rows)
    for shape, length in (((2, 3, 3), 4), ((2, 3, 4), 3), ((2, 3, 3), 3)):
        given = np.ones(shape), np.ones(length)
        compare(call(of_rows, given), call(converted, given))


def test_zeros_and_what_is_no_number_are_those_of_numpy():
    converted = transpile.convert(of_rows, strict=True)
    a = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e308, 5e-324])[np.indices((7, 7, 7))].T.reshape(
        49, 7, 3
    )
    for w in ([1.0, -1.0, 0.0], [-0.0, 2.0, 3.0], [10.0, np.inf, -1e-300]):
        given = a, np.array(w)
        compare(call(of_rows, given), call(converted, given))


def test_they_warn_as_numpy_does():
    def function(a, w):
        return np.dot(a, w)

    converted = transpile.convert(function, strict=True)
    for number in (1.0, np.inf, 1e308):
        a, told = np.full((2, 2, 3), number), []
        for run in (function, converted, converted):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                run(a, np.array([10.0, -10.0, 1.0]))
            told.append([(one.category, str(one.message)) for one in caught])
        assert told[0] == told[1] == told[2] and bool(told[0]) == (number != 1.0)
