"""Arrays that NumPy makes for a kernel become the kernel's: nothing is copied, and nothing is kept when it is done with them."""

import tracemalloc

import numpy as np
import pytest

import transpile

WIDTH = 40_000


def smallest(x, k):
    total = 0.0
    for i in range(4):
        places = np.argpartition(x + i, k)
        total += x[places[0]]
        places[0] = k
        places = places[: k + 1] * 2
        total += places.sum()
    return total


def compared(function, *arguments):
    """Return a function converted, after a comparison of what it gives."""
    converted = transpile.convert(function, strict=True)
    plain, found = function(*arguments), converted(*arguments)
    np.testing.assert_array_equal(found, plain)
    assert np.asarray(found).dtype == np.asarray(plain).dtype
    return converted


def grown(call):
    """Return how much memory is kept by calls after the first ones."""
    call()
    tracemalloc.start()
    try:
        call()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(5):
            call()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


def test_what_numpy_gives_is_taken_over_and_given_back():
    x = np.random.default_rng(0).random(WIDTH)
    converted = compared(smallest, x, 3)
    assert " = owned(" in converted.kernels(x, 3)
    assert grown(lambda: converted(x, 3)) < 8 * WIDTH


def test_what_is_taken_may_be_written_and_outlive_its_branch():
    def function(x, often):
        kept = np.zeros(x.shape)
        for turn in range(often):
            found = np.percentile(x + turn, [25, 50, 75], axis=0)
            if turn % 2:
                found[1] -= kept[0]
                kept = found
            else:
                found += 1.0
                kept[:3] = found
        return kept.sum(axis=0)

    converted = compared(function, np.random.default_rng(1).random((3, 7)), 4)
    for often in (0, 1, 3):
        x = np.random.default_rng(often).random((3, 5))
        np.testing.assert_array_equal(converted(x, often), function(x, often))


def test_what_is_taken_is_given_back_where_the_kernel_is_left():
    def function(x, place):
        order = np.argpartition(x, 2)
        return x[order[place]]

    x = np.random.default_rng(2).random(WIDTH)
    converted = compared(function, x, 1)

    def fails():
        with pytest.raises(IndexError, match="index 40000 is out of bounds"):
            converted(x, WIDTH)

    assert grown(fails) < 8 * WIDTH


def test_an_error_of_numpys_comes_through():
    def function(x, k):
        return np.argpartition(x, k)[0] + 1

    converted = compared(function, np.arange(9.0)[::-1].copy(), 2)
    with pytest.raises(ValueError, match="kth"):
        converted(np.arange(4.0), 7)
