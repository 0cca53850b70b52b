"""Iterators: what has been taken out does not come again, and what run-time values decide is not guessed."""

from typing import Any

import numpy as np
import pytest

from transpile import FallbackWarning, StagingError, convert

from ...end_to_end.comparison import call, compare


def left_after_a_known_break(x):
    things = iter([1, 2, 3, 4])
    for k in things:
        if k == 2:
            break
    return list(things), x


def numbers_after_a_known_break(x):
    numbered = enumerate([1, 2, 3, 4])
    for k, _ in numbered:
        if k == 1:
            break
    return list(numbered), x


def the_shorter_leaves_items(x):
    first, second, third, things = iter(range(7)), iter(range(7)), enumerate((1, 2, 3, 4)), iter(x)
    fronts = list(zip(range(3), first)), list(zip(second, range(3)))
    total = 0
    for k, value in zip(range(2), things):
        total += k * value
    return *fronts, list(first), list(second), [k for k, _ in zip((1, 2), third)], list(third), total


def what_the_shorter_leaves_of_an_array(x):
    things = iter(x)
    total = 0
    for k, value in zip(range(2), things):
        total += k * value
    return total, list(things)


def taken_by_turns(x):
    numbered = enumerate(x)
    first = next(numbered)
    return first, [value for _, value in numbered], list(numbered), next(numbered, "none")


def numbered_as_they_pass(x):
    out = np.zeros_like(x)
    for k, value in enumerate(value for value in x if value > -2):
        out[k] = value
    return out


def drained_twice(x):
    pairs = zip(x, x)
    return sum(a * b for a, b in pairs), sum(a for a, _ in pairs)


def first_of_filtered(x, limit):
    return next((value for value in x if value > limit), None)


def first_of_filtered_or_none_at_all(x, limit):
    return next(value for value in x if value > limit)


def effects_come_as_items_are_taken(n):
    for k in (print(k) or k for k in range(4)):
        if k > n:
            break
    return k


def chains(x):
    return list(map(abs, filter(lambda v: v > -2, reversed(x)))), list(enumerate(reversed([1, 2]), 5))


def flat(x, n):
    return sum(a * k for a in x if a > 0 for k in range(n)), any(a > k for a in x for k in range(n))


def extremes(x):
    return max(x, key=abs), min((abs(v) for v in x), default="none"), max([x[0], 2], key=lambda v: -v)


def in_order(x):
    return sorted(x), sorted(x, reverse=True), sorted(["b", "a"]), sorted((3, 1, 2), key=lambda v: -v)


def symbolic_step(n, s):
    return [k * 2 for k in range(0, n, s)]


def range_of_run_time(n):
    r = range(n)
    return (
        len(r),
        list(reversed(r)),
        isinstance(r, range),
        isinstance(zip(r), zip),
        type(enumerate(r)) is enumerate,
    )


def known_range_is_shown(x):
    r = range(1, 7, 2)
    print(r, [range(2)])
    return str(r), f"{r}", r == range(1, 6, 2), r[1], r[-1], r[1:].start, 3 in r, x


def range_is_asked(n):
    r = range(n)
    return r.start, r.stop + 1, r.step, r == range(3), r[0], n in range(5), bool(r)


class Countdown:
    def __init__(self, start):
        self.left = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.left <= 0:
            raise StopIteration
        self.left -= 1
        return self.left


class Pages:
    def __init__(self, *pages):
        self.pages = pages

    def __iter__(self):
        return (page * 2 for page in self.pages)


class Old:
    def __getitem__(self, k):
        if k > 3:
            raise IndexError(k)
        return k * k


def iterators_of_users(x):
    for k in Countdown(5):
        if k == 2:
            break
        x = x + k
    for page in Pages(x, 3):
        x = x + page
    return x, sum(Countdown(4)), list(Pages(1, x)), sum(Old()), max(Countdown(3)), [k for k in Countdown(2)]  # noqa: C416


X = np.array([1.0, -3.0, 2.0])

WHOLE = [
    (left_after_a_known_break, (1,)),
    (numbers_after_a_known_break, (1,)),
    (the_shorter_leaves_items, (X,)),
    (taken_by_turns, (X,)),
    (numbered_as_they_pass, (X,)),
    (drained_twice, (X,)),
    (first_of_filtered, (X, 1.5)),
    (first_of_filtered, (X, 5)),
    (first_of_filtered, (np.zeros(0), 5)),
    (first_of_filtered_or_none_at_all, (X, 1.5)),
    (effects_come_as_items_are_taken, (1,)),
    (effects_come_as_items_are_taken, (9,)),
    (chains, (X,)),
    (flat, (X, 3)),
    (extremes, (X,)),
    (in_order, (X,)),
    (in_order, (np.array([0.0, -0.0, 5]),)),
    (in_order, (np.array([3, 1, 2]),)),
    (symbolic_step, (5, 2)),
    (symbolic_step, (5, -2)),
    (range_of_run_time, (3,)),
    (known_range_is_shown, (2.5,)),
    (range_is_asked, (3,)),
    (iterators_of_users, (2.5,)),
    (iterators_of_users, (X,)),
]


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function, arguments", WHOLE)
def test_iterators_give_what_pythons_give(function: Any, arguments: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    compare(call(function, arguments), call(converted, arguments))


def left_after_a_break(x):
    things = iter([1, 2, 3, 4])
    for k in things:
        if x < k:
            break
    return list(things)


def taken_in_a_branch(x):
    things = iter([1, 2, 3, 4])
    y = next(things) if x > 0 else 0
    return y, next(things)


def taken_in_a_loop(x):
    pairs = zip([1, 2, 3], [4, 5, 6])
    i = 0
    while i < x:
        i += 1
        next(pairs)
    return next(pairs)


def taken_while_a_loop_runs(x):
    things = iter(x)
    return [(a, next(things)) for a in things]


def bytes_change_in_a_branch(x):
    text = bytearray(b"ab")
    if x > 0:
        text[0] = 99
    return bytes(text)


REFUSED = [
    (left_after_a_break, "S169-taken", (2,), (0,)),
    (what_the_shorter_leaves_of_an_array, "S169-taken", (np.arange(4.0),), (np.zeros(1),)),
    (taken_in_a_branch, "S168-iterator", (1,), (-1,)),
    (taken_in_a_loop, "S168-iterator", (1,), (0,)),
    (taken_while_a_loop_runs, "S169-taken", (np.arange(4.0),), (np.zeros(0),)),
    (bytes_change_in_a_branch, "S160-grows", (1,), (-1,)),
]


@pytest.mark.parametrize("function, code, inputs", [(f, c, i) for f, c, *i in REFUSED])
def test_what_run_time_decides_about_iterators_is_left_to_python(
    function: Any, code: str, inputs: Any
) -> None:
    with pytest.raises(StagingError, match=code):
        convert(function, strict=True, device="host")(*inputs[0])
    with pytest.warns(FallbackWarning):
        converted = convert(function, device="host")
        for arguments in inputs:
            compare(call(function, arguments), call(converted, arguments))


def test_nan_is_nowhere_in_order() -> None:
    x = np.array([3.0, np.nan, 1.0])
    converted = convert(in_order, strict=True, device="host")
    compare(call(in_order, (x,)), call(converted, (x,)))
