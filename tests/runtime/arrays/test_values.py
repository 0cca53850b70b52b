"""What regions give comes out as what went in."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from transpile import convert

from .agreement import agree


def test_everything_that_a_branch_gives() -> None:
    def program(x, n):
        if n > 0:
            a, b, c, d = 1, (2.5, n), {"k": x[0]}, x + 1
        else:
            a, b, c, d = 0.5, (n, 3), {"k": x[-1]}, x * 2
        return a, b, c["k"], d

    agree(program, (np.arange(3.0), 1), (np.arange(3.0), -1))


def test_what_a_loop_carries() -> None:
    def program(x):
        best, at, seen = None, -1, (0, 0.0)
        for place, value in enumerate(x):
            if best is None or value > best:
                best, at = value, place
            seen = (seen[0] + 1, seen[1] + value)
        return best, at, seen

    agree(program, (np.array([1.0, 5.0, 2.0]),), (np.zeros(0),), (np.array([3, 1]),))


def test_arrays_of_different_sizes() -> None:
    def program(x, n):
        y = x[1:] if n else x[:-2] + 1
        return y * 2

    agree(program, (np.arange(5.0), 1), (np.arange(5.0), 0))


def begun_anew(x):
    run, lengths = [], []
    for value in x:
        if value > 0.5:
            lengths.append(len(run))
            run = []
        run.append(value)
    return run, lengths


def begun_anew_of_two_lengths(x):
    run = [0.0]
    for value in x:
        if value > 0.5:
            run = [0.0]
        elif value < 0.2:
            run = [1.0, 2.0]
        run.append(value)
    return run


def rows_begun_anew(x):
    kept = {"run": []}
    for value in x:
        if value > 0.5:
            kept["run"] = []
        kept["run"].append((value, 1))
    return kept


def begun_anew_in_branches(x):
    run = []
    if x[0] > 0.5:
        run = [1.0]
    run.append(x[2])
    if x[1] > 0.5:
        run = [1.0, 2.0]
    run.append(x[2])
    return run, len(run)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "program",
    [begun_anew, begun_anew_of_two_lengths, rows_begun_anew, begun_anew_in_branches],
    ids=lambda program: program.__name__,
)
def test_of_lists_that_have_become_of_one_kind_the_one_that_holds_is_carried_on(
    program: Callable[..., Any], device: str
) -> None:
    converted, generator = convert(program, strict=True, device=device), np.random.default_rng(1)
    for size in (3, 10, 40, 5, 17):
        x = generator.random(size)
        assert converted(x) == program(x)
