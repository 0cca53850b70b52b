"""Programs that write arrays while an expression or a loop still needs what may be their memory, though no name leads to it."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from .programs import Program, Programs, check, name_of, noise

programs = Programs()
both = (lambda: (noise(9), 3)), (lambda: (noise(9), 4))


def pick(a, b, n):
    if n > 3:
        return a
    return b


def change(a):
    a[1:] += 1
    return 2.0


@programs(*both)
def left_operand(x, n):
    a, b = x * 2, x * 3
    return (a if n > 3 else b) + change(a)


@programs(*both)
def left_operand_of_the_callers(x, n):
    b = x * 3
    return pick(x, b, n) + change(x)


@programs(*both)
def arguments_of_a_call(x, n):
    a, b = x * 2, x * 3
    return np.add(pick(a, b, n), change(a)), np.add(pick(x, b, n), change(x))


@programs(*both)
def sorted_in_the_second_argument(x, n):
    a, b = x * 2, x * 3
    return np.add(pick(a, b, n), a.sort() or 1.0)


@programs(*both)
def arguments_of_a_function(x, n):
    def product(u, v, w=0.0):
        return (u * v).sum() + w

    a, b = x * 2, x * 3
    return product(pick(a, b, n), w=1.0, v=change(a)), product(pick(x, b, n), change(x))


@programs(*both)
def displays(x, n):
    a, b = x * 2, x * 3
    found = {"p": pick(a, b, n), "q": change(a)}
    return found["p"].sum(), [pick(x, b, n), change(x)][0].sum(), (pick(a, x, n), change(x))[0] + 1


@programs(*both)
def right_sides_of_an_assignment(x, n):
    b, c = x * 3, x * 0
    c[:], d = pick(x, b, n), change(x)
    return c, d


@programs(*both)
def several_targets(x, n):
    b, c = x * 3, x * 0
    x[:] = c[:] = pick(x, b, n)[::-1]
    return c


@programs(*both)
def replacement_fields(x, n):
    b = x * 3
    return f"{pick(x, b, n)} {change(x)} {pick(x, b, n) + change(x)}"


@programs(*both)
def in_a_with(x, n):
    b = x * 3
    with np.errstate(all="ignore"):
        total = pick(x, b, n).sum()
        b[1:] += total
        b[0] = pick(x, b, n)[1] + change(b)
    return b


@programs(*both)
def what_a_loop_runs_over(x, n):
    a, b, total = x * 2, x * 3, 0.0
    for v in a if n > 3 else b:
        a[1:] += 1
        total += v
    for i, v in enumerate(pick(x, b, n)):
        x[1:] += 1
        total += v * i
    return total


@programs(*both)
def what_a_comprehension_runs_over(x, n):
    def next_one(v):
        x[1:] += 1
        return v

    b = x * 3
    return sum([next_one(v) for v in pick(x, b, n)]), sum(next_one(v) for v in pick(x, b, n))


@programs(*both)
def what_functions_of_functions_run_over(x, n):
    def next_one(v):
        x[1:] += 1
        return v

    def add(s, v):
        x[1:] += 1
        return v + s

    b = x * 3
    return sum(map(next_one, pick(x, b, n))), functools.reduce(add, pick(x, b, n), 0.0)


@programs(lambda: (noise(9), 3), lambda: (noise(9), 4), gaps="S110-alias")
def part_that_may_be_a_view(x, n):
    a, total = x.reshape(3, 3) * 2, 0.0
    for k in range(1, n):
        total += (a[:, :k].ravel() + change(a)).sum()
    return total


@programs(lambda: (noise(9), 3), lambda: (noise(9), 4), gaps="S110-alias")
def part_that_may_be_a_view_and_is_run_over(x, n):
    a, total = x.reshape(3, 3) * 2, 0.0
    for k in range(1, n):
        for v in a[:, :k].ravel():
            change(a)
            total += v
    return total


@programs(lambda: (noise(9), 3), lambda: (noise(9), 4))
def part_that_was_used_before(x, n):
    a, total = x.reshape(3, 3), 0.0
    for k in range(1, n):
        total += a[:, :k].ravel().sum()
        total += change(a)
        a[1:] *= total
    return total


@programs(lambda: (noise(32), 2, 5), lambda: (noise(27), 3, 3), lambda: (noise(4), 4, 1))
def views_in_some_turns(y, base, digits):
    for i in range(digits):
        parts = np.reshape(y, (base**i, base, base ** (digits - i - 1)))
        y[:] = np.reshape(np.transpose(parts, (1, 0, 2)), (y.size,)) * 0.5 + y[::-1]
    return y


@programs(lambda: (noise(32), 2, 5), lambda: (noise(27), 3, 3), gaps="S110-alias")
def views_in_some_turns_that_are_written(y, base, digits):
    for i in range(digits):
        parts = np.reshape(y, (base**i, base, base ** (digits - i - 1)))
        flat = np.reshape(np.transpose(parts, (1, 0, 2)), (y.size,))
        flat[0] += 1
    return y


class Pair:
    def __init__(self, x):
        self.items = [x, x.copy()]

    def swap(self):
        self.items[0], self.items[1] = self.items[1], self.items[0]
        return self.items[0]


def paired(n):
    x = noise(3)
    return Pair(x), x, n


@programs(lambda: paired(2), lambda: paired(3))
def item_of_the_callers_that_changes_places(pair, x, n):
    total = 0.0
    for _ in range(n):
        x += 0.5
        total += pair.swap().sum()
    return total


@programs(*both, gaps="S110-alias")
def name_bound_anew_by_the_right_operand(x, n):
    c = x.copy()
    total = 0.0

    def grow(k):
        nonlocal c
        if k > 2:
            c = np.ones(9)
        c[0] += k
        return 1.0

    for k in range(n):
        total += (c + grow(k)).sum()
    return total, c


@programs(*both)
def names_exchanged_by_the_right_operand(x, n):
    c, d = x.copy(), x * 2

    def exchange(k):
        nonlocal c, d
        for _ in range(k):
            c, d = d, c
            c[0] += k
        return 1.0

    return c + exchange(n) * d, c, d


class Held:
    def __init__(self, x):
        self.x = x
        self.box = [x]

    @property
    def shown(self):
        return self.x

    def replace(self, n):
        for _ in range(n):
            old = self.x
            self.x = self.x * 2
            old[0] += 1
        return 1.0

    def rebox(self, n):
        if n > 3:
            self.box = [self.x + 1]
        self.box.append(1.0)
        return 1.0


@programs(*both)
def attribute_replaced_by_the_right_operand(x, n):
    held = Held(x.copy())
    return held.x + held.replace(n), held.x


@programs(*both)
def view_by_no_number_replaced_by_the_right_operand(x, n):
    held = Held(x.copy())
    return held.x[None] + held.replace(n), held.x[...] + held.replace(n), held.x


@programs(*both, gaps="S110-alias")
def items_by_names_replaced_by_the_right_operand(x, n):
    rows, i = [x.copy(), x + 1], 1

    def replace(k):
        old = rows[i]
        if k > 3:
            rows[i] = old * 2
        old[0] += k
        return 1.0

    return rows[i] + replace(n), rows[0], rows[1]


@programs(*both)
def property_replaced_by_the_right_operand(x, n):
    held = Held(x.copy())
    return held.shown[1:] + held.replace(n), held.x


@programs(*both, gaps="S110-alias")
def list_replaced_by_the_next_argument(x, n):
    def lengths(items, added):
        return len(items), added

    held = Held(x)
    return lengths(held.box, held.rebox(n))


@programs(*both, gaps="S110-alias")
def given_by_a_call_before(x, n):
    c = x.copy()

    def get():
        return c

    def grow(k):
        nonlocal c
        if k > 3:
            c = c * 2
        c[0] += 1
        return 1.0

    return np.vstack((get()[1:], x[1:] * grow(n)))


@programs(*both, gaps="S110-alias")
def first_of_a_chained_comparison(x, n):
    c = x.copy()

    def grow(k):
        nonlocal c
        if k > 3:
            c = c * 2
        c[0] += 1
        return 1.0

    return (c[:1] < grow(n) < 2.0), (c > grow(n)) + grow(1)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_what_is_still_needed_is_what_it_was(program: Program, device: str) -> None:
    check(program, device)
