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
