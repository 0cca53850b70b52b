"""List comprehensions of several ``for``: their items are appended one by one, however many run time gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from transpile import convert


def edges(weights):
    n = len(weights)
    found = [(weights[i, j], i, j) for i in range(n) for j in range(i + 1, n) if weights[i, j] > 0]
    found.sort()
    return found


def largest_difference(x):
    return max([abs(x[i] - x[j]) for i in range(len(x)) for j in range(len(x)) if i != j])


def neighbours(grid):
    height, width = grid.shape
    out = np.zeros_like(grid)
    for i in range(height):
        for j in range(width):
            out[i, j] = sum([
                grid[i + a, j + b]
                for a in (-1, 0, 1)
                for b in (-1, 0, 1)
                if (a, b) != (0, 0) and 0 <= i + a < height and 0 <= j + b < width
            ])  # fmt: skip
    return out


def of_three(n):
    return [(i, j, k) for i in range(n) if i != 1 for j in range(i) for k in (j, n)]


def of_lists(rows):
    return [value * 2 for row in rows if len(row) > 1 for value in row if value > 0]


def of_arrays(x):
    return [value for row in x for value in row]


def blocks(n):
    return [np.zeros(i + 1) + k for i in range(n) for k in range(2)]


def none(n):
    return [i for i in range(n) for j in range(0)], [j for i in range(0) for j in range(n)]


def fails(x):
    return [x[i + j] for i in range(len(x)) for j in range(2)]


X = np.random.default_rng(2).normal(size=(5, 5))
CALLS = [
    (edges, X, X[:3, :3]),
    (largest_difference, X[0], X[1, :3]),
    (neighbours, X, X[:2]),
    (of_three, 4, 3, 0),
    (of_lists, [[1, 2], [3], [4, -5, 6]]),
    (of_arrays, X, X[:, :2], X[:0]),
    (blocks, 3),
    (none, 4, 0),
]


@pytest.mark.parametrize(("program", "given"), [(program, given) for program, *given in CALLS], ids=lambda given: getattr(given, "__name__", ""))  # fmt: skip
def test_nested_comprehension(program: Callable[..., Any], given: list[Any]) -> None:
    converted = convert(program, strict=True)
    for argument in given:
        assert repr(converted(argument)) == repr(program(argument))


def test_one_trace_serves_all_sizes() -> None:
    converted = convert(of_three, strict=True)
    for n in range(5):
        assert converted(n) == of_three(n)
    assert len(converted.calls.entries) == 1


def test_what_fails_in_the_middle_raises_what_python_does() -> None:
    with pytest.raises(IndexError) as error:
        fails(X[0])
    with pytest.raises(IndexError) as own:
        convert(fails)(X[0])
    assert str(own.value) == str(error.value)


def listed(x):
    left = iter(x)
    return [next(left) for _ in range(10)]


def nested(x):
    left = iter(x)
    return [next(left) + k for _ in range(2) for k in range(3)]


def keyed(x):
    left = iter(x)
    return {next(left): k for k in range(5)}, {next(left) for _ in range(5)}


def generated(x):
    left = iter(x)
    return sum(next(left) for _ in range(5))


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("program", [listed, nested, keyed, generated])
@pytest.mark.parametrize("given", [[1, 2, 3], (1,), np.arange(3)], ids=["list", "tuple", "array"])
def test_an_iterator_that_ends_within_does_not_end_the_comprehension(
    program: Callable[..., Any], given: Any
) -> None:
    with pytest.raises((StopIteration, RuntimeError)) as error:
        program(given)
    with pytest.raises(error.type) as own:
        convert(program)(given)
    assert str(own.value) == str(error.value)
