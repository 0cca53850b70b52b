"""A list that grows in a loop may be returned from within, at several places."""

from collections.abc import Callable
from typing import Any

import pytest

from transpile import convert

from ..end_to_end.comparison import call, compare


def factors(n):
    found = []
    p = 2
    while True:
        if n == 1:
            return found
        if n % p == 0:
            found.append(p)
            n = n // p
        elif p * p >= n:
            found.append(n)
            return found
        else:
            p += 1


def guarded(n):
    if n < 2:
        return []
    found = []
    for i in range(n):
        for j in range(i):
            if i * j > 50:
                found.append(-1)
                return found
            found.append(j)
    else:
        found.append(-2)
    return [len(found)]


def nested(n):
    if n < 2:
        return [n]
    found = []
    for i in range(n):
        for j in range(i):
            if i * j > 50:
                found.append(-1)
                return found
            found.append(j)
    return found


def rebound(n):
    found = []
    for i in range(n):
        found = [i, n]
        if i > 5:
            return found
    return found


def perhaps_unbound(n):
    if n > 3:
        found = [n]
    for i in range(n + 1):
        if i * i > n or n <= 3:
            return found
    return []


def ended(n):
    found = [0]
    for i in range(n):
        try:
            if i > 5:
                return found
        finally:
            found = [i]
    return found


def of_parameter(n, kept=None):
    kept = [1.0, 2.0] if kept is None else kept
    while n > 0:
        kept.append(n)
        if len(kept) > 9:
            return kept
        n -= 1
    return kept


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize(
    "function", [factors, guarded, nested, rebound, perhaps_unbound, ended, of_parameter]
)
def test_returns_in_loops(function: Callable[..., Any]) -> None:
    converted = convert(function)
    for n in (1, 2, 3, 5, 12, 97, 1001, 4):
        compare(call(function, (n,)), call(converted, (n,)))


@pytest.mark.parametrize("function", [factors, nested])
def test_lists_that_grow_compile_though_they_are_returned_within(function: Callable[..., Any]) -> None:
    converted = convert(function, strict=True)
    assert converted(12) == function(12)
    assert converted(91) == function(91)
