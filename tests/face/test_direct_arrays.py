"""Calls that are served by machine code, of arrays that lie otherwise than in C order."""

import numpy as np
import pytest

from transpile import convert
from transpile.devices.cpu import c_code
from transpile.runtime.errors import StagingError

from .test_direct import at_once, converted, served  # noqa: F401

pytestmark = pytest.mark.skipif(not c_code.is_known(), reason="objects lie otherwise in memory")

A = np.arange(24.0).reshape(4, 6)
CUBE = np.arange(60).reshape(3, 4, 5)


def weighed(a, k):
    total, count = 0.0, 1
    for x in a.ravel():
        total = total * k + x
        count += 1
    return total, count, a.shape


def adds(a, b):
    for i in range(len(a)):
        a[i] += b[i]
    return a


def fills(a, b):
    a[...] = b
    return a.shape


def readonly(a):
    a = a.copy()
    a.flags.writeable = False
    return a


LAYOUTS = {
    "fortran": lambda: np.asfortranarray(A),
    "turned": lambda: A.copy().T,
    "rows": lambda: A.copy()[::2],
    "columns": lambda: A.copy()[:, 1:5:2],
    "backwards": lambda: A.copy()[::-1, ::-1],
    "column": lambda: A.copy()[:, 2],
    "line": lambda: A.copy()[1],
    "every other": lambda: np.arange(9.0)[::2],
    "read only": lambda: readonly(A),
    "repeated": lambda: np.broadcast_to(np.arange(6.0), (4, 6)),
    "one repeated": lambda: readonly(np.arange(4.0)[:, None] * np.ones(1))[:, :1],
    "axes": lambda: CUBE.transpose(1, 0, 2),
    "other axes": lambda: CUBE.transpose(2, 0, 1)[:, ::2],
    "a column": lambda: A.copy()[:, 2:3],
    "empty": lambda: A.copy()[2:2, ::2],
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_arrays_are_served_as_they_lie(layout):
    found = converted(weighed, LAYOUTS[layout](), 2.0)
    assert repr(found(LAYOUTS[layout](), 0.5)) == repr(weighed(LAYOUTS[layout](), 0.5))
    assert served(found) == 1


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_layout_is_told_from_the_others(layout):
    for make in LAYOUTS.values():
        found = converted(weighed, LAYOUTS[layout](), 2.0)
        assert repr(found(make(), 0.5)) == repr(weighed(make(), 0.5))


WRITTEN = ["fortran", "turned", "rows", "columns", "backwards", "column", "every other"]


@pytest.mark.parametrize("function", [adds, fills])
@pytest.mark.parametrize("layout", WRITTEN)
def test_what_is_written_lies_where_it_should(function, layout):
    found = convert(function, strict=True)
    for _ in range(2):
        one, other = LAYOUTS[layout](), LAYOUTS[layout]()
        bases = one if one.base is None else one.base, other if other.base is None else other.base
        result, expected = found(one, 2.0 * other), function(other, 2.0 * other)
        assert (bases[0] == bases[1]).all() and repr(result) == repr(expected)
    # What has to be saved is served where it lies in C order.
    assert function is adds or served(found) == 1


def test_elements_that_are_there_twice_are_written_as_by_python():
    def views(step):
        return np.lib.stride_tricks.as_strided(np.zeros(20), (4, 3), (8 * step, 8))

    found = converted(fills, views(4), np.ones((4, 3)))
    for step in (3, 2, 1, 4):
        one, other = views(step), views(step)
        values = np.arange(12.0).reshape(4, 3)
        try:
            found(one, values)
        except StagingError:
            continue
        fills(other, values)
        assert (one == other).all()


def test_errors_leave_behind_what_was_written_before():
    found = convert(adds, strict=True)
    found(A.copy()[:, 2], np.ones(4))
    one, other = A.copy(), A.copy()
    for array, function in ((one, found), (other, adds)):
        with pytest.raises(IndexError, match="out of bounds"):
            function(array[:, 2], np.ones(2))
    assert (one == other).all()


def test_arrays_in_one_memory_are_left_to_others():
    memory, same = np.arange(12.0), np.arange(12.0)
    found = converted(fills, memory[::2], memory[1::2] + 0)
    assert found(memory[::2], memory[1::2]) == fills(same[::2], same[1::2])
    assert (memory == same).all()
    with pytest.raises(StagingError, match="share memory"):
        found(memory[:6], memory[3:9])
