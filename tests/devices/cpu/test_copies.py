"""Copies of arrays are what the arrays were, whatever memory they are made in."""

import numpy as np
import pytest

import transpile
from transpile.devices.cpu import copies


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.complex64, np.int8])
def test_copies_are_equal_and_apart(order, dtype):
    for size in (0, 3, 100, 300):
        array = np.asarray(np.arange(size * size).reshape(size, size), dtype, order=order)
        for given in (array, array[::2, 1:]):
            copy = copies.copied(given)
            np.testing.assert_array_equal(copy, given)
            assert copy.dtype == dtype and not np.shares_memory(copy, given)


def test_the_original_runs_where_there_is_no_memory_for_a_copy(monkeypatch):
    def function(x, y):
        x += y
        x /= y
        return x.sum()

    def fails(array):
        raise MemoryError

    x, y = np.linspace(1.0, 2.0, 50), np.linspace(2.0, 3.0, 50)
    converted = transpile.convert(function)
    expected = function(x.copy(), y), converted(x.copy(), y)
    monkeypatch.setattr(copies, "copied", fails)
    given, plain = x.copy(), x.copy()
    found = converted(given, y), function(plain, y)
    assert found == expected and given.tobytes() == plain.tobytes()
    assert "left to plain Python 1 time" in str(converted.explain())


def test_a_copy_is_not_made_of_the_last_memory(monkeypatch):
    def function(x, y):
        x += y
        x /= y
        return x[0]

    monkeypatch.setattr(copies, "_HUGE", 400)
    x, y = np.linspace(1.0, 2.0, 50), np.linspace(2.0, 3.0, 50)
    converted = transpile.convert(function)
    for free, left in ((None, 0), (800, 0), (799, 1)):
        monkeypatch.setattr(copies, "free_memory", lambda free=free: free)
        given, plain = x.copy(), x.copy()
        assert converted(given, y) == function(plain, y) and given.tobytes() == plain.tobytes()
        assert ("left to plain Python" in str(converted.explain())) == bool(left)
