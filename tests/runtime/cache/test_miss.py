"""Why a trace does not serve a call."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from transpile.runtime.cache.miss import first_miss
from transpile.runtime.trace.guard import LIES, ArrayKey, Guard
from transpile.runtime.trace.path import Path

X, Y = Path("argument", "x"), Path("argument", "y")
ARRAY = np.zeros((2, 3))
RECORDS = np.ones(2, [("k", "l")])


def locked() -> Any:
    array = np.zeros((2, 3))
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("guard", "value", "text"),
    [
        (Guard(X, "type", int), 2.5, "x is of type float, not int"),
        (Guard(X, "type", int), 2**70, "x does not fit into 64 bits"),
        (Guard(X, "equals", 3), 4, "x is 4, not 3"),
        (Guard(X, "equals", "up"), "down", "x is 'down', not 'up'"),
        (Guard(X, "is", None), 4, "x is another object, 4, than None"),
        (Guard(X, "length", 2), [1], "x has the length 1, not 2"),
        (Guard(X, "keys", ("a",)), {"b": 1}, "x has the keys ['b'], not ['a']"),
        (Guard(X, "dim", (1, 4)), ARRAY, "x.shape[1] is 3, not 4"),
        (Guard(X, "array", ArrayKey.of(ARRAY)), 3, "x is of type int, not ndarray"),
        (Guard(X, "array", ArrayKey.of(ARRAY)), ARRAY.astype("i4"), "x is of the dtype int32, not float64"),
        (Guard(X, "array", ArrayKey.of(ARRAY)), ARRAY[0], "x has the rank 1, not 2"),
        (Guard(X, "array", ArrayKey.of(ARRAY)), ARRAY[:1], "x.shape[0] is 1, where it was not"),
        (Guard(X, "array", ArrayKey.of(ARRAY[:1])), ARRAY, "x.shape[0] is 2, not 1"),
        (Guard(X, "array", ArrayKey.of(ARRAY)), locked(), "x cannot be written"),
        (
            Guard(X, "array", ArrayKey.of(ARRAY)),
            np.asfortranarray(ARRAY),
            "x lies in memory in another way: its strides are (8, 16)",
        ),
        (
            Guard(X, "array", ArrayKey.of(RECORDS)),
            RECORDS.view(np.recarray),
            "x is of type recarray, not ndarray",
        ),
        (
            Guard(X, "array", ArrayKey.of(RECORDS)),
            np.ones(2, [("k", "q")]),
            "x is of the dtype [('k', '<i8')], not [('k', '<i8')]",
        ),
        (
            Guard(X, "flags", RECORDS["k"].flags.num & LIES),
            np.ones(2, [("b", "?"), ("k", "l")])["k"],
            "x lies in memory in another way: its strides are (9,), and it is not aligned",
        ),
        (Guard(Path("item", "a", X), "equals", 3), {}, "x['a'] is not there"),
    ],
)
def test_a_guard_that_does_not_hold_says_why(guard: Guard, value: Any, text: str) -> None:
    miss = first_miss(["x"], [guard], [value])
    assert miss is not None
    assert (miss.kind, miss.text) == (guard.kind, text)


@pytest.mark.parametrize(
    ("kind", "make", "text"),
    [
        ("same", lambda: (np.ones(2), np.ones(2)), "x is not y"),
        ("not", lambda: (ARRAY, ARRAY), "x is y"),
        ("distinct", lambda: (ARRAY, ARRAY), "two of x, y are one object"),
        ("apart", lambda: (ARRAY[0], ARRAY[0, 1:]), "x and y share memory"),
    ],
)
def test_what_relates_arguments_names_both(kind: str, make: Callable[[], Any], text: str) -> None:
    miss = first_miss(["x", "y"], [Guard(X, kind, (Y,) if kind == "distinct" else Y)], make())
    assert miss is not None
    assert miss.text == text


def test_the_first_that_does_not_hold_is_named() -> None:
    guards = [Guard(X, "type", int), Guard(X, "equals", 3), Guard(Y, "type", int)]
    miss = first_miss(["x", "y"], guards, [4, 2.5])
    assert miss is not None
    assert miss.path == "x"
    assert first_miss(["x", "y"], guards, [3, 5]) is None
