"""Lists of numbers that were handed in: any length serves, what changed is the caller's, and what is no such list is left."""

from typing import Any

import numpy as np
import pytest

from transpile import FallbackWarning, convert

from ...end_to_end.comparison import call, compare

NUMBERS = [i * 7 % 23 for i in range(30)]
TABLE = [[i * j * 1.5 for j in range(6)] for i in range(6)]


def sorted_in_place(things):
    for i in range(len(things)):
        for j in range(len(things) - 1 - i):
            if things[j] > things[j + 1]:
                things[j], things[j + 1] = things[j + 1], things[j]
    return things


def rows_changed_and_swapped(table, n):
    for i in range(n):
        table[i][i] = table[i][i] * 2
    row = table[1]
    table[1] = table[0]
    table[0] = row
    table[2].append(0.25)
    return row


def both(one, other, n):
    one[0] = n
    other[1] = n + 1
    return one, other


def walked(neighbours):
    seen = [0] * len(neighbours)
    order = [0]
    for u in order:
        for v in neighbours[u]:
            if not seen[v]:
                seen[v] = 1
                order.append(v)
    return order


def filled_anew(things, n):
    things.clear()
    for i in range(n):
        things.append(i * i)


def of_pairs(pairs):
    total = 0.0
    for u, v in pairs:
        if u > 2:
            total += v
    return total


def added_in_steps(weight, one, step, other):
    place = 0
    for item in one:
        other[place] += weight * item
        place += step
    return other, sum(one), max(map(abs, one))


COMPLEX = [complex(n, -0.5 * n) for n in NUMBERS]


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (
            added_in_steps,
            [(2j, COMPLEX[:15], 2, COMPLEX), (2j, COMPLEX, 2, COMPLEX[:]), (0.5, COMPLEX, 1, COMPLEX[:])],
        ),
        (
            added_in_steps,
            [(2j, COMPLEX[:3], 1, COMPLEX[:4]), (2, list(np.array(COMPLEX, "F")), 1, COMPLEX[:])],
        ),
        (sorted_in_place, [(NUMBERS,), (NUMBERS[:20],), ([],), ([True, False] * 10,)]),
        (sorted_in_place, [(list(np.array(NUMBERS, dtype)),) for dtype in ("f8", "f4", "u1", "i8")]),
        (rows_changed_and_swapped, [(TABLE, 3), (TABLE[1:5], 2)]),
        (both, [(NUMBERS, NUMBERS, 5), (NUMBERS, NUMBERS[:], 5)]),
        (walked, [([[(i * 7 + 3) % 30, (i * 5 + 1) % 30] for i in range(30)],)]),
        (filled_anew, [(NUMBERS, 3)]),
        (of_pairs, [([(i, i * 0.5) for i in range(20)],)]),
        (of_pairs, [([(np.int32(i), np.float32(i * 0.5)) for i in range(20)],)]),
    ],
)
def test_lists_that_were_handed_in_are_those_of_python(function: Any, arguments: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    for given in arguments:
        plain, ours = call(function, given), call(converted, given)
        compare(plain, ours)


def test_one_trace_serves_lists_of_any_length() -> None:
    converted = convert(sorted_in_place, strict=True, device="host")
    for size in (20, 25, 30):
        assert converted(NUMBERS[:size]) == sorted(NUMBERS[:size])
    assert str(converted.explain()).count("compiled whole") == 1


def row_by_two_names(table, row):
    row[0] = 7
    return table[0][0] + table[1][0]


def test_a_row_may_be_handed_in_itself_too() -> None:
    converted = convert(row_by_two_names, device="host")
    table = [list(range(10)), list(range(10, 20))]
    assert converted(table, list(range(10))) == 10
    assert converted(table, table[0]) == 17


def lengths(one, other):
    one[0].append(1)
    return len(other[1])


def test_two_lists_may_hold_the_same_lists() -> None:
    table = [list(range(10)), list(range(10, 20))]
    with pytest.warns(FallbackWarning, match="S178"):
        assert convert(lengths, device="host")(table, table[::-1]) == 11


def test_a_list_that_is_only_appended_to_is_not_looked_into() -> None:
    def noted(things, x):
        things.append(x * 2)

    converted, things = convert(noted, strict=True, device="host"), list(range(20))
    for size in (20, 21):
        assert len(things) == size
        converted(things, size)
    assert things[20:] == [40, 42]
    assert "columns" not in str(converted.explain())


def test_what_is_returned_are_the_lists_of_the_caller() -> None:
    table = [row[:] for row in TABLE]
    first, second, third = table[:3]
    assert convert(rows_changed_and_swapped, strict=True, device="host")(table, 3) is second
    assert table[0] is second and table[1] is first and third[-1] == 0.25


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("given", [[1, 2.5] * 10, [1, 2**70] * 10, [[1, 2]] * 10, [["a"], ["b"]] * 10])
def test_what_is_no_list_of_numbers_is_left(given: Any) -> None:
    def picked(things, k):
        return things[k]

    plain, ours = call(picked, (given, 3)), call(convert(picked, device="host"), (given, 3))
    compare(plain, ours)


class Grid:
    def __init__(self, n: int) -> None:
        self.points = [[[float(i), float(j), 0.0] for j in range(n)] for i in range(n)]


def raised_on_the_diagonal(grid, n, height):
    for k in range(n):
        grid.points[k][k][2] = height


def test_lists_of_an_object_are_met_in_a_loop() -> None:
    ours, plain = Grid(6), Grid(6)
    convert(raised_on_the_diagonal, strict=True, device="host")(ours, 3, 4.5)
    raised_on_the_diagonal(plain, 3, 4.5)
    assert ours.points == plain.points
