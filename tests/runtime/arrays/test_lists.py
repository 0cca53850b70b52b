"""Lists of arrays that grow in loops: their items are the arrays that were appended, or the original runs."""

from typing import Any

import numpy as np
import pytest

from transpile import StagingError, convert

from ...behaviours.harness import observe
from ...end_to_end.comparison import compare


def made_in_a_branch(x, n):
    things = []
    for i in range(n):
        y = x * i
        if y.sum() > 1:
            things.append(y)
    return things


def made_of_the_last(x, n):
    things = [x * 2]
    for _ in range(n):
        things.append(things[-1] + 1)
    return things


def with_some_replaced(x, n):
    things = []
    for k in range(n):
        things.append(x + k)
    things[1:2] = [x + 5, x * 2]
    return things


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [made_in_a_branch, made_of_the_last, with_some_replaced])
def test_arrays_made_each_turn_are_returned_in_a_list(function: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    for arguments in ((np.ones(3), 3), (np.ones(3), 0), (np.zeros(1), 2)):
        compare(observe(function, arguments), observe(converted, arguments))


def the_callers(x, n):
    things = []
    for _ in range(n):
        things.append(x)
    return things


def views(x, n):
    return [row for row in x.reshape(n, -1)]  # noqa: C416


def twice(x, n):
    things = []
    for i in range(n):
        y = x * i
        things.append(y)
        things.append(y)
    return things


def with_its_first(x, n):
    things = [x * 2]
    for _ in range(n):
        things.append(things[-1] + 1)
    return things, things[0]


def moved_along(x, n):
    things = []
    for k in range(n):
        things.append(x + k)
    things[1:] = things[:-1]
    return things


def all_the_first(x, n):
    things = []
    for k in range(n):
        things.append(x + k)
    things[:] = things[:1] * n
    return things


def is_the_callers(x, n):
    things = []
    for _ in range(n):
        things.append(x)
    return things[0] is x


@pytest.mark.parametrize(
    "function", [the_callers, views, twice, with_its_first, moved_along, all_the_first, is_the_callers]
)
@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_arrays_that_are_known_otherwise_are_left_to_python(function: Any) -> None:
    with pytest.raises(StagingError, match=r"S214-listed|S190-identity"):
        convert(function, strict=True, device="host")(np.ones(3), 3)
    converted = convert(function, device="host")
    for arguments in ((np.ones(3), 3), (np.zeros(1), 1)):
        compare(observe(function, arguments), observe(converted, arguments))
