"""Operators on arrays and numbers beside things that are neither do what NumPy's and Python's do."""

from __future__ import annotations

import collections
import fractions
from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...end_to_end.comparison import call, compare
from ..composites.agreement import function_of


class Plain:
    """A thing like any other."""


class Decides:
    """One that says itself what it equals, and takes no part in ufuncs."""

    __array_ufunc__ = None

    def __eq__(self, other):
        return "mine"

    def __hash__(self):
        return 1

    def __radd__(self, other):
        return "sum"


class Converts:
    """One that NumPy makes an array of."""

    def __array__(self, dtype=None, copy=None):
        return np.arange(3.0)


class Joins:
    """One that takes part in ufuncs, whatever its priority."""

    __array_priority__ = 1000

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        return ufunc.__name__, len(inputs)

    def __add__(self, other):
        return "first"

    def __radd__(self, other):
        return "last"


class Low:
    """One whose priority is higher than that of numbers, and lower than that of arrays."""

    __array_priority__ = -5.0

    def __radd__(self, other):
        return "last"

    def __array__(self, dtype=None, copy=None):
        return np.arange(3.0)


class High(Low):
    """One whose priority is higher than that of arrays."""

    __array_priority__ = 1.0


THINGS: dict[str, Any] = {
    "None": None,
    "text": "auto",
    "bytes": b"a",
    "a thing": Plain(),
    "a thing that decides": Decides(),
    "a thing like an array": Converts(),
    "a thing that joins in": Joins(),
    "a thing of low priority": Low(),
    "a thing of high priority": High(),
    "a set": {1},
    "a dictionary": {1: 2},
    "a range": range(3),
    "a tuple": (0, 1, 5),
    "a function": len,
    "a class": int,
    "a fraction": fractions.Fraction(1, 2),
    "a user's list": collections.UserList([1, 2, 3]),
}
OPERATORS = ("==", "!=", "<", "+", "*", "-", "**")


def programs(operator: str) -> Any:
    """Return functions that apply an operator to arrays and numbers, on either side."""
    ours = ("x", "x[0]", "n", "(x > 1)", "x[:1].reshape(())")
    texts = [f"{o} {operator} t" for o in ours] + [f"t {operator} {o}" for o in ours]
    return [function_of(text, "x, n, t") for text in texts]


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("thing", THINGS)
def test_an_operator_beside_a_thing_does_what_it_did(thing: str, operator: str) -> None:
    arguments = (np.arange(3.0), 3, THINGS[thing])
    for function in programs(operator):
        compare(call(function, arguments), call(convert(function, device="host"), arguments))


def test_an_array_is_compared_with_none_and_text_element_by_element() -> None:
    def compares(x):
        return x == None, x != "auto", x[0] == "auto", x[0] == None  # noqa: E711

    converted, x = convert(compares, device="host", strict=True), np.arange(3.0)
    compare(call(compares, (x,)), call(converted, (x,)))


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_an_array_that_is_asked_for_the_name_of_a_method_has_no_one_truth() -> None:
    def places(x, where):
        return x[0] if where == "middle" else x[where]

    converted, x = convert(places, device="host"), np.arange(5.0)
    for where in ("middle", 2, np.array([1, 2])):
        compare(call(places, (x, where)), call(converted, (x, where)))


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("body", ["x += t", "x[:2] += t", "y = x[0]; y += t; return y", "n += t; return n"])
def test_an_operator_in_place_beside_a_thing_does_what_it_did(thing: str, body: str) -> None:
    function = function_of(f"{body}\nreturn x", "x, n, t")
    arguments = (np.arange(3.0), 3, THINGS[thing])
    compare(call(function, arguments), call(convert(function, device="host"), arguments))


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("thing", THINGS)
def test_an_operator_beside_a_thing_under_try_does_what_it_did(thing: str) -> None:
    function = function_of("try:\n    return x + t\nexcept TypeError:\n    return 'refused'", "x, t")
    arguments = (np.arange(3.0), THINGS[thing])
    compare(call(function, arguments), call(convert(function, device="host"), arguments))
