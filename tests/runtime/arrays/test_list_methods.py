"""Methods of lists whose length run time gives."""

from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...end_to_end.comparison import call, compare


def put_in_anywhere(n):
    made = []
    for i in range(n):
        made.insert(i * 7 % 3, i)
    made.insert(-2, 100)
    made.insert(500, 101)
    made.insert(-500, 102)
    return made


def taken_out_anywhere(n):
    made = [i % 5 for i in range(n)]
    made.remove(3)
    place = made.index(4)
    del made[n - 3]
    del made[-1]
    made.reverse()
    taken = made.pop(2)
    return made, place, made.count(2), taken


def slices_stored(n):
    made = list(range(n))
    made[2:] = made[2:][::-1]
    other = made[1:4] + made[-2:]
    other[1:1] = [7, 8]
    del other[0:2]
    return made, other, made[::2]


def every_third_goes(n):
    people = list(range(n))
    at = 0
    while len(people) > 1:
        at = (at + 2) % len(people)
        people.pop(at)
    return people


def grows_under_the_loop(n):
    made = [1]
    total = 0
    for item in made:
        total += item
        if len(made) < n:
            made.append(item + 2)
            made.append(item * 2)
    return made, total


def removes_what_is_not_there(n):
    made = list(range(n))
    made.remove(n + 5)
    return made


def finds_nothing(n):
    return [i for i in range(n)].index(-1)  # noqa: C416


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function", [put_in_anywhere, taken_out_anywhere, slices_stored, every_third_goes, grows_under_the_loop]
)
def test_methods_of_lists_do_what_pythons_do(function: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    for n in (9, 20):
        compare(call(function, (n,)), call(converted, (n,)))


@pytest.mark.parametrize("function", [removes_what_is_not_there, finds_nothing])
def test_what_is_not_there_is_an_error_of_pythons(function: Any) -> None:
    compare(call(function, (6,)), call(convert(function, device="host"), (6,)))


def nearest(x):
    distances = [abs(x[0] - 1.0), abs(x[1] - 1.0), abs(x[2] - 1.0)]
    return distances.index(min(distances)), distances


def counted(x):
    held, numbers = [x[0], x[1], 4], [1, 2, 3]
    return held.count(x[0]), held.count(4.0), held.count(int(x[2])), numbers.count(x[1]), held


def removed(x):
    held = [1, 2, 3, 4]
    for value in x:
        if int(value) in held:
            held.remove(int(value))
    return held, len(held)


def found_among_tuples(x):
    held = [(x[0], 1), (x[1], 2)]
    return held.index((x[1], 2)), held.count((3.0, 1))


def known(x):
    return ["a", "b"].index("b"), [1, 2, 2].count(2), x


def nearest_of_a_tuple(x):
    best = []
    for k in range(3):
        distances = (abs(x[0] - k), abs(x[1] - k), abs(x[2] - k))
        best.append(distances.index(min(distances)))
    return best, (int(x[0]), int(x[1]), 1).count(1), (1, 2, 3, 4).index(int(x[2])), (3, 1).index(1)


def least_of_several_types(x):
    held, given = [x[0], x[1], 2.5], (x[0], 2, x[2])
    return held.index(min(held)), given.index(max(given)), given.count(max(given))


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function",
    [nearest, counted, removed, found_among_tuples, known, nearest_of_a_tuple, least_of_several_types],
)
@pytest.mark.parametrize("x", [[3.0, 1.0, 1.0], [1.0, 2.0, 4.0], [1.0, 1.0, 1.0]])
def test_what_run_time_gives_is_looked_for_in_known_lists(function: Any, x: list[float], device: str) -> None:
    converted = convert(function, strict=True, device=device)
    arguments = (np.array(x),)
    compare(call(function, arguments), call(converted, arguments))


def found_by_identity(x):
    held = [x[0], x[1]]
    first = held[0]
    return held.index(first), held.count(first)


def not_found(x):
    held = [x[0], x[1]]
    return held.index(x[2] + 50)


def not_in_a_tuple(x):
    return (x[0], x[1]).index(x[2] + 50)


def found_in_a_tuple_by_identity(x):
    held = (x[0], x[1], 2)
    return held.count(held[0]), held.index(max(held)), held.index(held[0])


def removes_what_is_missing(x):
    held = [x[0], x[1]]
    held.remove(x[2] + 50)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function",
    [found_by_identity, not_found, not_in_a_tuple, found_in_a_tuple_by_identity, removes_what_is_missing],
)
@pytest.mark.parametrize("x", [[3.0, 1.0, 1.0], [np.nan, 1.0, np.nan]])
def test_what_pythons_lists_find_by_identity_is_found(function: Any, x: list[float], device: str) -> None:
    converted = convert(function, device=device)
    arguments = (np.array(x),)
    compare(call(function, arguments), call(converted, arguments))
