"""Statements that store over what they have read need no memory for all of it, and give what NumPy gives."""

import importlib.util
import itertools

import numpy as np
import pytest

import transpile
from transpile.devices.loops import follow
from transpile.devices.loops.statement import Allocate, For, SumRow

WIDE = np.sin(np.arange(23.0 * 31.0)).reshape(23, 31)


def memory(found):
    """The first dims of what a kernel makes for itself."""
    return [s.buffer.dims[0] for s in found if isinstance(s, Allocate)]


def rings(found):
    """Of these, the lengths of rings: how many rows are kept where rows are long."""
    return [dim for dim in memory(found) if isinstance(dim, int)]


def test_a_stencil_over_its_own_input_keeps_two_rows(scheduled):
    def function(a):
        a[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])

    for shape in ((23, 31), (3, 31), (4, 3), (3, 3), (40, 200)):
        found = scheduled(function, np.cos(np.arange(float(np.prod(shape)))).reshape(shape))
        assert rings(found) == [2] and found.count(For) == 1


def test_errors_that_are_looked_for_are_gathered_row_by_row(scheduled):
    def function(a):
        a[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1])

    program = scheduled(function, WIDE.copy()).program
    assert program.tells and not program.saved
    with pytest.warns(RuntimeWarning, match="overflow encountered in add"):
        scheduled(function, WIDE * 1e308)


def test_a_shift_along_rows_keeps_one_row(scheduled):
    def function(a, b):
        a[:, 1:] = a[:, :-1] * 2.0 + b[:, 1:]

    assert rings(scheduled(function, WIDE.copy(), WIDE + 1.0)) == [1]


def test_planes_of_three_axes_follow_each_other(scheduled):
    def function(a):
        a[1:-1, :, 1:-1] = a[:-2, :, 1:-1] + a[2:, :, 2:]

    assert rings(scheduled(function, np.sin(np.arange(900.0)).reshape(5, 12, 15))) == [2]


def test_arrays_in_fortran_order_give_what_numpy_gives(scheduled):
    def function(a):
        a[1:-1, 1:-1] = a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1]

    scheduled(function, np.asfortranarray(WIDE))


def test_where_rows_are_short_all_is_kept(scheduled):
    def function(a):
        a[1:-1] = 0.5 * (a[:-2] + a[2:])

    found = scheduled(function, WIDE[:, :3].copy())
    assert len(memory(found)) == 2 and rings(found) == [2]

    def known(a):
        b = a.reshape(-1, 3)
        b[1:-1] = 0.5 * (b[:-2] + b[2:])

    assert rings(scheduled(known, np.sin(np.arange(300.0)))) == []


@pytest.mark.parametrize(
    "value",
    [
        lambda a, k: a[:23, :23].T,
        lambda a, k: a[k, :23],
        lambda a, k: a[::-1, :23] * 2.0,
    ],
)
def test_where_rows_are_not_known_apart_all_is_kept(scheduled, value):
    def function(a, k):
        a[:, 1:24] = value(a, k)

    found = scheduled(function, WIDE.copy(), np.arange(23)[::-1].copy())
    assert 2 not in memory(found) and found.count(For) == 0


def test_steps_give_what_numpy_gives(scheduled):
    def function(a):
        a[::2][1:] = a[::2][:-1] + 1.0
        a[::-1][1:-1] = a[:-2] + a[2:]
        a[1::2] = a[: len(a) // 2] * 0.5

    scheduled(function, WIDE.copy())


def test_a_temporary_that_is_wanted_later_is_kept(scheduled):
    def function(a):
        t = a[:-2] + a[2:]
        a[1:-1] = t
        return t

    assert scheduled(function, WIDE.copy()).count(For) == 0

    def other(a):
        t = a[:-2] + a[2:]
        a[1:-1] = t
        return t[1:].sum() + t[::2].max()

    assert scheduled(other, WIDE.copy()).count(For) == 0


def test_loops_over_time_start_anew_each_time(scheduled):
    def function(a, turns):
        for k in range(turns):
            a[1:-1, 1:-1] = (a[:-2, 1:-1] + a[2:, 1:-1]) * 0.5 + k
            a[0] = a[-2]

    assert 2 in memory(scheduled(function, WIDE.copy(), 7))


def test_what_is_handed_in_is_stored_whole(scheduled):
    def function(a, total):
        for _ in range(3):
            np.add(a[:-2, 1:-1], a[2:, 1:-1], total)
            total += a[1:-1, :-2]
            np.multiply(total, 0.25, a[1:-1, 1:-1])

    found = scheduled(function, WIDE.copy(), np.zeros((21, 29)))
    assert memory(found) == []


def test_a_check_between_is_made_before_anything_is_stored(scheduled):
    def function(a, k):
        t = a[:-2] + a[2:]
        if k < 0:
            raise ValueError("negative")
        a[1:-1] = t * k

    scheduled(function, WIDE.copy(), 3)


TEXT = """
def function(a):
    n, m = a.shape
    a[4 : n - 4, 2 : m - 2] = a[{0} : n - 8 + {0}, 1 : m - 3] - a[{1} : n - 8 + {1}, 3 : m - 1] * 0.5
"""


@pytest.mark.parametrize("first, second", list(itertools.product((0, 1, 3, 4, 5, 8), (0, 2, 4, 7))))
def test_any_two_shifts_give_what_numpy_gives(scheduled, tmp_path, first, second):
    file = tmp_path / "shifts.py"
    file.write_text(TEXT.format(first, second))
    spec = importlib.util.spec_from_file_location("shifts", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rows = 4 - min(first, second, 4)
    for height in (23, 9, 12):
        found = scheduled(module.function, np.sin(np.arange(height * 31.0)).reshape(height, 31))
        # As many as are between, and the one that is stored, up to a power of two; what lies ahead alone is copied in place.
        if rows:
            assert rings(found) == [1 << rows.bit_length()]


def test_many_nests_follow_each_other(scheduled):
    def function(a, k, source, turns):
        for turn in range(turns):
            down = np.zeros((len(a) + 1, a.shape[1]))
            along = np.zeros((len(a), a.shape[1] + 1))
            down[1:-1] = -k[1:] * np.diff(a, axis=0)
            along[:, 1:-1] = -k[:, 1:] * np.diff(a, axis=1)
            change = down[:-1] - down[1:] + along[:, :-1] - along[:, 1:]
            if turn < 2:
                change += source
            a += 0.1 * change

    for shape in ((23, 31), (2, 31), (3, 17)):
        a = np.sin(np.arange(float(np.prod(shape)))).reshape(shape)
        found = scheduled(function, a, np.cos(a), np.full(shape, 0.25), 4)
        assert found.count(For) == 4
        assert sorted(rings(found)) == [8, 9, 16, 16]


def test_a_nest_that_has_to_do_with_none_before_goes_along_for_one_behind(scheduled):
    def function(a, b):
        t = a[:-2] + a[2:]
        s = b[:-2] * 0.5
        a[1:-1] = t - s
        b[1:-1] = t + s

    assert rings(scheduled(function, WIDE.copy(), np.cos(WIDE))) == [2, 2]


def test_a_branch_whose_test_is_stored_over_ends_the_stages(scheduled):
    def function(a, more):
        t = a[:-2] + a[2:]
        a[1:-1] = t
        if a[3, 3] > 0.0:
            a[1:] += more[1:]

    for sign in (1, -1):
        whole = (WIDE * 100 * sign).astype(np.int64)
        scheduled(function, whole, whole // 3)


def test_a_branch_of_which_the_first_nest_stores_is_no_stage_of_its_own(scheduled):
    def function(a, flag):
        t = np.zeros_like(a)
        if flag:
            t[1:] = a[:-1]
        else:
            t[:-1] = a[1:]
        a -= t

    for flag in (True, False):
        scheduled(function, (WIDE * 100).astype(np.int64), flag)


def test_a_loop_until_nothing_changes_goes_over_its_rows_once(scheduled):
    def relax(a, tol):
        turns, change = 0, np.inf
        while change > tol:
            new = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
            change = np.abs(new - a[1:-1, 1:-1]).max()
            a[1:-1, 1:-1] = new
            turns += 1
        return turns, change

    for shape in ((23, 31), (3, 40), (40, 5)):
        found = scheduled(relax, np.cos(np.arange(float(np.prod(shape)))).reshape(shape), 0.01)
        assert rings(found) == [2] and found.count(For) == 1
    broken = WIDE.copy()
    broken[4, 5] = np.nan
    scheduled(relax, broken, 0.01)


def test_counts_and_extremes_are_gathered_row_by_row(scheduled):
    def step(a, n):
        counts = np.zeros((n, 3), np.int64)
        for k in range(n):
            new = (a[:-2] + a[2:]) & 7
            counts[k] = np.count_nonzero(new == 3), new.max(), new.min()
            a[1:-1] = new
        return counts

    found = scheduled(step, np.arange(23 * 31).reshape(23, 31) % 11, 4)
    assert 2 in memory(found)


def test_numbers_between_nests_are_computed_behind_them(scheduled):
    def step(a, n):
        total = 0
        for k in range(n):
            new = (a[:-2] + a[2:] + k) & 63
            most = new.max()
            total += most * 3 - a[5, 4] + new[2, 3]
            a[1:-1] = new
        return total

    scheduled(step, np.arange(23 * 31).reshape(23, 31) % 11, 4)


def fields(a, b, c, turns):
    for _ in range(turns):
        b[:, :] -= 0.5 * (a[:, 1:] - a[:, :-1])
        c[:, :] += 0.5 * (a[1:] - a[:-1])
        a[1:-1, 1:-1] += c[1:, 1:-1] - c[:-1, 1:-1] - b[1:-1, 1:] + b[1:-1, :-1]
    return a.sum()


def test_in_loops_over_time_what_caches_do_not_hold_is_gone_over_once(scheduled, nothing_kept, monkeypatch):
    arguments = WIDE.copy(), WIDE[:, 1:] * 2.0, WIDE[1:] * 3.0, 4
    found = scheduled(fields, *arguments)
    assert found.count(For) == 4 and memory(found) == []
    monkeypatch.setattr(follow, "_LARGE", 16)
    monkeypatch.setattr(follow, "_LINES", 4)
    scheduled(fields, *arguments)

    def once(a, b):
        b[:, 1:] = a[:, :-1] + b[:, 1:]
        a[1:] = b[:-1] * 0.5

    assert scheduled(once, WIDE.copy(), WIDE * 2.0).count(For) == 0


def test_what_threads_would_share_follows_where_they_would_wait_for_memory(
    scheduled, nothing_kept, monkeypatch
):
    def heat(a):
        b = a.copy()
        x, y = b[1:-1, 2:] + b[1:-1, :-2], b[2:, 1:-1] + b[:-2, 1:-1]
        a[1:-1, 1:-1] = b[1:-1, 1:-1] + 0.2 * (x - 2 * b[1:-1, 1:-1]) + 0.3 * (y - 2 * b[1:-1, 1:-1])

    assert 4 in rings(scheduled(heat, WIDE.copy()))
    monkeypatch.setattr(follow, "_LARGER", 16)
    assert 4 in rings(scheduled(heat, WIDE.copy()))

    def dearer(a):
        b = np.sin(a[:-2]) * np.cos(a[2:])
        a[1:-1] = b

    assert 2 not in rings(scheduled(dearer, WIDE.copy()))


@pytest.fixture
def summed(monkeypatch):
    """Have sums go along wherever rows are long."""
    monkeypatch.setattr(follow, "_SUMMED", 0)


def residuals(a, steps):
    found = np.zeros(steps)
    for step in range(steps):
        old = a.copy()
        a[1:-1, 1:-1] = 0.25 * (old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:])
        found[step] = np.sqrt(((a - old) ** 2).sum())
    return found


def changes(a, steps):
    found = []
    for _ in range(steps):
        change = np.zeros_like(a)
        change[:, 1:-1] = 0.5 * (a[:, :-2] + a[:, 2:])
        a += change
        found.append(change.mean() + np.abs(change).sum())
    return np.array(found)


@pytest.mark.parametrize("function", [residuals, changes])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sums_of_what_is_kept_for_a_few_rows_go_along(scheduled, summed, function, dtype):
    for shape in ((3, 70), (23, 31), (40, 200), (2, 32), (9, 1030), (0, 40)):
        given = np.sin(np.arange(float(np.prod(shape)))).reshape(shape).astype(dtype)
        if function is changes and not given.size:
            continue
        if function is residuals and len(given) < 2:
            continue
        found = scheduled(function, given, 3)
        assert found.count(SumRow) == (2 if function is changes else 1)


def test_sums_of_planes_go_along(scheduled, summed):
    def function(a):
        c = a * 2.0
        b = c + 1.0
        c[1:-1] = 0.5 * (b[:-2] + b[2:])
        return (c * b).sum(), b.sum(axis=(1, 2)).sum(), c

    def planes(a):
        c = a * 2.0
        b = c + 1.0
        c[1:-1] = 0.5 * (b[:-2] + b[2:])
        return (c * b).sum(), c

    for one in (function, planes):
        scheduled(one, np.sin(np.arange(9.0 * 12 * 15)).reshape(9, 12, 15))
        scheduled(one, np.sin(np.arange(4.0 * 3 * 170)).reshape(4, 3, 170))
    assert scheduled(planes, np.ones((3, 4, 5))).count(SumRow) == 1


def test_sums_that_spare_no_memory_stay_as_they_are(scheduled, summed):
    def function(a, steps):
        total = 0.0
        for _ in range(steps):
            a[1:-1] = 0.5 * (a[:-2] + a[2:])
            total += a.mean()
        return total

    found = scheduled(function, WIDE.copy(), 3)
    assert found.count(SumRow) == 0 and rings(found) == [2]


def test_sums_that_numpy_goes_over_in_other_orders_stay(scheduled, summed):
    def function(a, b):
        c, d = a + 1.0, b + 1.0
        a[1:-1] = 0.5 * (c[:-2] + c[2:])
        b[1:-1] = 0.5 * (d[:-2] + d[2:])
        return c.sum(axis=0), c.T.sum(axis=1), d.sum(), (c + b.T[:1, :1]).sum(axis=1)

    given = WIDE.copy(), np.asfortranarray(WIDE)
    assert scheduled(function, *given).count(SumRow) == 0


def test_sums_are_of_what_was_there(scheduled, summed):
    def function(a, b):
        old = a * 2.0
        a[1:-1] = 0.5 * (old[:-2] + a[2:])
        one = (a - old).sum()
        a[2:-2] = a[:-4] + b[4:] * one
        two = (a + b).sum()
        b[1:-1] = 0.5 * (b[:-2] + a[2:])
        new = a + b
        b[1:-1] = new[2:] - new[:-2]
        return one, two, b.mean(), (b * new).sum()

    scheduled(function, WIDE.copy(), WIDE * 2.0)
    scheduled(
        function, np.cos(np.arange(4000.0)).reshape(40, 100), np.sin(np.arange(4000.0)).reshape(40, 100)
    )


def test_the_largest_change_goes_along_where_caches_do_not_hold_arrays(scheduled, monkeypatch):
    for size in ("_LARGE", "_LINES"):
        monkeypatch.setattr(follow, size, 4)

    def settled(a, tolerance):
        change, count = 1.0, 0
        while change > tolerance and count < 9:
            new = a.copy()
            new[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
            change = np.abs(new - a).max()
            a = new
            count += 1
        return a, change, count

    for given in (WIDE, WIDE[:, :7], np.zeros((4, 5)), WIDE[:2, :9]):
        assert scheduled(settled, given, 1e-2).count(For) == 1
        scheduled(settled, given, 10.0)
    odd = WIDE.copy()
    odd[3, 4] = np.nan
    scheduled(lambda a: settled(a, 1e-2)[1], odd)


def test_rows_that_are_stored_again_are_stored_while_they_are_in_the_cache(scheduled, monkeypatch):
    for size in ("_LARGE", "_LINES"):
        monkeypatch.setattr(follow, size, 4)

    def function(a, steps):
        for _ in range(steps):
            new = a.copy()
            new[2:-2] = a[2:-2] + 0.1 * (a[4:] - 2.0 * a[2:-2] + a[:-4])
            a = new
        return a

    assert scheduled(function, WIDE, 3).count(For) == 2
    scheduled(function, WIDE, 0)


def test_no_row_is_stored_behind_the_last_one(scheduled, nothing_kept, monkeypatch):
    monkeypatch.setattr(follow, "_LARGE", 16)
    monkeypatch.setattr(follow, "_LINES", 4)

    def step(a, u, v, w, turns):
        for k in range(turns):
            v[-1] = v[-1] * 0.5
            if k % 3 == 0:
                a[1:] *= 0.75
            v[3:, 1:-1] += 0.3 * (u[2:-1, 1:-1] - w[2:-1, 2:])
            w[2:, 1:-1] = 0.3 * (a[2:, 1:-1] - u[2:, 1:-1])
            v[:-2] = 0.3 * (v[2:] - a[2:])

    for rows in (5, 6, 12, 23):
        memory = np.ones((rows + 10, 31))
        scheduled(step, WIDE[:rows].copy(), WIDE[:rows] * 2.0, WIDE[:rows] + 1.0, memory[:rows], 5)
        arguments = WIDE[:rows].copy(), WIDE[:rows] * 2.0, WIDE[:rows] + 1.0, memory[:rows], 5
        transpile.convert(step, strict=True)(*arguments)
        assert (memory[rows:] == 1.0).all()
