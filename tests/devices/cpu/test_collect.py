"""True elements are found whether they are many or few, in masks of any length."""

import numpy as np
import pytest

import transpile


def picked(x, mask):
    return x[mask], np.flatnonzero(mask)


def places(x, mask):
    return x[mask], np.argwhere(mask)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 1.0])
@pytest.mark.parametrize(("function", "rows"), [(picked, None), (places, 3)])
def test_true_elements_are_found_in_pieces(function, rows, share):
    random = np.random.default_rng(0)
    converted = transpile.convert(function, strict=True)
    for size in (0, 1, 63, 64, 65, 128, 129, 1000):
        shape = size if rows is None else (rows, size)
        x, mask = random.random(shape), random.random(shape) < share
        for found, expected in zip(converted(x, mask), function(x, mask), strict=True):
            np.testing.assert_array_equal(found, expected, strict=True)
