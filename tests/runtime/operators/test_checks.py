"""Checks of `numpy.testing` within converted functions pass and fail as they do plainly, in their order."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import (
    assert_,
    assert_allclose,
    assert_almost_equal,
    assert_array_almost_equal,
    assert_array_equal,
    assert_array_less,
    assert_equal,
)

from transpile import convert

from ...end_to_end.comparison import call, differences


def compared(x, y):
    assert_allclose(x, y, rtol=1e-3)
    return x.sum()


def of_shapes_and_numbers(x, y):
    assert_equal(x.shape, y.shape)
    assert_equal(x[0], y[0])
    assert_almost_equal(x.mean(), y.mean(), 3, err_msg=f"of {x.size}")
    assert_(x.ndim == 1, "one axis")
    return x.dtype.itemsize


def between_prints(x, y):
    print("before")
    assert_array_equal(x, y, strict=True)
    print("after")


def handled(x, y):
    try:
        assert_array_less(x, y)
    except AssertionError as error:
        return str(error)
    return "less"


def in_a_loop(x, y):
    for k in range(len(x)):
        x[k] += 1.0
        assert_array_almost_equal(x[: k + 1], y[: k + 1] + 1.0)
    return x


def of_lists(x, y):
    assert_equal([x, (y, 1)], [x, (y, 1)])
    assert_equal({"a": x.sum()}, {"a": y.sum()})


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function", [compared, of_shapes_and_numbers, between_prints, handled, in_a_loop, of_lists]
)
def test_a_check_passes_and_fails_as_it_does_plainly(function: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    x = np.linspace(0.5, 2.0, 6)
    far, other = x + 0.5, x.astype(np.float32)
    far[3] = np.nan
    for y in (x.copy(), far, x.copy(), other, x[:4].copy(), x + 1e-9):
        expected, found = (call(each, (x.copy(), y.copy())) for each in (function, converted))
        # An error is shown at the line that asks for the check, not within NumPy.
        assert (type(found.error), str(found.error)) == (type(expected.error), str(expected.error))
        for name in ("result", "arguments", "output"):
            assert not differences(getattr(expected, name), getattr(found, name), name)
    assert converted.calls.broken is None
