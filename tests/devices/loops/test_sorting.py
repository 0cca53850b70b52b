"""NumPy's own sorts are found, and called where they can be."""

import numpy as np
import pytest

from transpile import convert
from transpile.devices.loops import routines


@pytest.mark.parametrize("function", ["sort", "argsort", "stable_sort", "stable_argsort"])
@pytest.mark.parametrize("character", "bhilqBdfFD?")
def test_routines_are_found(function, character):
    assert routines.routine(function, character)


def test_routines_that_sort_otherwise_are_not_taken():
    other = routines.routine("sort", "b")
    assert routines._is_right("sort", other, np.dtype("b"))
    assert not routines._is_right("sort", other, np.dtype("d"))


@pytest.mark.parametrize("character", "OVSe")
def test_other_dtypes_have_none(character):
    assert routines.routine("sort", character) is None


def sorts(x):
    return np.sort(x)


def sorts_stably(x):
    return np.argsort(x, kind="stable")


def sorts_columns(x):
    return np.sort(x, axis=0)


@pytest.mark.parametrize("function, native", [(sorts, True), (sorts_stably, True), (sorts_columns, False)])
def test_sorts_along_the_last_axis_are_native(function, native):
    text = convert(function, strict=True).kernels(np.ones((3, 4)))
    assert ("np_" in text) == native
    assert ("upcall" in text) != native


def orders(a, b):
    return np.lexsort((a, b)), np.lexsort((b, a[::-1], a)), np.argsort(b, kind="stable")


@pytest.mark.parametrize("dtype", ["?", "b", "H", "i", "l", "f", "d"])
def test_orders_by_several_keys_are_those_of_numpy(dtype):
    random = np.random.default_rng(4)
    converted = convert(orders, strict=True)
    for size in (0, 1, 2, 30, 3000):
        a, b = (random.integers(0, 5, size).astype(dtype) for _ in range(2))
        for found, expected in zip(converted(a, b), orders(a, b), strict=True):
            assert np.array_equal(found, expected)
