"""What code says of itself at once."""

from typing import Any

import pytest

from transpile.turns import has_loop


def straight(x):
    return x + 1


def single(x):
    return [v + 1 for v in x]


def nested(x):
    n = len(x)
    while n > 0:
        for i in range(n):
            n -= sum(v * i for v in x)
    return n


def outer(x):
    for a in x:
        for b in x:
            x[0] = a * b
    return x


def inner(x):
    def walk(y):
        while y:
            y -= 1
        return y

    return walk(x)


@pytest.mark.parametrize(
    "function, loops", [(straight, False), (single, True), (outer, True), (nested, True), (inner, True)]
)
def test_loops_show_in_code_and_in_that_of_functions_made_in_it(function: Any, loops: bool) -> None:
    assert has_loop(function.__code__) is loops
