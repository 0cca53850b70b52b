"""What is stored for a loop alone is kept as long as it is wanted there, and what is wanted elsewhere is kept."""

import numpy as np

from transpile.devices.loops.statement import Allocate

WIDE = np.sin(np.arange(23.0 * 31.0)).reshape(23, 31)


def rings(found):
    """The lengths of the rings among what a kernel makes for itself."""
    dims = [s.buffer.dims[0] for s in found if isinstance(s, Allocate)]
    return [dim for dim in dims if isinstance(dim, int)]


def test_a_ring_holds_a_power_of_two_of_rows(scheduled):
    def function(a):
        a[3:] = a[:-3] * 0.5 + a[3:]

    assert rings(scheduled(function, WIDE.copy())) == [4]

    def further(a):
        a[4:] = a[:-4] * 0.5 + a[4:]

    assert rings(scheduled(further, WIDE.copy())) == [8]


def test_a_row_that_is_read_at_once_is_the_only_one(scheduled):
    def function(a):
        a[:, 1:-1] = (a[:, :-2] + a[:, 2:]) * 0.5

    assert rings(scheduled(function, WIDE.copy())) == [1]


def test_other_types_of_numbers_have_rings_too(scheduled):
    def function(a):
        a[1:] = a[:-1] + a[1:]

    for dtype in (np.float32, np.int16, np.complex128):
        assert rings(scheduled(function, (WIDE * 100).astype(dtype))) == [2]


def test_what_a_loop_carries_is_kept(scheduled):
    def function(a, turns):
        old = a[:-2] * 1.0
        for _ in range(turns):
            new = a[:-2] + a[2:] + old
            a[1:-1] = new
            old = new
        return old

    assert rings(scheduled(function, WIDE.copy(), 4)) == []


def test_what_a_branch_reads_is_kept(scheduled):
    def function(a, flag):
        t = a[:-2] + a[2:]
        a[1:-1] = t
        if flag > 0:
            a[0] = t[1] + t[-1]

    for flag in (5, -5):
        assert rings(scheduled(function, WIDE.copy(), flag)) == []


def test_what_is_filled_and_stored_over_in_part_is_so_row_by_row(scheduled):
    def function(a):
        t = np.ones((len(a) - 2, a.shape[1]))
        t[:, 2:] = a[:-2, 2:] + a[2:, 2:]
        a[1:-1] = t

    assert rings(scheduled(function, WIDE.copy())) == [2]

    def rims(a, flux):
        t = np.zeros_like(flux)
        t[1:-1] = flux[1:-1] * (a[1:] - a[:-1])
        a += t[1:] - t[:-1]

    for rows in (22, 5, 2):
        assert rings(scheduled(rims, WIDE[:rows].copy(), np.cos(WIDE[: rows + 1]))) == [2]


def test_what_a_branch_stores_over_is_so_row_by_row(scheduled):
    def function(a, more, flag):
        t = a[:-2] + a[2:]
        if flag > 0:
            t += more
        a[1:-1] = t

    # Of floats, errors would be told of between.
    whole = (WIDE * 100).astype(np.int64)
    for flag in (5, -5):
        assert rings(scheduled(function, whole.copy(), whole[2:] // 3, flag)) == [2]


def test_rows_of_before_are_wanted_where_less_is_stored_each_time(scheduled):
    def columns(a, m):
        t = np.empty((len(a), m))
        for k in range(m, 0, -1):
            t[:, :k] = a[:, 1 : k + 1] * 2.0
            a[:, 1:] = t * 0.5 + 1.0

    assert rings(scheduled(columns, WIDE.copy(), 30)) == []

    def rows(a, n):
        t = np.empty((n, a.shape[1]))
        for k in range(n):
            t[: n - k] = a[: n - k] * 2.0
            a[:] = t * 0.5 + a

    assert rings(scheduled(rows, WIDE.copy(), 23)) == []

    def branch(a, n):
        t = np.empty_like(a)
        t[:] = 1.0
        for k in range(n):
            if k % 2 == 0:
                t[:] = a * 2.0
            a[1:] = t[:-1] * 0.5 + 1.0

    assert rings(scheduled(branch, WIDE.copy(), 5)) == []


def test_memory_from_outside_a_loop_that_is_filled_each_time_is_a_ring(scheduled):
    def function(a, turns):
        t = np.empty_like(a)
        for _ in range(turns):
            t[:] = a * 2.0
            t[:, 1:-1] += a[:, 2:]
            a[:, 1:] = t[:, :-1] - t[:, 1:]

    assert rings(scheduled(function, WIDE.copy(), 4)) == [8]
