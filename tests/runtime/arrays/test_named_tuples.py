"""Named tuples are what they are made of, but where a class has code of its own that makes them, or holds more."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest
import scipy.stats

from transpile import convert
from transpile.runtime.arrays.rows import is_named

from ...end_to_end.comparison import call, compare


class Point(NamedTuple):
    x: Any
    y: Any = 2.0

    def area(self):
        return self.x * self.y


class Doubled(collections.namedtuple("Doubled", "x y")):
    """One that is not what it is made of."""

    made: ClassVar[int] = 0

    def __new__(cls, x, y=0):
        Doubled.made += 1
        return super().__new__(cls, x * 2, y)


class Totalled(collections.namedtuple("Totalled", "x y")):
    """One that holds more than its items."""

    def __init__(self, *items):
        Doubled.made += 1
        self.total = items[0]


# SciPy's results hold more than their items, by code that is made as that of named tuples is.
Line: Any = type(scipy.stats.linregress([0, 1, 2], [0, 1, 3]))

PROGRAMS: dict[str, tuple[Callable[..., Any], Any]] = {
    "made": (lambda x: (Point(x[0]), Point(x[1], 3).area()), np.arange(3.0)),
    "made on two ways": (lambda x: Point(1.0) if x[0] > 1 else Point(x[1], 2.5), np.arange(3.0)),
    "handed in": (lambda p: (p.x * 2, p), Point(1.5)),
    "made by its own code": (lambda x: Doubled(x[0], 3), np.arange(3.0)),
    "made by its own code, and read": (lambda x: Doubled(x[1]).x, np.arange(3.0)),
    "made by its own code, on two ways": (
        lambda x: Doubled(1.0) if x[0] > 1 else Doubled(x[1], 2.5),
        np.arange(3.0),
    ),
    "made by its own code, handed in": (lambda p: (p.x * 2, p), Doubled(1.5)),
    "with more, by generated code": (
        lambda x: Line(x[0], x[1], x[2], 0.5, 0.1, intercept_stderr=x[1]),
        np.arange(3.0),
    ),
    "with more": (lambda x: Totalled(x[0], x[1]), np.arange(3.0)),
    "with more, read": (lambda x: Totalled(x[1], x[1]).total, np.arange(3.0)),
    "with more, handed in": (lambda p: (p.total, p.y, p), Totalled(3.0, 1.0)),
}


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("what", PROGRAMS)
def test_named_tuples_are_made_as_often_and_as_they_were(what: str) -> None:
    function, argument = PROGRAMS[what]
    converted = convert(function, device="host")
    for _ in range(2):
        Doubled.made = 0
        expected = call(function, (argument,))
        made, Doubled.made = Doubled.made, 0
        found = call(converted, (argument,))
        compare(expected, found)
        assert repr(found) == repr(expected) and made == Doubled.made


def test_classes_that_make_instances_by_code_of_their_own_are_told_apart() -> None:
    assert is_named(Point) and is_named(collections.namedtuple("Pair", "a b"))
    assert not any(map(is_named, (Doubled, Totalled, Line, tuple, list)))
