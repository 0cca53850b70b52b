"""Updates are done in place where nobody wants the old contents, and copies are made before loops rather than in them."""

import copy
import linecache

import numpy as np
import pytest

import transpile


def swapped_unless(x, n):
    a, b = x.copy(), np.zeros_like(x)
    for k in range(n):
        if a[0] > 3:
            continue
        for i in range(len(a)):
            b[i] = a[len(a) - 1 - i] + k
        a, b = b, a
    return a + 0, b + 0


def swapped_or_not(x, n):
    a, b = x.copy(), x + 1
    for k in range(n):
        if k % 3 == 1:
            a, b = b, a
        for i in range(1, len(a)):
            a[i] += b[i - 1]
    return a + 0, b + 0


def three_change_places(x, n):
    a, b, c = x.copy(), x + 1, x * 2
    for k in range(n):
        if k % 2:
            if k % 3:
                a, b = b, a
            else:
                b, c = c, b
        for i in range(len(a)):
            a[i] = b[i] * 0.5 + c[i]
            b[i] += a[i]
    return a + 0, b + 0, c + 0


FUNCTIONS = (swapped_unless, swapped_or_not, three_change_places)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_arrays_that_change_places_are_what_they_were(function, device):
    converted = transpile.convert(function, device=device)
    for size in (2, 5, 8):
        for n in range(8):
            x = np.random.default_rng(n).normal(0, 2, size)
            for found, known in zip(converted(x.copy(), n), function(copy.copy(x), n), strict=True):
                np.testing.assert_array_equal(found, known)


def test_nothing_is_copied_where_branches_exchange_arrays():
    converted = transpile.convert(swapped_unless, strict=True)
    converted(np.ones(5), 4)
    (entry,) = converted.calls.entries
    assert not entry.copies


@pytest.mark.parametrize("function", [swapped_or_not, three_change_places])
def test_what_is_in_the_way_is_copied_before_the_loop_and_not_in_it(function):
    converted = transpile.convert(function, strict=True)
    converted(np.ones(5), 4)
    (entry,) = converted.calls.entries
    assert entry.copies
    for *_, place in entry.copies:
        assert linecache.getline(place.file, place.line).strip().startswith("for i in")
