"""Of the rows over which nests follow each other LLVM knows nothing."""

import re

import numpy as np
from numba import njit

import transpile
from transpile.devices.cpu.opaque import opaque


def test_a_number_is_what_it_was():
    @njit
    def same(x):
        return opaque(x)

    assert [same(x) for x in (0, 1, -5, 2**62)] == [0, 1, -5, 2**62]


def smoothed(a, steps):
    for _ in range(steps):
        a[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3.0
    return a


def test_rows_of_nests_that_follow_each_other_are_opaque():
    rows = np.sin(np.arange(40.0 * 50.0)).reshape(40, 50)
    converted = transpile.convert(smoothed, strict=True)
    loops = re.findall(r"for row in range\(.*\):\n *(.*)\n", converted.kernels(rows, 3))
    assert loops and all(line == "row = opaque(row)" for line in loops)
    assert np.array_equal(converted(rows.copy(), 3), smoothed(rows.copy(), 3))
