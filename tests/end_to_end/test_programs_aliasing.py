"""Programs in which names share memory, types depend on the way, and what is returned may be what was handed in."""

from __future__ import annotations

import math
import operator
from operator import attrgetter
from typing import Any

import numpy as np
import pytest

from transpile import convert

from .programs import Program, Programs, check, counts, name_of, noise

programs = Programs()


@programs(lambda: (noise(4), 3), lambda: (noise(4), 0), lambda: (counts(3), 1))
def relaxed(x, steps):
    for _ in range(steps):
        x = x - 0.1 * x
    return x


@programs(lambda: (noise(4), 1.0), lambda: (noise(4), -1.0))
def copied_on_one_way(x, flag):
    y = x
    if flag > 0:
        y = x.copy()
    return y


@programs(lambda: (noise(4), 1.0), lambda: (noise(4), -1.0))
def one_of_two(x, flag):
    y = np.zeros_like(x)
    return x if flag > 0 else y


@programs(
    lambda: (noise(4), noise(4, seed=1), 1),
    lambda: (noise(4), noise(4, seed=1), 0),
    lambda: (lambda x: (x, x, 1))(noise(3)),
)
def one_of_the_callers(x, y, n):
    if n > 0:
        z = x
    else:
        z = y
    return z, n


@programs(
    lambda: (noise(4), noise(4, seed=1), 3),
    lambda: (noise(4), noise(4, seed=1), 0),
    lambda: (noise(2), noise(2), 1),
)
def swapped_in_a_loop(x, y, n):
    for _ in range(n):
        x, y = y, x
    return x, y


@programs(lambda: (noise(4), noise(4, seed=1), 3), lambda: (noise(4), noise(4, seed=1), 0))
def swapped_and_written(x, y, n):
    for _ in range(n):
        x, y = y, x
        x[0] += 1


@programs(
    lambda: (noise(9), noise(9, seed=1), 4),
    lambda: (noise(9), noise(9, seed=1), 3),
    lambda: (noise(9), noise(9, seed=1), 0),
)
def exchanged_buffers(u, v, steps):
    for _ in range(steps):
        v[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u, v = v, u
    return u


@programs(lambda: (noise(7), noise(7, seed=1), 4), lambda: (noise(7), noise(7, seed=1), 3))
def exchanged_and_used_after_that(u, v, steps):
    for _ in range(steps):
        for i in range(1, len(u) - 1):
            v[i] = 0.5 * (u[i - 1] + u[i + 1])
        u, v = v, u
    u[:] = v
    w = u[2:]
    w *= 3
    return [float(x) for x in u], v @ u, len(v), u.max(), v.copy(), u is v


@programs(
    lambda: (noise(8), noise(8, seed=1), noise(8, seed=2), 5),
    lambda: (noise(8), noise(8, seed=1), noise(8, seed=2), 1),
)
def three_in_turn(a, b, c, steps):
    for _ in range(steps):
        c[1:-1] = 2 * b[1:-1] - a[1:-1] + 0.2 * (b[2:] - 2 * b[1:-1] + b[:-2])
        a, b, c = b, c, a
    return b, a


@programs(lambda: (noise(8), noise(8, seed=1), 0.05), lambda: (noise(8), noise(8, seed=1), 9.0))
def exchanged_until_settled(u, v, tolerance):
    first = u
    change, turns = 1.0, 0
    while change > tolerance and turns < 30:
        v[1:-1] = 0.5 * (u[2:] + u[:-2])
        change = np.abs(v - u).max()
        if change < 1e-12:
            break
        u, v = v, u
        first[0] += 0.25
        turns += 1
    return u, turns


class Buffers:
    def __init__(self, u, v):
        self.u, self.v = u, v

    def step(self):
        self.v[1:-1] = 0.5 * (self.u[2:] + self.u[:-2])
        self.u, self.v = self.v, self.u


@programs(lambda: (noise(8), noise(8, seed=1), 5), lambda: (noise(8), noise(8, seed=1), 2))
def exchanged_by_a_method(u, v, steps):
    buffers = Buffers(u, v)
    for _ in range(steps):
        buffers.step()
    return buffers.u


@programs(lambda: (noise(8), noise(8, seed=1), 5), lambda: (noise(8), noise(8, seed=1), 2))
def exchanged_in_a_loop_in_a_loop(u, v, steps):
    for _ in range(steps):
        for _ in range(3):
            v[1:-1] = 0.5 * (u[2:] + u[:-2])
            if v[2] > u[2]:
                u, v = v, u
        u[0] += 1
    return v


@programs(lambda: (noise(2, 5), 6), lambda: (noise(2, 5), 0))
def one_of_two_rows(table, steps):
    total = 0.0
    for i in range(steps):
        if i % 3 == 0:
            row = table[0]
        else:
            row = table[1]
        row[i % 5] += 1.0
        total += row.sum()
    return total


@programs(lambda: (noise(5), 2), lambda: (noise(5), 0))
def view_of_what_may_be_the_callers(x, steps):
    for _ in range(steps):
        x = x * 2
    return x[1:], x


@programs(lambda: (noise(4), 3), lambda: (noise(4), 0), gaps="S110-alias")
def written_until_replaced(x, n):
    y = x
    for k in range(n):
        y[k] = -1
        y = y * 2
    return y


@programs(lambda: (noise(4), 3), lambda: (noise(4), 0))
def view_carried(x, n):
    v = x[1:]
    for _ in range(n):
        v += 1
        v = v[:-1]
    return x


@programs(lambda: (noise(6), 3), lambda: (noise(6), 0), lambda: (noise(6), 6))
def prefix(x, n):
    y = x[:n]
    y[...] = 0
    return y, x[n:]


@programs(lambda: (noise(3, 3),), lambda: (noise(0, 3),), lambda: (noise(1, 2),), gaps="S213-alias")
def best_row(a):
    best, highest = None, -math.inf
    for row in a:
        if row.sum() > highest:
            best, highest = row, row.sum()
    return best, highest


@programs(lambda: (noise(3), 2), lambda: (noise(3), 5))
def returned_from_inside(x, n):
    for k in range(n):
        x[0] += 1
        if k == 3:
            return x
    return None


@programs(lambda: (noise(3), 0.5), lambda: (noise(3), 50.0))
def either_or_early(x, limit):
    if x.sum() > limit:
        return x, 0
    y = x * 2
    if y.max() > limit:
        return y, 1
    return x + y, 2


@programs(lambda: (noise(3), 1), lambda: (noise(3), 0), gaps="S110-alias")
def made_on_one_way(x, n):
    if n:
        y = np.zeros(3)
    else:
        y = x
    y[0] = 5
    return x, y


@programs(lambda: (noise(3),))
def same_twice(x):
    y = x * 2
    return y, y, [y, x], (x, x[:])


@programs(lambda: (noise(3), 2), lambda: (noise(3), 0), gaps="S213-alias")
def two_results_may_be_one(x, n):
    a = x + 1
    b = a
    for _ in range(n):
        b = b * 2
    return a, b


@programs(lambda: (3, 2.0), lambda: (0, 2.0), lambda: (5, 0))
def union_divided(n, d):
    x = 1
    for k in range(n):
        if k > 0:
            x = x / 2
    return d and x / d, x // 2, x % 3, -x, abs(x), x**2, x > 0, int(x), float(x), [x]


@programs(lambda: (3,), lambda: (0,), lambda: (1,))
def union_is_used(n):
    total = 0
    for k in range(n):
        total += 0.5 * k
    a = np.arange(3) + total
    b = np.zeros(3)
    b[0] = total
    b += total
    return (
        a,
        b,
        math.sqrt(total),
        max(total, 1),
        min(total, 0),
        round(total, 2),
        f"{total}",
        str(total) if False else total,
    )


@programs(lambda: (3, 1), lambda: (0, 1), lambda: (3, 0))
def union_modulo(n, k):
    x = 7
    if n > 2:
        x = 7.5
    return x // (k + 1), x % (k + 1), divmod(x, 2), x << 1 if n <= 2 else None


@programs(lambda: (1, 0), lambda: (3, 0), lambda: (3, 1))
def union_divided_by_zero(n, d):
    x = 1
    if n > 2:
        x = 1.5
    return x / d


@programs(lambda: (noise(3), 3), lambda: (noise(3), -3))
def none_or_number(x, n):
    y = None
    if n > 0:
        y = n
    if y is None:
        return x
    return x * y


@programs(lambda: (3, noise(2)), lambda: (-1, noise(2)))
def bool_or_integer(n, x):
    flag = n > 0 and n
    return flag, flag + 1, not flag, x * flag


@programs(lambda: (noise(5),), lambda: (counts(4),), lambda: (noise(0),))
def text_or_number(x):
    state = "start"
    count = 0
    for v in x:
        if state == "start" and v > 0:
            state = "up"
        elif state == "up":
            state = "done"
            count += 1
        else:
            state = "start"
    return state, count


@programs(lambda: (noise(4), 1e-3), lambda: (noise(1), 1.0))
def changes_until_small(x, tolerance):
    change = None
    steps = 0
    while change is None or change > tolerance:
        new = x / 2
        change = np.abs(new - x).max()
        x = new
        steps += 1
        if steps > 50:
            break
    return x, change, steps


@programs(lambda: (noise(5), 2), lambda: (noise(5), 0), lambda: (noise(5), 5))
def slices_overlap(x, k):
    x[k:] = x[: len(x) - k]
    x[:-1] += x[1:]
    x[1:] *= x[:-1]
    x[::-1] -= x
    return x


@programs(lambda: (noise(4, 4),), lambda: (noise(1, 1),), lambda: (np.asfortranarray(noise(3, 3)),))
def transposed_onto_itself(a):
    a[:] = a.T
    a += a.T
    a[0], a[-1] = a[-1].copy(), a[0].copy()
    a[:, 0], a[:, -1] = a[:, -1], a[:, 0]
    return a


@programs(lambda: (noise(4, 4),), lambda: (noise(2, 2),))
def rows_swapped_wrongly(a):
    a[0], a[1] = a[1], a[0]
    t = a[0]
    a[0] = a[1]
    a[1] = t
    return a


@programs(lambda: (noise(4),))
def list_of_views(x):
    parts = [x[:2], x[2:]]
    for p in parts:
        p += 1
    parts[0][0] = 100
    return parts, x


@programs(lambda: (noise(4),), lambda: (noise(0),), gaps="S111-frozen")
def appended_then_written(x):
    rows = []
    y = np.zeros(2)
    for v in x:
        y[0] = v
        rows.append(y)
    return np.array(rows)


@programs(lambda: (noise(4),), lambda: (noise(0),))
def appended_copies(x):
    rows = []
    y = np.zeros(2)
    for v in x:
        y[0] = v
        rows.append(y.copy())
    return rows


class Grid:
    def __init__(self, n):
        self.cells = np.zeros(n)
        self.inner = self.cells[1:-1]
        self.time = 0

    def advance(self):
        self.inner += 1
        self.cells = self.cells * 2
        self.time += 1


@programs(lambda: (5, 2), lambda: (3, 0), gaps="S110-alias")
def attributes_share(n, steps):
    grid = Grid(n)
    for _ in range(steps):
        grid.advance()
    return grid.cells, grid.inner, grid.time


@programs(lambda: (noise(3), 5), lambda: (noise(3), 0))
def state_in_a_dictionary(x, n):
    state = {"x": x, "count": 0}
    for _ in range(n):
        state["x"] = state["x"] * 0.5
        state["count"] += 1
    return state


@programs(lambda: (noise(3), 5), lambda: (noise(3), 0))
def state_in_a_list(x, n):
    state = [x, 0]
    for _ in range(n):
        state[0] = state[0] + 1
        state[1] += 1
    return state


@programs(lambda: (noise(3), [0.0, 1.0]))
def list_argument_is_changed(x, items):
    items[0] = x.sum()
    items.append(2)
    return items


@programs(lambda: (noise(3), 4), lambda: (noise(3), 0))
def closure_variable(x, n):
    count = 0
    history = []

    def note(v):
        history.append(v)
        return len(history)

    for k in range(3):
        count = note(x[k] + n)
    return count, history


@programs(lambda: (noise(4), 2), lambda: (noise(4), 0))
def integer_scalar_from_array(x, n):
    k = np.arange(5)[n]
    total = 0
    for i in range(k):
        total += x[i]
    return total, k + 1, k / 2, x[k], x[:k], type(k) is np.int64


@programs(
    lambda: (np.array([1, 2, 3], "i4"),),
    lambda: (np.array([250, 3], "u1"),),
    lambda: (np.array([True, False]),),
)
def scalars_keep_their_type(x):
    a = x[0]
    b = a + a
    c = 0
    for v in x:
        c += v
    return a, b, c, a * 1.5, -b if x.dtype != bool else None, a // 2 if x.dtype != bool else 0, a == 1


@programs(
    lambda: (np.float32(1.5), noise(2, dtype="f4")),
    lambda: (1.5, noise(2, dtype="f4")),
    lambda: (np.float64(1.5), noise(2, dtype="f4")),
)
def weak_and_strong(s, x):
    total = s
    for v in x:
        total += v
    return total, s * x, x.sum() * s, np.sqrt(s) * x, s + 1, 2 * s


@programs(lambda: (noise(3, 4), 1), lambda: (noise(3, 4), -2), lambda: (noise(3, 4), 0))
def axis_is_given(a, axis):
    return (
        a.sum(axis=axis),
        a.mean(axis),
        np.argmax(a, axis),
        np.flip(a, axis),
        a.cumsum(axis),
        np.expand_dims(a, axis),
    )


@programs(lambda: (counts(3, 3), True), lambda: (counts(3, 3), False))
def flag_is_given(a, normalise):
    out = a.astype(float)
    if normalise:
        out /= out.sum()
    return out


@programs(lambda: (noise(3), "f4"), lambda: (noise(3), int), lambda: (noise(3), np.complex64))
def dtype_is_given(x, dtype):
    return x.astype(dtype), np.zeros(2, dtype), np.array([1, 2], dtype=dtype)


@programs(lambda: (noise(3), 1), lambda: (noise(3), 0))
def known_by_another_name_on_one_way(x, k):
    y, z = x * 1, x * 2
    if k:
        z = y
    y[0] = 5
    return y * 1, z * 1


@programs(lambda: (noise(3), 1), lambda: (noise(3), 0))
def argument_known_by_another_name_on_one_way(x, k):
    z = x * 2
    if k:
        z = x[1:]
    x += 1
    return z * 1


@programs(lambda: (noise(3), 4), lambda: (noise(3), 0))
def known_by_another_name_from_some_turn_on(x, n):
    y, z = x * 1, x * 2
    for k in range(n):
        if k == 2:
            z = y
        y[0] += z[1] + k
        y[1] += z[0]
    return y * 1, z * 1


@programs(lambda: (noise(3), 4), lambda: (noise(3), 2))
def exchanged_or_known_by_another_name(x, n):
    y, z = x * 1, x * 2
    for k in range(n):
        if k == 1:
            y, z = z, y
        elif k == 2:
            z = y
        y[0] += 5
    return y * 1, z * 1


@programs(lambda: (noise(3), 4), lambda: (noise(3), 2))
def exchanged_on_one_way(x, n):
    y, z = x * 1, x * 2
    for k in range(n):
        if k % 2:
            y, z = z, y
        y[0] += z[1] + 5
    return y * 1, z * 1


@programs(lambda: (noise(3), 1), lambda: (noise(3), 0))
def known_by_another_name_that_is_forgotten(x, k):
    y, z = x * 1, x * 2
    if k:
        z = y
    total = z.sum()
    z = y * 3
    y[0] = 5
    return y * 1, z * 1, total


@programs(lambda: (noise(3), 1), lambda: (noise(3), 0), gaps="S110-alias")
def one_array_on_one_way(x, k):
    y = x * 1
    if k > 0:
        x = y = x * 2
    else:
        y = y - 1
    x[0] = 9
    return y


@programs(lambda: (noise(3), 1), lambda: (noise(3), 0))
def one_array_on_both_ways(x, k):
    y = x
    if k > 0:
        x = y = x * 2
    return x, y


@programs(lambda: (noise(3), 3), lambda: (noise(3), 0), lambda: (noise(1), 1))
def one_array_on_every_turn(x, k):
    a = b = x * 1
    for _ in range(k):
        a = b = a * 2
    a[0] = 7
    return b


@programs(lambda: (noise(3), 3), lambda: (noise(3), 0), lambda: (noise(3), 1))
def arrays_that_take_turns(x, k):
    a, b = x * 1, x * 2
    for _ in range(k):
        a, b = b, a * 2
        a[0] += 1
    return a, b


@programs(lambda: (noise(3), 1), lambda: (noise(3), 0), lambda: (noise(3), 2), gaps="S213-alias")
def one_array_at_last(x, k):
    a = b = x * 1
    if k > 0:
        b = x * 3
    if k > 1:
        b = a
    return a, b


@programs(lambda: (np.arange(3), 1), lambda: (np.arange(3), -1), lambda: (np.arange(1), 0))
def array_of_either_dtype(x, k):
    y = x + 1 if k > 0 else x * 0.5
    z = y[1:]
    y += 2
    y[0] = 7
    return y, z, np.sum(y), y.shape, y.max() if k >= 0 else None, isinstance(y, np.ndarray), len(y)


@programs(lambda: (np.arange(3.0), 3), lambda: (np.arange(3.0), 0), lambda: (np.ones((1, 2)), 1))
def number_until_an_array(x, k):
    total = 0
    for i in range(k):
        total += x * i
    return total, total * 2, np.sqrt(abs(total))


class Pair:
    """Two things that may be one."""

    def __init__(self, one, other):
        self.one, self.other = one, other


both_ways = [lambda n=n, m=m: (noise(3), n, m) for n in (0, 1) for m in (0, 1)]


@programs(*both_ways, gaps="S110-alias")
def written_beside_what_may_be_the_same(x, n, m):
    b = c = x + 1
    if n > 0:
        b = b * 2
    if m > 0:
        c = c * 3
    b[0] = 100
    return c.sum(), b.sum()


@programs(*both_ways, gaps="S110-alias")
def written_beside_what_loops_may_leave_the_same(x, n, m):
    a = b = x + 1
    for _ in range(n):
        b = b * 2
    c = a
    for _ in range(m):
        c = c * 3
    a = None
    b[0] = 100
    return c.sum(), b.sum()


@programs(*both_ways, gaps="S190-identity")
def asked_whether_they_are_one(x, n, m):
    a = b = x + 1
    for _ in range(n):
        b = b * 2
    return a is b, b is a, b.sum()


@programs(*both_ways, gaps="S213-alias")
def returned_that_may_be_the_same(x, n, m):
    b = c = x + 1
    if n > 0:
        b = b * 2
    if m > 0:
        c = c * 3
    return b, c


@programs(*both_ways)
def the_callers_on_some_ways(x, n, m):
    b = c = x
    if n > 0:
        b = b * 2
    if m > 0:
        c = c * 3
    return b, c


turns = (lambda: (noise(3), 3), lambda: (noise(3), 1), lambda: (noise(3), 0))


@programs(*turns, gaps="S213-alias")
def twice_in_a_list_of_a_loop(x, n):
    both = [None, None]
    for i in range(n):
        z = x * i
        both = [z, z]
    return both


@programs(*turns, gaps="S110-alias")
def written_twice_in_a_list_of_a_loop(x, n):
    both = [x * 1, x * 2]
    for i in range(n):
        z = x + i
        both = [z, z]
    both[0][0] = 99
    return both[1].sum()


@programs(*turns, gaps="S110-alias")
def written_in_each_turn(x, n):
    both = [x * 1, x * 2]
    for i in range(n):
        both[0][0] = 99
        z = x * i + both[1]
        both = [z, z]
    return both[1].sum()


@programs(*turns, gaps="S110-alias")
def parts_that_overlap(x, n):
    both = (x * 1, x * 2)
    for i in range(n):
        z = x + i
        both = (z[1:], z[:-1])
    both[0][0] = 99
    return both[1].sum()


@programs(*turns, gaps="S110-alias")
def twice_under_keys(x, n):
    both = {"one": x * 1, "other": x * 2}
    for i in range(n):
        z = x + i
        both = {"one": z, "other": z}
    both["one"][0] = 99
    return both["other"].sum()


@programs(*turns, gaps="S110-alias")
def twice_on_one_way(x, n):
    if n > 0:
        z = x * n
        both = [z, z]
    else:
        both = [x * 2, x * 3]
    both[0][0] = 99
    return both[1].sum()


@programs(*turns, gaps="S110-alias")
def the_array_of_the_caller_in_an_object(x, n):
    if n > 0:
        pair = Pair(x, x * 2)
    else:
        pair = Pair(x * 2, x * 3)
    pair.one[0] = 99
    return x.sum()


@programs(*turns)
def the_array_of_the_caller_in_an_object_of_a_loop(x, n):
    pair = Pair(x * 1, x * 2)
    for _ in range(n):
        pair = Pair(x, x + 1)
    pair.one[0] = 99
    return x.sum(), pair.other.sum()


@programs(*turns, gaps="S110-alias")
def twice_in_an_object(x, n):
    pair = Pair(x * 1, x * 2)
    for i in range(n):
        z = x + i
        pair = Pair(z, z)
    pair.one[0] = 99
    return pair.other.sum()


@programs(*turns)
def twice_and_only_read(x, n):
    both, pair = [x * 1, x * 2], Pair(x, x * 2)
    for i in range(n):
        z = x + i
        both, pair = [z, z], Pair(z, z)
    return both[0] - both[1], pair.one * pair.other


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", programs.found, ids=name_of)
def test_a_program_converted_does_what_it_does_plainly(program: Program, device: str) -> None:
    check(program, device)


def two_views_on_each_way(x, flag):
    made = x + flag
    if flag > 0:
        made = x * 2
        one, two = made[:], made[: len(made)]
    else:
        one, two = made[:], made[: len(made)]
    return one, two


def two_views_in_every_turn(x, flag):
    one = two = x
    for turn in range(3):
        made = x + turn
        one, two = made[:], made[: len(made)]
    return one, two


def two_views_made_attributes(x, flag):
    kept = Kept()
    for turn in range(len(x)):
        kept.made = x + turn
        kept.one, kept.two = kept.made[:], kept.made[: len(x)]
    return kept.one, kept.two


class Kept:
    """Gets attributes."""


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function",
    [two_views_on_each_way, two_views_in_every_turn, two_views_made_attributes],
    ids=attrgetter("__name__"),
)
def test_two_views_of_the_whole_of_an_array_are_two_objects(function: Any, device: str) -> None:
    for flag in (1.0, -1.0):
        expected, found = function(noise(4), flag), convert(function, device=device)(noise(4), flag)
        assert [np.array_equal(a, b) for a, b in zip(expected, found, strict=True)] == [True, True]
        assert found[0] is not found[1] and np.shares_memory(*found)


class Holds:
    """Holds an array of its class."""

    offset = np.arange(3.0)


def subtracts_in_place(y):
    offset = Holds.offset
    offset -= y
    return offset


def subtracts_by_operator(y):
    return operator.isub(Holds.offset, y)


def subtracts_in_turns(y):
    for row in (Holds.offset, Holds.offset):
        row -= y
    return row


def multiplies_in_place(y):
    view = Holds.offset[::-1]
    view *= y
    return view.base


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function",
    [subtracts_in_place, subtracts_by_operator, subtracts_in_turns, multiplies_in_place],
    ids=attrgetter("__name__"),
)
def test_what_is_written_to_an_array_that_a_class_holds_is_not_lost(
    function: Any, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = []
    for call in (function, convert(function, device=device)):
        monkeypatch.setattr(Holds, "offset", np.arange(3.0))
        assert np.array_equal(call(np.array([1.0, 3.0, 5.0])), Holds.offset)
        held.append(Holds.offset)
    assert np.array_equal(*held) and held[0].any()


def given_another_in_later_turns(kept, n):
    for k in range(n):
        if k > 1:
            kept.items = {"a": -1.0, "b": k}
        kept.items["b"] = 0


def given_another_list_in_later_turns(kept, n):
    for k in range(n):
        if k > 1:
            kept.items = [-1.0, k]
        kept.items[1] = 0


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("n", [1, 4])
def test_what_is_written_to_a_container_before_a_loop_stores_another_is_not_lost(n: int, device: str) -> None:
    for function, items in (
        (given_another_in_later_turns, {"a": 1, "b": 128}),
        (given_another_list_in_later_turns, [1.0, 128]),
    ):
        left = []
        for call in (function, convert(function, device=device)):
            kept: Any = Kept()
            first = kept.items = items.copy()
            call(kept, n)
            left.append((kept.items, first, kept.items is first))
        assert left[0] == left[1]
