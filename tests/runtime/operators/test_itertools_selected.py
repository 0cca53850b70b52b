"""Items over and over, those that selectors name, from some item on, and side by side to the end of the longest: as Python's itertools give them."""

import itertools
from typing import Any

import numpy as np
import pytest

from transpile import StagingError, convert

from ...behaviours.harness import observe
from ...end_to_end.comparison import compare

X = np.array([-1.5, -2.0, 3.0, -4.0, 5.5])


def over_and_over(x, n):
    weights, total = itertools.cycle([1, 2, 3]), 0.0
    for i in range(n):
        total = total * 0.5 + next(weights) * i
    for v, w in zip(x, itertools.cycle((2.0, -1.0))):
        total += v * w
    pairs = list(zip(range(n), itertools.cycle(x)))
    return total, pairs, next(weights), list(itertools.islice(itertools.cycle("ab"), 5))


def changed_after_it_began(x, n):
    things = [1, 2]
    around = itertools.cycle(things)
    found = [next(around)]
    x = x.copy()
    values = itertools.cycle(x)
    x[0] = 100.0
    for _i in range(n):
        found.append(next(around))
    return found, list(zip(range(n), values))


def numbered_anew(x, n):
    numbers, found = itertools.count(5, 2), {}
    for v in x:
        if v > 0:
            found[next(numbers)] = v
    while next(numbers) < n * 3:
        n -= 1
    return found, next(numbers), n


def selected(x, n):
    return (
        list(itertools.compress(x, x > 0)),
        sum(itertools.compress(range(n), [1, 0, 1, 1])),
        list(itertools.compress([], x)),
    )


def from_some_item_on(x, n):
    late = itertools.dropwhile(lambda v: v < 0, x)
    total = 0.0
    for k, v in enumerate(late):
        if v > 5:
            break
        total = total * 2 + k * v
    return (
        total,
        list(itertools.dropwhile(lambda v: v < 9, x)),
        list(itertools.dropwhile(lambda v: v < n, range(7))),
    )


def to_the_longest(x, n):
    total = 0.0
    for v, k in itertools.zip_longest(x, range(n), fillvalue=0):
        total = total * 0.5 + v * (k + 1)
    known = list(itertools.zip_longest([1, 2, 3], "ab"))
    return (
        total,
        known,
        list(itertools.zip_longest(x, x * 2)),
        list(itertools.zip_longest()),
        list(itertools.zip_longest(x)),
    )


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("n", [4, 9])
@pytest.mark.parametrize(
    "function", [over_and_over, numbered_anew, selected, from_some_item_on, to_the_longest]
)
@pytest.mark.parametrize("x", [X, X[2:4]])
def test_itertools_give_what_pythons_give(function: Any, x: Any, n: int, device: str) -> None:
    compare(observe(function, (x, n)), observe(convert(function, strict=True, device=device), (x, n)))


def nothing_over_and_over(x, n):
    return list(zip(range(n), itertools.cycle(x))), list(zip(range(n), itertools.cycle([])))


@pytest.mark.parametrize(
    ("function", "x"),
    [(changed_after_it_began, X), (nothing_over_and_over, X[:0]), (nothing_over_and_over, X)],
)
def test_what_changes_or_is_empty_is_as_in_python(function: Any, x: Any) -> None:
    compare(observe(function, (x, 4)), observe(convert(function, device="host"), (x, 4)))


def longest_of_an_iterator(x):
    things = iter(x)
    return list(itertools.zip_longest(things, [1.0])), list(things)


def decided_by_run_time(x):
    late = itertools.dropwhile(lambda v: v < 0, x)
    return next(late), list(late)


@pytest.mark.parametrize(
    ("function", "code"), [(longest_of_an_iterator, "S303"), (decided_by_run_time, "S169")]
)
def test_what_is_not_certain_is_left_to_python(function: Any, code: str) -> None:
    with pytest.raises(StagingError) as caught:
        convert(function, strict=True)(X)
    assert caught.value.code.startswith(code)
    compare(observe(function, (X,)), observe(convert(function, device="host"), (X,)))
