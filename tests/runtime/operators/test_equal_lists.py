"""Comparisons of lists whose length run time gives."""

from typing import Any

import pytest

from transpile import convert

from ...end_to_end.comparison import call, compare


def of_numbers(n):
    one = [i * 2 for i in range(n)]
    other = [i + i for i in range(n)]
    longer = [i + i for i in range(n + 1)]
    another = [i * 3 for i in range(n)]
    return one == other, one != other, one == longer, one == another, one[:0] == other[:0], one == (1, 2)


def of_rows(n):
    table = [[i % 2 for _ in range(3)] for i in range(n)]
    return table[0] == table[1], table[0] == table[2], table == table[:]


def with_what_is_written_out(n):
    some = [k for k in range(n) if k > 2]
    none = [k for k in range(n) if k > 100]
    return (
        some == [3, 4],
        [3, 4] == some,  # noqa: SIM300
        some != [3, 4],
        some == [],
        none == [],
        [] != none,  # noqa: SIM300
        none == [1],
        some == (3, 4),
        some == None,  # noqa: E711
    )


def with_nan(n):
    nan = float("nan")
    one = [nan for _ in range(n)]
    return one == one[:], one == [float("nan") for _ in range(n)]


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [of_numbers, of_rows, with_what_is_written_out])
def test_lists_are_equal_as_in_python(function: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    for n in (5, 8):
        compare(call(function, (n,)), call(converted, (n,)))


def test_lists_that_hold_nan_are_compared_by_python() -> None:
    compare(call(with_nan, (3,)), call(convert(with_nan, device="host"), (3,)))
