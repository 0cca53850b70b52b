"""Lists of lists whose length run time gives: which lists are one, what they hold, and what of it the caller sees."""

from typing import Any

import pytest

from transpile import StagingError, convert

from ...end_to_end.comparison import call, compare


def identities(thing: Any) -> list[int]:
    """Number the lists that a thing leads to in the order in which they are met: the same list has the same number."""
    met: list[int] = []

    def meet(item: Any) -> None:
        if isinstance(item, (list, tuple)):
            if isinstance(item, list):
                met.append(id(item))
            for inner in item:
                meet(inner)

    meet(thing)
    return [met.index(one) for one in met]


def longest_common_subsequence(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                table[i][j] = table[i - 1][j - 1] + 1
            else:
                table[i][j] = max(table[i - 1][j], table[i][j - 1])
    return table


def edit_distance(a, b):
    previous = list(range(len(b) + 1))
    for i in range(1, len(a) + 1):
        current = [0] * (len(b) + 1)
        current[0] = i
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            current[j] = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + cost)
        previous = current
    return previous


def rows_swapped_by_names(n):
    previous, current = [0] * n, [1] * n
    for i in range(n):
        current[i] = previous[i] + i
        previous, current = current, previous
    return previous, current


def pascal(n):
    rows = []
    for i in range(n):
        row = [1] * (i + 1)
        for j in range(1, i):
            row[j] = rows[i - 1][j - 1] + rows[i - 1][j]
        rows.append(row)
    return rows


def breadth_first(n, edges):
    neighbours = [[] for _ in range(n)]
    for u, v in edges:
        neighbours[u].append(v)
        neighbours[v].append(u)
    distance = [-1] * n
    distance[0] = 0
    queue = [0]
    for u in queue:
        for v in neighbours[u]:
            if distance[v] < 0:
                distance[v] = distance[u] + 1
                queue.append(v)
    return distance, queue, neighbours


def game_of_life(n, steps):
    grid = [[(i * j + i) % 3 % 2 for j in range(n)] for i in range(n)]
    for _ in range(steps):
        new = [[0] * n for _ in range(n)]
        for i in range(n):
            for j in range(n):
                alive = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if di or dj:
                            alive += grid[(i + di) % n][(j + dj) % n]
                if alive == 3 or (alive == 2 and grid[i][j] == 1):
                    new[i][j] = 1
        grid = new
    return grid


def one_row_many_times(n):
    table = [[0] * n] * n
    table[0][1] = 5
    return table


def a_row_by_another_name(n):
    table = [[i * j for j in range(n)] for i in range(n)]
    row = table[2]
    row[1] = 100
    table[0], table[1] = table[1], table[0]
    other = table[0]
    other.append(7)
    return table, row, other, row is table[2], len(table[0]), table[1] is table[0]


def taken_out_and_changed(n):
    table = [[i] * 2 for i in range(n)]
    last = table.pop()
    table.append([9, 9, 9])
    last[0] = -1
    return table, last


def a_copy_holds_the_same_rows(n):
    table = []
    for i in range(n):
        table.append([i, i + 1])
    other = table[:]
    other[0][0] = 77
    return table, other


def rows_of_any_length(n):
    table = [list(range(i + 1)) for i in range(n)]
    table[2].insert(1, 50)
    table[3].remove(2)
    table[1].reverse()
    table[3].pop(0)
    table[4][1:3] = [7, 8, 9]
    first = table.pop(0)
    first.append(3)
    return table, first, [len(row) for row in table], sum(table[3]), max(table[4])


def of_two_types(n):
    table = [[0] * n for _ in range(n)]
    table[0][0] = 0.5
    return table


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (longest_common_subsequence, ([i * 7 % 5 for i in range(20)], [i * 3 % 5 for i in range(25)])),
        (edit_distance, ([i * 7 % 5 for i in range(20)], [i * 3 % 5 for i in range(25)])),
        (rows_swapped_by_names, (7,)),
        (pascal, (9,)),
        (breadth_first, (12, [(i, i * 5 % 12) for i in range(12)] + [(i, i + 2) for i in range(10)])),
        (game_of_life, (6, 3)),
        (one_row_many_times, (4,)),
        (a_row_by_another_name, (5,)),
        (taken_out_and_changed, (5,)),
        (a_copy_holds_the_same_rows, (5,)),
        (rows_of_any_length, (6,)),
        (of_two_types, (5,)),
    ],
)
def test_lists_of_lists_are_those_of_python(function: Any, arguments: Any, device: str) -> None:
    plain, converted = (
        call(function, arguments),
        call(convert(function, strict=True, device=device), arguments),
    )
    compare(plain, converted)
    assert identities(plain.result) == identities(converted.result)


def shared_by_two(n):
    one = [[i] for i in range(n)]
    other = [[0] for _ in range(n)]
    other[0] = one[0]
    return one, other


def joined_from_outside(n):
    row = [0] * n
    table = []
    for _ in range(n):
        table.append(row)
    return table


@pytest.mark.parametrize("function", [shared_by_two, joined_from_outside])
def test_other_lists_of_lists_are_left_to_python(function: Any) -> None:
    with pytest.raises(StagingError, match=r"S176|S177|S163"):
        convert(function, strict=True, device="host")(5)
