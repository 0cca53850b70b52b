"""A truth value tells of the numbers that it was found by, and of no others."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.graph.bounds import Bounds
from transpile.runtime.graph.dim import Dim
from transpile.runtime.graph.facts import facts
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT


def said_by(function: Callable[..., Any]) -> tuple[list[str], list[str]]:
    """Return what the test of a function's branch says where it holds, and where not."""
    graph = transpile.convert(function, strict=True).graph(1, 2, 3)
    (branch,) = (
        op for op in graph.block.ops if op.name == "cond" and op.location[-1].line == line_of(function)
    )
    test = branch.operands[0]
    return [sorted(map(str, facts(test, truth))) for truth in (True, False)]  # type: ignore[return-value]


def line_of(function: Callable[..., Any]) -> int:
    return function.__code__.co_firstlineno + 1


def below(a, b, c):
    if a < b:
        return a // c
    return b


def neither(a, b, c):
    if not (a > b or c >= a):
        return a // c
    return b


def between(a, b, c):
    if a <= b < c:
        return a // c
    return b


def alike(a, b, c):
    if a == b:
        return a // c
    return b


def either(a, b, c):
    if a < b or b < c:
        return a // c
    return b


@pytest.mark.parametrize(
    ("function", "held", "not_held"),
    [
        (below, ["-a + b - 1"], ["a - b"]),
        (neither, ["-a + b", "a - c - 1"], []),
        (between, ["-a + b", "-b + c - 1"], []),
        (alike, ["-a + b", "a - b"], []),
        (either, [], ["a - b", "b - c"]),
    ],
)
def test_a_test_says_what_it_compares(function, held, not_held):
    assert said_by(function) == [held, not_held]


def floats(a, b, c):
    if a * 0.5 < b:
        return a // c
    return b


def test_a_test_of_floats_says_nothing():
    assert said_by(floats) == [[], []]


def test_what_is_known_is_forgotten_behind_the_branch():
    bounds, dim = Bounds([]), Dim.of_value(Value(INT, "x"))
    with bounds.knowing([dim - 3]):
        assert bounds.nonnegative(dim - 3) and not bounds.nonnegative(dim - 4)
    assert not bounds.nonnegative(dim)


def test_branches_keep_to_what_they_know():
    def function(values, i):
        n = len(values)
        if 0 <= i < n:
            return values[i]
        if i < 0:
            return values[i + n]
        return values[i - n]

    converted = transpile.convert(function)
    values = np.arange(5.0)
    for i in range(-9, 12):
        try:
            expected = function(values, i)
        except IndexError as error:
            with pytest.raises(IndexError, match=str(error)):
                converted(values, i)
        else:
            assert converted(values, i) == expected


def test_facts_that_lead_to_each_other_end():
    def function(n, i, j):
        if n == j % n and j + 1 < i <= (j + 2) % n and i * 2 <= n - 1:
            return (i * 3 + 1) % n
        return j % n

    converted = transpile.convert(function, strict=True)
    for n in (1, 2, 5):
        for i in range(-3, 4):
            assert converted(n, i, n - 1) == function(n, i, n - 1)
