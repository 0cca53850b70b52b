"""Kernels of fused nests: one loop over elements, or blocks where NumPy's inner loops take part."""

import numpy as np
import pytest

import transpile


def kernel_of(function, *arguments):
    """Returns the text of a kernel that was compared with NumPy."""
    converted = transpile.convert(function, strict=True)
    plain, compiled = ([a.copy() for a in arguments] for _ in range(2))
    expected, found = function(*plain), converted(*compiled)
    for one, other in zip((*plain, expected), (*compiled, found), strict=True):
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()
    return converted.kernels(*arguments)


@pytest.mark.parametrize("size", [0, 2, 511, 512, 513, 2000])
def test_blocks_hand_variables_on(size):
    def function(x, y):
        x += y
        y[:] = np.exp(x)
        x -= y * y
        return (x > y).sum()

    x, y = np.linspace(-3, 1, size), np.linspace(0, 1, size)
    text = kernel_of(function, x, y)
    assert text.count("for i0 in") == 1


def test_a_call_goes_straight_into_what_is_stored():
    def function(x, y):
        x *= 2.0
        np.exp(x, y)
        return x.min() < 0

    with np.errstate(all="ignore"):
        text = kernel_of(function, np.linspace(-3, 1, 600), np.zeros(600))
    assert "np_exp_d_d(count, block" in text and ", y, i0 * 8, 8)" in text


def test_rows_are_worked_on_in_blocks():
    def function(a, b, row):
        a += row
        b[:] = np.sin(a)
        return a

    text = kernel_of(function, np.linspace(-3, 1, 1200).reshape(2, 600), np.zeros((2, 600)), np.ones(600))
    assert "for j0 in" in text


def test_elements_need_no_blocks_where_the_machine_has_every_op():
    def function(n, m):
        n ^= m
        m |= n
        return (n == m).all()

    text = kernel_of(function, np.arange(20), np.arange(20)[::-1].copy())
    assert "block" not in text and text.count("for ") == 1


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_short_rows_are_added_up_in_numpy_s_order(dtype):
    def function(a, b):
        return (a * b).sum(axis=1)

    rng = np.random.default_rng(3)
    converted = transpile.convert(function, strict=True)
    for length in (0, *range(2, 18), 127, 128, 129, 700):
        a, b = ((rng.standard_normal((50, length)) * 10.0 ** rng.integers(-5, 5)).astype(dtype) for _ in "ab")
        a[:5], a[5:10] = -0.0, 0.0
        assert converted(a, b).tobytes() == function(a, b).tobytes()
