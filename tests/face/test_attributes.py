"""Functions around converted ones, which take over their attributes."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from transpile import convert

X = np.arange(4.0)


def doubles(x):
    """Doubles."""
    return x * 2


def one_more(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def around(*args):
        return function(*args) + 1

    return around


doubled_and_one = one_more(convert(doubles, device="host", strict=True))


def calls_around(x):
    return doubled_and_one(x)


def test_function_around_a_converted_one_is_converted_itself() -> None:
    assert doubled_and_one(X).tolist() == [1.0, 3.0, 5.0, 7.0]
    again = convert(doubled_and_one, device="host", strict=True)
    assert again(X).tolist() == [1.0, 3.0, 5.0, 7.0] and again.python_function is doubled_and_one


def test_function_around_a_converted_one_is_followed() -> None:
    assert convert(calls_around, device="host", strict=True)(X).tolist() == [1.0, 3.0, 5.0, 7.0]


def test_converted_function_is_converted_anew_from_its_original() -> None:
    converted = convert(convert(doubles), device="host", strict=True)
    assert converted.python_function is doubles and converted(X).tolist() == (X * 2).tolist()


def test_cache_around_a_converted_function_is_its_own() -> None:
    cached = functools.lru_cache(convert(doubles, device="host", strict=True))
    assert [cached(3), cached(3), cached(4)] == [6, 6, 8]
    assert cached.cache_info()[:2] == (1, 2)
    cached.cache_clear()
    assert cached.cache_info()[:2] == (0, 0)
    assert "compiled whole" in cached.explain()  # type: ignore[attr-defined]


def test_function_with_a_cache_is_converted_with_one_of_the_same_kind() -> None:
    cached = functools.lru_cache(maxsize=2)(doubles)
    converted = convert(cached, device="host", strict=True)
    assert [converted(3), converted(3), converted(4)] == [6, 6, 8]
    assert (
        converted.cache_info() == (1, 2, 2, 2) and converted.cache_parameters() == cached.cache_parameters()
    )
    assert converted.__doc__ == "Doubles." and "compiled whole" in converted.explain()
