"""Compiled traces: what they show before they end, and what goes straight to them."""

import numpy as np
import pytest

from transpile import convert


def gives(x):
    return x * 2


def writes(x):
    x[0] = 1.0


def prints(x):
    print(x[0])


def grows(n):
    product = 1
    for _ in range(n):
        product *= 1000
    return product


@pytest.mark.parametrize("function, visible", [(gives, False), (writes, True), (prints, True)])
def test_what_can_be_seen_before_the_end_is_known(function, visible):
    converted = convert(function, device="host", strict=True)
    converted(np.zeros(3))
    (entry,) = converted.calls.entries
    assert entry.visible == visible


def test_calls_go_to_the_newest_trace_first_and_to_the_others_then():
    converted = convert(gives, device="host", strict=True)
    for _ in range(3):
        assert converted(np.ones(2)).tolist() == [2.0, 2.0]
        assert converted(np.ones(2, int)).tolist() == [2, 2]
    newest, oldest = converted.calls.entries
    assert (newest.hits, oldest.hits) == (3, 3)
    assert converted.cache_info()[:2] == (4, 2)


def test_call_that_is_left_to_plain_python_is_counted():
    converted = convert(grows)
    assert converted(3) == 1000**3
    for _ in range(3):
        assert converted(30) == 1000**30
    (entry,) = converted.calls.entries
    assert (entry.hits, entry.deoptimised) == (1, 3)


def test_floating_point_errors_that_are_to_be_raised_are_left_to_numpy():
    converted = convert(gives, device="host")
    converted(np.ones(2))
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        converted(np.array([1e308, 1.0]))
    assert converted.calls.entries[0].hits == 1
