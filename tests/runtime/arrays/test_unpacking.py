"""Lists whose length run time gives are unpacked into as many names as are written, or Python's error tells that these are not as many."""

from __future__ import annotations

from typing import Any

import pytest

import transpile

NUMBERS = [(7 * k) % 11 for k in range(30)]


def in_a_loop(numbers, length):
    rows = []
    for k in numbers:
        row = []
        for j in range(length):
            row.append(k + j)
        rows.append(row)
    total = 0
    for a, b in rows:
        total += a * b
    return total


def at_a_place(numbers, length):
    rows = []
    for k in numbers:
        rows.append([k, k + length, 2.5])
    place, total = 0, 0.0
    while place < len(rows):
        u, v, w = rows[place]
        total += u * v - w
        place += 1
    return total


def of_several_kinds(numbers, length):
    total = 0
    for k in numbers:
        steps = []
        while k > 0:
            steps.append([(k, k + length, True), 2.5])
            k -= 2
        for (a, b, is_odd), _ in steps:
            total += a * b + is_odd
    return total


def in_comprehensions(numbers, length):
    rows = []
    for k in numbers:
        rows.append([k, k * length])
    return sum(a * b for a, b in rows), max(b - a for a, b in rows)


def told(function: Any, length: int) -> str:
    try:
        return repr(function(NUMBERS, length))
    except ValueError as error:
        return repr(error)


@pytest.mark.parametrize("function", [at_a_place, of_several_kinds, in_comprehensions])
def test_lists_are_unpacked(function: Any) -> None:
    assert told(transpile.convert(function, strict=True), 2) == told(function, 2)


def test_too_many_and_too_few_items_raise_what_python_raises() -> None:
    converted = transpile.convert(in_a_loop, strict=True)
    for length in (2, 1, 3, 0, 2):
        assert told(converted, length) == told(in_a_loop, length)


def after_text(numbers, length):
    rows = []
    for k in numbers:
        row = [k]
        for j in range(length - 1):
            row.append(k + j)
        rows.append(row)
    total = 0
    for row in rows:
        print(len(row))
        a, b = row
        total += a * b
    return total


def test_text_before_the_error_is_shown_once(capsys: pytest.CaptureFixture[str]) -> None:
    converted = transpile.convert(after_text, strict=True)
    for length in (1, 2, 3):
        expected = told(after_text, length), capsys.readouterr().out
        assert (told(converted, length), capsys.readouterr().out) == expected
