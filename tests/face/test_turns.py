"""What code says of itself at once."""

from typing import Any

import pytest

from transpile.turns import loop_depth


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


@pytest.mark.parametrize("function, depth", [(straight, 0), (single, 1), (outer, 2), (nested, 3)])
def test_depth_counts_loops_one_in_the_other(function: Any, depth: int) -> None:
    assert loop_depth(function.__code__) == depth
