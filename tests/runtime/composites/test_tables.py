"""Arrays of lists of lists."""

from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...end_to_end.comparison import call, compare


def made(n):
    table = [[i * 10 + j for j in range(4)] for i in range(n)]
    table[0], table[1] = table[1], table[0]
    return np.array(table), np.array(table, dtype=np.float32), np.sum(table, axis=0)


def handed_in(table):
    return np.array(table) @ np.ones(5)


def of_several_lengths(n):
    return np.array([list(range(i + 1)) for i in range(n)])


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    ("function", "argument"), [(made, 6), (handed_in, [[i + j * 1.5 for j in range(5)] for i in range(6)])]
)
def test_lists_of_lists_become_the_arrays_of_numpy(function: Any, argument: Any, device: str) -> None:
    compare(call(function, (argument,)), call(convert(function, strict=True, device=device), (argument,)))


def test_lists_of_several_lengths_are_an_error_of_numpys() -> None:
    compare(call(of_several_lengths, (4,)), call(convert(of_several_lengths, device="host"), (4,)))
