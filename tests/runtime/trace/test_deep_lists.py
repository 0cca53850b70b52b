"""Lists of lists of lists that are handed in are read, changed, swapped and returned as the caller's own."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from transpile import convert


def read(t, n):
    total = 0
    for a in range(len(t)):
        for b in range(len(t[a])):
            for c in range(len(t[a][b])):
                total += t[a][b][c] * (a + n)
    return total


def run_through(t, n):
    return [[max(row) + n for row in rows] for rows in t], sum(len(rows) for rows in t)


def add(t, n):
    for a in range(len(t)):
        for b in range(len(t[a])):
            for c in range(len(t[a][b])):
                t[a][b][c] += n


def swap(t, n):
    for a in range(len(t)):
        t[a][0], t[a][1] = t[a][1], t[a][0]
        t[a][0][0] += a
    t[0], t[n] = t[n], t[0]
    return t[n][0], t[n], t


def append(t, n):
    for a in range(len(t)):
        t[a][0].append(a)
        for b in range(len(t[a])):
            if t[a][b][0] > n:
                t[a][b].append(n)
    return t[-1]


def replace(t, n):
    for a in range(len(t)):
        t[a][0] = [n, a, 3]
    t[n][1] = t[0][0]
    t[n][1][0] = 7
    return t[0][0] is t[n][1]


def take(t, n):
    for a in range(len(t)):
        t[a].pop()
        t[a][0].pop()
    return t[n].pop()


def carry(t, n):
    row, total = t[0], 0
    for a in range(len(t)):
        row, t[a] = t[a], row
        total += row[0][0]
    return total, row


def fail(t, n):
    for a in range(len(t) + n):
        t[a][0][0] = a


def table(*dims: int) -> Any:
    return [table(*dims[1:]) for _ in range(dims[0])] if dims else 1


def numbered(things: list[Any], first: int = 0) -> list[Any]:
    for place, thing in enumerate(things):
        things[place] = numbered(thing, first + place) if isinstance(thing, list) else first * place
    return things


def seen(thing: Any, met: dict[int, int]) -> Any:
    """Return what a thing is, with the lists that it leads to numbered as they are met."""
    if isinstance(thing, list) and id(thing) in met:
        return met[id(thing)]
    if isinstance(thing, (list, tuple)):
        if isinstance(thing, list):
            met[id(thing)] = len(met)
        return type(thing), [seen(item, met) for item in thing]
    return type(thing), thing


def outcome(function: Callable[..., Any], *values: Any) -> Any:
    try:
        found = function(*values)
    except (IndexError, ValueError) as error:
        found = str(error)
    return seen((found, *values), {})


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("function", [read, run_through, add, swap, append, replace, take, carry, fail])
def test_deep_lists_are_the_callers(function: Callable[..., Any]) -> None:
    converted = convert(function)
    for dims in ((20, 3, 4), (3, 4, 5), (5, 2, 30)):
        for n in (1, 0, 2):
            given = numbered(table(*dims)), n
            assert outcome(converted, *copy.deepcopy(given)) == outcome(function, *given)
    ragged = numbered(table(20, 3, 4))
    ragged[1][1], ragged[2] = [], []
    assert outcome(converted, copy.deepcopy(ragged), 1) == outcome(function, ragged, 1)


def test_one_trace_serves_all_lengths() -> None:
    converted = convert(read, strict=True)
    for dims in ((20, 3, 4), (30, 5, 2)):
        assert converted(numbered(table(*dims)), 2) == read(numbered(table(*dims)), 2)
    assert len(converted.calls.entries) == 1


def beside(t, row):
    total = 0
    for a in range(len(t)):
        row[0] += 1
        total += t[a][0][0]
    return total


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
def test_lists_in_deep_ones_that_are_met_twice_are_left_to_the_original() -> None:
    converted = convert(beside)
    for share in (None, 0, 1):
        for twice in (False, True):
            outcomes = []
            for function in (converted, beside):
                t = numbered(table(20, 3, 4))
                if twice:
                    t[5][1] = t[0][0]
                outcomes.append(outcome(function, t, [3] * 20 if share is None else t[share][0]))
            assert outcomes[0] == outcomes[1]


def fourth(t, n):
    total = 0
    for a in range(len(t)):
        for b in range(len(t[a])):
            for c in range(len(t[a][b])):
                for d in range(len(t[a][b][c])):
                    t[a][b][c][d] += n
                    total += t[a][b][c][d]
    return total


def test_lists_may_be_deeper() -> None:
    converted = convert(fourth, strict=True)
    given = numbered(table(6, 3, 4, 2)), 3
    assert outcome(converted, *copy.deepcopy(given)) == outcome(fourth, *given)
    assert len(converted.calls.entries) == 1
