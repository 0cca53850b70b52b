"""What loops run over: ranges whose step run time gives, of either sign."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...end_to_end.comparison import call, compare


def steps(x, k):
    step = int(x[k])
    squares = [i * i for i in range(0, 20, step)]
    windows = np.array([x[: i + 1].sum() for i in range(6, 0, -step)])
    return squares, windows, len(range(1, 10, step)), list(range(0, 9, step))


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_a_range_has_as_many_numbers_as_its_step_at_run_time_gives(device: str) -> None:
    converted = convert(steps, strict=True, device=device)
    x = np.array([1.0, -1.0, 2.0, -3.0, 5.0, -20.0, 20.0, 7.0, 0.0])
    for k in range(len(x)):
        compare(call(steps, (x, k)), call(converted, (x, k)))
    assert "compiled whole" in converted.explain()


def too_many_bounds(n):
    for i in range(1, n, 3, 4):
        n += i
    return n


def too_many_bounds_caught(n):
    try:
        return list(range(n, n, n, n))
    except TypeError as error:
        return str(error)


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [too_many_bounds, too_many_bounds_caught])
def test_a_range_of_four_bounds_is_refused_as_in_python(function: Callable[..., Any], device: str) -> None:
    compare(call(function, (5,)), call(convert(function, device=device), (5,)))


def numbers_at_places(x, k):
    rising, falling, other = range(2, 3 * len(x), 3), range(9, 0, -1), range(int(x[0]), 40, int(x[1]))
    return rising[k], rising[-k], falling[x.argmax()], falling[np.int8(k)], other[k], other[-1], rising[0]


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_a_range_has_a_number_at_a_place_that_run_time_gives(device: str) -> None:
    converted = convert(numbers_at_places, device=device)
    x = np.array([1.0, 3.0, 2.0, 9.0, 5.0])
    for k in (1, 2, 4, 5, 6, -5, -6, 8, 9):
        compare(call(numbers_at_places, (x, k)), call(converted, (x, k)))
    compare(call(numbers_at_places, (-x, 1)), call(converted, (-x, 1)))
    assert "compiled whole" in converted.explain()
