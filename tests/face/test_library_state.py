"""What modules of libraries hold that can change is what it is when the function is called; what a function stores there is stored."""

import calendar
import copy
import decimal
import logging
import string
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from transpile import StagingError, convert

X = np.arange(4.0)


class Setting:
    """An object that a test puts into a module of a library."""

    def __init__(self) -> None:
        self.scale = 3
        self.inner = types.SimpleNamespace(shift=1.5)
        self.names = ["a"]

    def total(self) -> float:
        return self.scale + self.inner.shift


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(np, "setting", Setting(), raising=False)
    monkeypatch.setattr(calendar, "mdays", [*calendar.mdays])
    monkeypatch.setattr(logging.root, "level", logging.root.level)
    monkeypatch.setattr(logging.root, "handlers", [*logging.root.handlers])
    monkeypatch.setattr(calendar.c, "_firstweekday", calendar.c.firstweekday)
    monkeypatch.setattr(decimal, "DefaultContext", copy.copy(decimal.DefaultContext))
    monkeypatch.setattr(np.polynomial.Polynomial, "maxpower", 100)
    monkeypatch.setattr(string, "table", np.arange(4.0), raising=False)
    with warnings.catch_warnings():
        yield


def level(x: Any) -> Any:
    return x * logging.root.level


def handlers(x: Any) -> Any:
    return x * len(logging.root.handlers)


def days(x: Any) -> Any:
    return x * calendar.mdays[2]


def first_day(x: Any) -> Any:
    return x * calendar.c.firstweekday


def first_day_by_method(x: Any) -> Any:
    return x * calendar.firstweekday()


def filters(x: Any) -> Any:
    return x * len(warnings.filters)


def scale(x: Any) -> Any:
    return x * np.setting.scale  # type: ignore[attr-defined]


def shift(x: Any) -> Any:
    return x * np.setting.inner.shift  # type: ignore[attr-defined]


def total(x: Any) -> Any:
    return x * np.setting.total()  # type: ignore[attr-defined]


def names(x: Any) -> Any:
    return x * len(np.setting.names)  # type: ignore[attr-defined]


def precision(x: Any) -> Any:
    return x * decimal.DefaultContext.prec


def most(x: Any) -> Any:
    return x * np.polynomial.Polynomial.maxpower


def table(x: Any) -> Any:
    return x * string.table  # type: ignore[attr-defined]


def _changes() -> dict[Callable[..., Any], Callable[[], Any]]:
    return {
        level: lambda: setattr(logging.root, "level", 7),
        handlers: lambda: logging.root.handlers.append(logging.NullHandler()),
        days: lambda: calendar.mdays.__setitem__(2, 29),
        first_day: lambda: calendar.setfirstweekday(3),
        first_day_by_method: lambda: calendar.setfirstweekday(3),
        filters: lambda: warnings.filters.append(("ignore", None, UserWarning, None, 0)),  # type: ignore[attr-defined]
        scale: lambda: setattr(np.setting, "scale", 4),  # type: ignore[attr-defined]
        shift: lambda: setattr(np.setting.inner, "shift", 2.5),  # type: ignore[attr-defined]
        total: lambda: setattr(np.setting.inner, "shift", 2.5),  # type: ignore[attr-defined]
        names: lambda: np.setting.names.append("b"),  # type: ignore[attr-defined]
        precision: lambda: setattr(decimal.DefaultContext, "prec", 5),
        most: lambda: setattr(np.polynomial.Polynomial, "maxpower", 7),
        table: lambda: string.table.__iadd__(1),  # type: ignore[attr-defined]
    }


CHANGES = _changes()


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("function", CHANGES, ids=lambda function: function.__name__)
def test_what_a_module_of_a_library_holds_may_change_between_calls(function: Callable[..., Any]) -> None:
    converted = convert(function)
    for _ in range(2):
        np.testing.assert_array_equal(converted(X), function(X))
    CHANGES[function]()
    np.testing.assert_array_equal(converted(X), function(X))


@pytest.mark.parametrize("function", [level, days, first_day, scale, shift, precision, most, filters])
def test_such_a_function_is_compiled(function: Callable[..., Any]) -> None:
    converted = convert(function, strict=True)
    for _ in range(2):
        np.testing.assert_array_equal(converted(X), function(X))
    assert len(converted.calls.entries) == 1


def stores_level(x: Any) -> Any:
    logging.root.level = 10
    return x + 1


def stores_days(x: Any) -> Any:
    calendar.mdays[2] = 31
    return x + 1


def stores_first_day(x: Any) -> Any:
    calendar.setfirstweekday(2)
    return x + 1


def stores_sum(x: Any) -> Any:
    np.setting.inner.shift = x.sum()  # type: ignore[attr-defined]
    return x + 1


def appends(x: Any) -> Any:
    np.setting.names.append("b")  # type: ignore[attr-defined]
    return x + 1


def stores_precision(x: Any) -> Any:
    decimal.DefaultContext.prec = 5
    return x + 1


def stores_most(x: Any) -> Any:
    np.polynomial.Polynomial.maxpower = 5  # type: ignore[misc]
    return x + 1


def adds(x: Any) -> Any:
    string.table[0] += 1  # type: ignore[attr-defined]
    return x + 1


def _state() -> list[str]:
    setting: Any = np.setting  # type: ignore[attr-defined]
    held = [logging.root.level, calendar.mdays, calendar.firstweekday(), setting.inner, setting.names]
    more = [decimal.DefaultContext.prec, np.polynomial.Polynomial.maxpower, string.table]  # type: ignore[attr-defined]
    return [repr(thing) for thing in held + more]


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize(
    "function",
    [stores_level, stores_days, stores_first_day, stores_sum, appends, stores_precision, stores_most, adds],
    ids=lambda function: function.__name__,
)
def test_what_is_stored_into_a_library_is_stored_by_each_call(
    function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for called in (function, convert(function)):
        with monkeypatch.context() as patch:
            patch.setattr(np, "setting", Setting())
            patch.setattr(string, "table", np.arange(4.0))
            patch.setattr(calendar, "mdays", [*calendar.mdays])
            for _ in range(3):
                logging.root.level = 30
                calendar.c.setfirstweekday(0)
                decimal.DefaultContext.prec = 28
                np.polynomial.Polynomial.maxpower = 100  # type: ignore[misc]
                called(X)
                found.append(_state())
    assert found[:3] == found[3:]


@pytest.mark.parametrize("masked", [np.ma.masked, np.ma.masked_array([1.0, 2.0], [True, False])], ids=repr)
def test_an_array_of_a_class_of_its_own_that_a_library_holds_is_left_to_plain_python(
    monkeypatch: pytest.MonkeyPatch, masked: Any
) -> None:
    monkeypatch.setattr(string, "table", masked)

    def asked(x: Any) -> Any:
        return string.table is None, string.table.ndim, x + 1

    with pytest.raises(StagingError, match="S249-held"):
        convert(asked, strict=True)(X)


def test_what_is_made_anew_whenever_it_is_asked_for_is_left_to_plain_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(string, "table", memoryview(b"abc"))

    def asked(x: Any) -> Any:
        return string.table.shape, x + 1

    with pytest.raises(StagingError, match="S249-held"):
        convert(asked, strict=True)(X)
