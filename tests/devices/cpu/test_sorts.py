"""Sorts in kernels are NumPy's, which of equal numbers comes first included."""

import numpy as np
import pytest

from transpile import convert

DTYPES = (bool, np.int8, np.uint16, np.int32, np.int64, np.uint64, np.float32, np.float64, np.complex128)
SHAPES = ((50,), (0,), (7, 9), (0, 3), (4, 0), (3, 4, 5), (30, 130))


def sorted_and_order(x):
    return np.sort(x), np.argsort(x)


def rows(x):
    order = np.empty(x.shape, int)
    for i in range(len(x)):
        order[i] = np.argsort(x[i])
    return order


def in_place(x):
    y = x.copy()
    y.sort()
    return y


def backward(x):
    return np.sort(x[..., ::-1]), np.argsort(x[..., ::2])


def sorted_before_it_is_written(x):
    y = np.sort(x)
    order = np.argsort(x)
    x[...] = x[..., :1]
    return y, order, x


def numbers(dtype, shape):
    x = (np.arange(np.prod(shape, dtype=int)) * 7919 % 101 % 23).reshape(shape).astype(dtype)
    if x.dtype.kind in "fc" and x.size > 5:
        x.flat[3], x.flat[0] = np.nan, -0.0
    return x


@pytest.mark.parametrize("function", [sorted_and_order, rows, in_place, backward])
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: np.dtype(dtype).name)
def test_sorts_are_numpys(function, dtype):
    converted = convert(function, strict=True)
    for shape in SHAPES if function is not rows else SHAPES[2:]:
        check(function, converted, numbers(dtype, shape))


def test_sorted_copies_do_not_change():
    converted = convert(sorted_before_it_is_written, strict=True)
    check(sorted_before_it_is_written, converted, numbers(float, (4, 6)))


def test_other_orders_in_memory_stay():
    converted = convert(sorted_and_order, strict=True)
    check(sorted_and_order, converted, np.asfortranarray(numbers(float, (4, 6))))


def test_nan_is_compared_without_a_warning():
    converted = convert(sorted_and_order, strict=True)
    with np.errstate(all="warn"):
        assert np.isnan(converted(np.array([np.nan, 1.0]))[0][1])


def check(function, converted, x):
    expected, found = function(x.copy("K")), converted(x.copy("K"))
    pairs = zip(expected, found, strict=True) if isinstance(expected, tuple) else [(expected, found)]
    for one, two in pairs:
        assert (one.tobytes(), one.dtype, one.shape, one.strides) == (
            two.tobytes(),
            two.dtype,
            two.shape,
            two.strides,
        )


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_vectors_are_multiplied_by_numpys_own_routine(dtype):
    def products(x, y, a):
        return x @ y, np.dot(x[::2], y[1::2]), x[::-1] @ y, a[:, 1] @ a[0], np.dot(a[1], a[:, 2])

    random = np.random.default_rng(0)
    converted = convert(products, strict=True)
    for size in (4, 16, 34, 130, 1000, 20000):
        x, y = random.normal(0, 9, (2, size)).astype(dtype)
        a = random.normal(0, 9, (7, 7)).astype(dtype)
        for found, expected in zip(converted(x, y, a), products(x, y, a), strict=True):
            assert type(found) is type(expected) and found == expected
