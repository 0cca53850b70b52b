"""What a function uses may be replaced after it has been traced, or while it is: by a test, or by an editor that loads code anew."""

import math
import random
import time
from collections.abc import Callable
from typing import Any, ClassVar
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


class Lens:
    def __init__(self, x: Any) -> None:
        self.x = x

    def shown(self, x: Any) -> Any:
        return x * self.x


class Other:
    def shown(self, x: Any) -> Any:
        return x - 1.0


class Narrow(Lens, Other):
    pass


lens = Lens(2.0)


def asks_for_truth(x: Any) -> Any:
    return x * 2 if lens else x * 3


def compares(x: Any) -> Any:
    return x * 2 if lens == "a lens" else x * 3


def reads(x: Any) -> Any:
    return x * lens.x


def makes(x: Any) -> Any:
    return Lens(3.0).shown(x)


def shows(x: Any) -> Any:
    return Narrow(3.0).shown(x)


def _reads_another(self: Any, name: str) -> Any:
    return 7.0 if name == "x" else object.__getattribute__(self, name)


def _stores_twice_that(self: Any, name: str, value: Any) -> None:
    object.__setattr__(self, name, value * 2)


METHODS: list[tuple[Callable[..., Any], str, Any]] = [
    (asks_for_truth, "__bool__", lambda self: False),
    (asks_for_truth, "__len__", lambda self: 0),
    (compares, "__eq__", lambda self, other: True),
    (reads, "__getattribute__", _reads_another),
    (makes, "__setattr__", _stores_twice_that),
]


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("case", METHODS, ids=lambda case: f"{case[0].__name__}{case[1]}")
def test_methods_that_python_finds_by_itself_are_used_once_a_class_has_them(
    case: tuple[Callable[..., Any], str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    function, name, method = case
    converted = convert(function)
    for _ in range(3):
        assert converted(X).tolist() == function(X).tolist()
    before = function(X).tolist()
    monkeypatch.setattr(Lens, name, method, raising=False)
    assert converted(X).tolist() == function(X).tolist() != before
    monkeypatch.undo()
    assert converted(X).tolist() == before


def test_class_that_comes_to_inherit_otherwise_is_asked_as_it_is() -> None:
    converted = convert(shows)
    for _ in range(3):
        assert converted(X).tolist() == (X * 3).tolist()
    try:
        Narrow.__bases__ = (Other, Lens)
        assert converted(X).tolist() == (X - 1).tolist()
    finally:
        Narrow.__bases__ = (Lens, Other)


def exchanges_code(x: Any) -> Any:
    before = scaled(x)
    scaled.__code__ = helper.__code__
    return before, scaled(x)


def exchanges_defaults(x: Any) -> Any:
    before = scaled(x)
    scaled.__defaults__ = (5.0,)
    return before, scaled(x)


def exchanges_named_defaults(x: Any) -> Any:
    before = offset(x)
    offset.__kwdefaults__ = {"by": [5.0]}
    return before, offset(x)


def changes_a_default(x: Any) -> Any:
    before = offset(x)
    offset.__kwdefaults__["by"][0] += 4.0
    return before, offset(x)


def exchanges_bases(x: Any) -> Any:
    before = Narrow(3.0).shown(x)
    Narrow.__bases__ = (Other, Lens)
    return before, Narrow(3.0).shown(x)


def scaled(x: Any, by: float = 10.0) -> Any:
    return x * by


def offset(x: Any, *, by: Any = [1.0]) -> Any:  # noqa: B006 (it is changed)
    return x + by[0]


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize(
    "function",
    [exchanges_code, exchanges_defaults, exchanges_named_defaults, changes_a_default, exchanges_bases],
)
def test_what_a_call_exchanges_of_functions_and_classes_is_not_exchanged_while_tracing(
    function: Callable[..., Any],
) -> None:
    found = []
    code = scaled.__code__
    for call in (function, convert(function)):
        found.append([[part.tolist() for part in call(X)] for _ in range(3)])
        scaled.__code__, scaled.__defaults__ = code, (10.0,)
        offset.__kwdefaults__ = {"by": [1.0]}
        Narrow.__bases__ = (Lens, Other)
    assert found[0] == found[1]


class Held:
    items: ClassVar[list[float]] = [1.0, 2.0]

    @property
    def rate(self) -> float:
        return 1.0

    def __add__(self, x: Any) -> Any:
        return x + 1

    def __call__(self, x: Any) -> Any:
        return x + 10


def replaces_a_list(x: Any) -> Any:
    held = Held()
    items = held.items
    Held.items = [7.0]
    result = x * items[0] + held.items[0] + Held.items[0]
    Held.items = items
    return result


def replaces_an_operator(x: Any) -> Any:
    held, before = Held(), Held.__add__
    result = held + x
    Held.__add__ = lambda self, x: x + 9
    result = result * (held + x)
    Held.__add__ = before
    return result


def replaces_a_call(x: Any) -> Any:
    held, before = Held(), Held.__call__
    result = held(x)
    Held.__call__ = lambda self, x: x + 9
    result = result * held(x)
    Held.__call__ = before
    return result


def replaces_a_property(x: Any) -> Any:
    held, before = Held(), vars(Held)["rate"]
    result = x * held.rate
    Held.rate = 9.0
    result = result + held.rate
    Held.rate = before
    return result


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize(
    "function", [replaces_a_list, replaces_an_operator, replaces_a_call, replaces_a_property]
)
def test_what_a_call_replaces_and_puts_back_is_what_it_is_in_between(function: Callable[..., Any]) -> None:
    expected = function(X).tolist()
    converted = convert(function)
    assert [converted(X).tolist() for _ in range(3)] == [expected] * 3
