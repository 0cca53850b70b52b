"""`sorted`, and `list.sort`, of what run time gives."""

from typing import Any

import numpy as np
import pytest

from transpile import StagingError, convert

from ...end_to_end.comparison import call, compare


def in_all_orders(n):
    numbers = [i * 7 % 11 for i in range(n)]
    up = sorted(numbers)
    numbers.sort(reverse=True)
    pairs = [(x % 3, -x) for x in up]
    pairs.sort()
    by_second = sorted(pairs, key=lambda pair: pair[1], reverse=True)
    return numbers, up, pairs, by_second, sorted(numbers, key=lambda x: (x % 4, x))


def equal_items_stay_in_order(n):
    pairs = [(i % 3, i) for i in range(n)]
    return sorted(pairs, key=lambda p: p[0]), sorted(pairs, key=lambda p: p[0], reverse=True)


def a_row_of_a_table(n):
    table = [[j * 5 % 7 for j in range(n)] for i in range(n)]
    table[1].sort()
    return table


def the_callers(things):
    things.sort()
    return sorted(things, reverse=True), things[0]


def kept_in_order(orders):
    book = []
    for price, count in orders:
        book.append((price, count))
        book.sort(key=lambda order: -order[0])
    return book


def lists_of_one_length(points):
    found = sorted(points.tolist())
    return found, sorted(points.tolist(), reverse=True), sorted(found, key=lambda p: (p[1], -p[0]))


def known_lists_of_several_types(x):
    ranks = [[x[i], i] for i in range(4)]
    ranks.sort(key=lambda pair: pair[0])
    return ranks


def pairs_whose_first_numbers_differ(x):
    groups = {}
    for value in x:
        groups[value % 3] = [*groups.get(value % 3, []), value]
    return [(k, sum(v)) for k, v in sorted(groups.items())]


def by_number_and_list(x):
    pairs = [(value, [value, i]) for i, value in enumerate(x)]
    pairs.sort()
    return pairs, sorted(pairs, reverse=True)


def few(n):
    return sorted([n, 3, n - 1]), sorted("hello"), sorted([3, 1, 2])


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    ("function", "argument"),
    [
        (in_all_orders, 9),
        (equal_items_stay_in_order, 10),
        (a_row_of_a_table, 6),
        (the_callers, [float(i * 7 % 19) for i in range(20)]),
        (few, 3),
        (kept_in_order, [(float(i * 7 % 5), i) for i in range(12)]),
        (kept_in_order, []),
        (lists_of_one_length, (np.arange(14) * 5 % 4).reshape(7, 2)),
        (lists_of_one_length, np.array([[0.0, 2.0, 1.0], [-0.0, 1.0, 5.0]])),
        (known_lists_of_several_types, np.array([3.0, 1.0, 2.0, 1.0])),
        (pairs_whose_first_numbers_differ, np.array([5, 4, 3, 2, 1])),
        (by_number_and_list, np.array([3, 1, 2])),
    ],
)
def test_lists_are_in_the_order_of_python(function: Any, argument: Any, device: str) -> None:
    compare(call(function, (argument,)), call(convert(function, strict=True, device=device), (argument,)))


def test_a_list_that_holds_nan_is_left() -> None:
    converted = convert(the_callers, device="host")
    given = [3.0, float("nan"), 1.0] * 8
    compare(call(the_callers, (given,)), call(converted, (given,)))


def test_the_order_of_arrays_is_left() -> None:
    def of_rows(x):
        return sorted(list(x), key=lambda row: row)  # noqa: C414

    with pytest.raises(StagingError, match="S255"):
        convert(of_rows, strict=True, device="host")(np.ones((5, 2)))


@pytest.mark.parametrize(
    ("function", "argument"),
    [
        (by_number_and_list, np.array([3, 1, 1, 2])),
        (by_number_and_list, np.array([2.0, np.nan, 1.0])),
        (lists_of_one_length, np.zeros((0, 2))),
        (lists_of_one_length, np.array([[np.nan, 1.0], [0.0, 1.0]])),
    ],
)
def test_what_numbers_do_not_put_in_order_is_left(function: Any, argument: Any) -> None:
    converted = convert(function, device="host")
    for _ in range(2):
        compare(call(function, (argument,)), call(converted, (argument,)))


def test_lists_of_several_lengths_are_left() -> None:
    def of_lists(n):
        return sorted([[(i * 5) % 3, *range(i % 4)] for i in range(n)])

    converted = convert(of_lists, device="host")
    compare(call(of_lists, (6,)), call(converted, (6,)))


def test_the_order_of_lists_in_which_arrays_are_equal_is_that_of_python() -> None:
    def of_arrays(x):
        pairs = [(value, x * value) for value in x]
        return [rest.sum() for _, rest in sorted(pairs)]

    converted = convert(of_arrays, device="host")
    for x in (np.array([3.0, 1.0, 2.0]), np.array([3.0, 1.0, 1.0])):
        compare(call(of_arrays, (x,)), call(converted, (x,)))
