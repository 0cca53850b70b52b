"""What a function uses may be replaced after it has been traced, or while it is: by a test, or by an editor that loads code anew."""

import math
import random
import time
from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np
import pytest

from transpile import convert

X = np.arange(4.0)


def waits(x: Any) -> Any:
    return x + time.time()


def draws(x: Any) -> Any:
    return x + random.random()


def draws_from_numpy(x: Any) -> Any:
    return x + np.random.rand()


def roots(x: Any) -> Any:
    return x * math.sqrt(x[1] + 3)


def turns(x: Any) -> Any:
    return np.sin(x)


def measures(x: Any) -> Any:
    return np.linalg.norm(x)


def circles(x: Any) -> Any:
    return x * math.pi


def takes_away(x: Any) -> Any:
    return x + abs(x[0] - 3)


def imports(x: Any) -> Any:
    from math import sqrt

    return x * sqrt(x[2])


def helper(x: Any) -> Any:
    return x * 2


def calls(x: Any) -> Any:
    return helper(x) + 1


def counts(x: Any) -> Any:
    return x + len(x)


CASES: list[tuple[Callable[..., Any], str, Any]] = [
    (waits, "time.time", lambda: 5.0),
    (draws, "random.random", lambda: 0.5),
    (draws_from_numpy, "numpy.random.rand", lambda: 0.25),
    (roots, "math.sqrt", lambda x: 9.0),
    (turns, "numpy.sin", lambda x: x * 7),
    (measures, "numpy.linalg.norm", lambda x: 3.0),
    (circles, "math.pi", 3.0),
    (takes_away, "builtins.abs", lambda x: -1),
    (imports, "math.sqrt", lambda x: 9.0),
]
NAMES = [function.__name__ for function, _, _ in CASES]


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_what_is_patched_after_a_trace_is_used(case: tuple[Callable[..., Any], str, Any]) -> None:
    function, name, thing = case
    converted = convert(function, device="host", strict=True)
    converted(X)
    with mock.patch(name, thing):
        assert np.array_equal(converted(X), function(X))


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_what_was_patched_while_tracing_is_used_no_longer(case: tuple[Callable[..., Any], str, Any]) -> None:
    function, name, thing = case
    converted = convert(function, device="host")
    with mock.patch(name, thing):
        patched = converted(X)
        assert np.array_equal(patched, function(X))
    assert not np.array_equal(converted(X), patched)


def test_global_that_comes_to_stand_before_a_builtin_is_used() -> None:
    converted = convert(counts, device="host", strict=True)
    assert converted(X).tolist() == [4.0, 5.0, 6.0, 7.0]
    with mock.patch.dict(globals(), len=lambda x: 50):
        assert converted.explain_miss(X).startswith("len is a global now, <function ")
        assert converted(X).tolist() == [50.0, 51.0, 52.0, 53.0]
    assert converted(X).tolist() == [4.0, 5.0, 6.0, 7.0]
    assert converted.cache_info().hits == 1


def test_callee_whose_code_is_replaced_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    converted = convert(calls, device="host", strict=True)
    assert converted(X).tolist() == [1.0, 3.0, 5.0, 7.0]
    monkeypatch.setattr(helper, "__code__", (lambda x: x * 9).__code__)
    assert converted(X).tolist() == calls(X).tolist() == [1.0, 10.0, 19.0, 28.0]


def test_miss_names_what_was_patched() -> None:
    converted = convert(turns, device="host", strict=True)
    converted(X)
    with mock.patch("numpy.sin", np.cos):
        assert converted.explain_miss(X) == "numpy.sin is another object, <ufunc 'cos'>, than <ufunc 'sin'>"
