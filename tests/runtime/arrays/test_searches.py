"""Whether a list whose length run time gives holds a thing: numbers are compared as Python compares them."""

from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...behaviours.harness import observe
from ...end_to_end.comparison import compare


def among_large_integers(n, v):
    made = []
    for i in range(n):
        made.append(2**53 + 1 + i)
    return v in made, made.count(v)


def among_floats(n, v):
    made = []
    for i in range(n):
        made.append(i * 0.5)
    return v in made, (v, 1) in made, made.index(1), made.count(v)


def among_single_precision(x, v):
    made = []
    for item in x:
        made.append(item)
    return v in made, np.float32(0.1) in made


def among_pairs(n, v):
    made = []
    for i in range(n):
        made.append((i, None if i % 2 else i * 0.5))
    return (v, None) in made, (v, v * 0.5) in made, (v,) in made, None in made, made.count((0, 0))


CASES: list[tuple[Any, tuple[Any, ...]]] = [
    *((among_large_integers, (3, v)) for v in (2.0**53, 2.0**53 + 2, 2**53 + 2, 5, 0.5, float("inf"))),
    *((among_floats, (5, v)) for v in (2, 2**53 + 1, 1.0, np.float64(0.5), True, float("nan"))),
    *((among_single_precision, (np.array([0.1, 2], np.float32), v)) for v in (0.1, 2, np.float32(2))),
    *((among_pairs, (5, v)) for v in (0, 1, 2, 9)),
]


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_numbers_are_found_where_python_finds_them(
    function: Any, arguments: tuple[Any, ...], device: str
) -> None:
    converted = convert(function, device=device)
    compare(observe(function, arguments), observe(converted, arguments))
    assert not converted.calls.failures
