"""Calls whose arguments are not what a trace assumes are traced anew, but not for ever."""

import numpy as np
import pytest

import transpile


def total(x, n):
    s = 0.0
    for i in range(n):
        s += x[i]
    return s


def added(x, y):
    return x + y


def test_a_call_that_an_assumption_refutes_has_a_trace_of_its_own():
    converted = transpile.convert(total, strict=True)
    x = np.arange(5.0)
    assert converted(x, 3) == 3.0
    with pytest.raises(IndexError, match="index 5 is out of bounds for axis 0 with size 5"):
        converted(x, 6)
    assert converted(x, 5) == 10.0
    assert converted.cache_info().misses == 2


def test_calls_that_cannot_be_right_are_traced_a_few_times_only():
    converted = transpile.convert(added)
    assert converted(np.ones(3), np.ones(3)).tolist() == [2.0, 2.0, 2.0]
    for _ in range(10):
        with pytest.raises(ValueError, match="could not be broadcast together"):
            converted(np.ones(3), np.ones(4))
    assert converted.cache_info().misses == 5
    assert converted(np.ones(7), np.ones(7)).sum() == 14.0
