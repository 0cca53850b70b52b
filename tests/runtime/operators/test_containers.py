"""Lists, dictionaries and objects that differ between ways: names that lead to one of them still do, or the original runs."""

from typing import Any

import pytest

from transpile import FallbackWarning, StagingError, convert

from ...end_to_end.comparison import call, compare


class Point:
    def __init__(self, x):
        self.x = x


def two_names(x, k):
    if k > 0:
        y = [x]
        z = y
    else:
        y = [x + 1]
        z = y
    z.append(1)
    return y


def two_names_of_a_dictionary(x, k):
    if k > 0:
        y = {"a": x}
        z = y
    else:
        y = {"a": x + 1}
        z = y
    z["a"] = 5
    return y


def name_and_place(x, k):
    y = [x]
    things = [y]
    for i in range(k):
        y = [i]
        things[0] = y
    y[0] = 5
    return things


def in_a_tuple(x, k):
    y = (1, [x])
    if k > 0:
        y = (2, [x + 1])
    z = y[1]
    z.append(3)
    return y


def twice_in_a_tuple(x, k):
    if k > 0:
        y = [x]
        z = (y, y)
    else:
        y = [x + 1]
        z = (y, y)
    z[0].append(1)
    return z


def swapped(x, k):
    a, b = [x], [x]
    for _ in range(k):
        a, b = b, a
        a[0] = a[0] + 1
    return a, b


def best_of(x, k):
    best = [0, 0]
    for i in range(k):
        candidate = [i, (i * 7) % 5 + x]
        if candidate[1] > best[1]:
            best = candidate
    return best


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function",
    [two_names, two_names_of_a_dictionary, name_and_place, in_a_tuple, twice_in_a_tuple, swapped, best_of],
)
def test_what_was_one_stays_one(function: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    for arguments in ((1, 3), (1, -1), (1, 0), (2, 2)):
        compare(call(function, arguments), call(converted, arguments))


def written_through_one_of_two(x, k):
    old = [0]
    if k > 0:
        y = old
    else:
        y = [x + 1]
    y[0] = 7
    return old


def changed_on_one_way(x, k):
    y = [x]
    if k > 0:
        y[0] = 5
    else:
        y = [1]
    return y


def returned_twice(x, k):
    old = [x]
    new = old
    if k > 0:
        new = [x + 1]
    return old, new


def is_the_other(x, k):
    old = {"a": x}
    new = old
    if k > 0:
        new = {"a": x + 1}
    return old is new


def changed_after_a_loop(x, k):
    old = [x]
    y = old
    for i in range(k):
        y = [i]
    y[0] = 9
    return old


def one_on_one_way(x, k):
    if k > 0:
        y = [x]
        z = y
    else:
        y, z = [x], [x]
    z.append(1)
    return y


TABLE = [[1.5], [2.5]]


def one_of_the_callers(x, k):
    y = TABLE[0] if k > 0 else TABLE[1]
    return y, x


def test_one_of_the_callers_lists_is_the_callers() -> None:
    converted = convert(one_of_the_callers, strict=True, device="host")
    assert converted(1, 2)[0] is TABLE[0]
    assert converted(1, -1)[0] is TABLE[1]


@pytest.mark.parametrize(
    "function",
    [
        written_through_one_of_two,
        changed_on_one_way,
        returned_twice,
        is_the_other,
        changed_after_a_loop,
        one_on_one_way,
    ],
)
def test_what_may_be_one_is_left_to_python(function: Any) -> None:
    with pytest.raises(StagingError, match=r"S110-alias|S190-identity"):
        convert(function, strict=True, device="host")(1, 2)
    with pytest.warns(FallbackWarning):
        converted = convert(function, device="host")
        for arguments in ((1, 2), (1, -1), (1, 0)):
            compare(call(function, arguments), call(converted, arguments))
