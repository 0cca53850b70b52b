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


def fails(x, places):
    total = 0.0
    for i in range(len(places)):
        total += x[places[i]]
    return total


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
    converted = convert(fails, device="host")
    assert converted(np.ones(2), np.zeros(2, int)) == 2.0
    for _ in range(3):
        with pytest.raises(IndexError) as caught:
            converted(np.ones(2), np.full(2, 5))
        assert caught.value.__context__ is None
    (entry,) = converted.calls.entries
    assert (entry.hits, entry.deoptimised) == (1, 3)


def test_floating_point_errors_that_are_to_be_raised_are_left_to_numpy():
    converted = convert(gives, device="host")
    converted(np.ones(2))
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        converted(np.array([1e308, 1.0]))
    assert converted.calls.entries[0].hits == 1
