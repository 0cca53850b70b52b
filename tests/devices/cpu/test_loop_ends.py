"""Loops whose test computes what the loop carries, and hands it out at the end."""

from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...end_to_end.comparison import call, compare


def grows_into_an_array(a, b):
    turns = 0
    while b < 10 and turns < 20:
        b = b + a + 1
        turns += 1
    return b, turns


def ends_by_a_flag(a, b):
    turns = 0
    while b < 10:
        b = b + a + 1
        turns += 1
        if turns > 2:
            break
    return b, turns


def written_in_the_test(n):
    seen = [0]

    def goes_on():
        seen[0] = seen[0] + 1
        return seen[0] < n

    while goes_on():
        pass
    return seen[0]


PROGRAMS = [
    *[
        (f, (a, b))
        for f in (grows_into_an_array, ends_by_a_flag)
        for a in (np.array([2]), np.array([0.5]))
        for b in (1, 30)
    ],
    *[(written_in_the_test, (n,)) for n in (0, 3)],
]


@pytest.mark.parametrize("function, arguments", PROGRAMS)
def test_what_a_loop_hands_out_is_pythons(function: Any, arguments: Any) -> None:
    compare(call(function, arguments), call(convert(function, strict=True), arguments))
