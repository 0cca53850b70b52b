"""Methods of lists whose length run time gives."""

from typing import Any

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
