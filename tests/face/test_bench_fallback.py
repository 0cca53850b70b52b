"""The functions by which the cost of falling back is measured: each falls back for good, and does what it did."""

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from transpile import FallbackWarning, convert
from transpile.bench_fallback import FUNCTIONS


def outcome(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    try:
        made = function(*args, **kwargs)
    except ValueError as error:
        return repr(error)
    if inspect.isgenerator(made):
        return repr(list(made))
    if inspect.iscoroutine(made):
        made.close()
        return "a coroutine"
    return repr(made) if inspect.isfunction(function) and not args else type(made).__name__


@pytest.mark.parametrize("case", FUNCTIONS, ids=[function.__name__ for function, _, _ in FUNCTIONS])
def test_function_that_falls_back_for_good_runs_its_own_code(case: tuple[Any, ...]) -> None:
    function, args, kwargs = case
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        converted = convert(function)
        for _ in range(300):
            found = outcome(converted, args, kwargs)
    assert found == outcome(function, args, kwargs)
    assert converted.__code__ is function.__code__ or converted.calls.entries


def test_twenty_functions_are_measured() -> None:
    assert len(FUNCTIONS) == 20
