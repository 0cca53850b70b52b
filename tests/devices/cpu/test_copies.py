"""Copies of arrays are what the arrays were, whatever memory they are made in."""

import numpy as np
import pytest

from transpile.devices.cpu import copies


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.complex64, np.int8])
def test_copies_are_equal_and_apart(order, dtype):
    for size in (0, 3, 100, 300):
        array = np.asarray(np.arange(size * size).reshape(size, size), dtype, order=order)
        for given in (array, array[::2, 1:]):
            copy, buffer = copies.copied(given)
            np.testing.assert_array_equal(copy, given)
            assert copy.dtype == dtype and not np.shares_memory(copy, given)
            copies.done_with(buffer)


def test_memory_of_a_copy_is_used_again_only_when_it_is_done_with():
    array = np.ones(10_000)
    first, buffer = copies.copied(array)
    second, other = copies.copied(array)
    assert not np.shares_memory(first, second)
    copies.done_with(buffer)
    copies.done_with(other)
    third, _ = copies.copied(array)
    assert np.shares_memory(third, first) or np.shares_memory(third, second)
