"""Objects of classes derived from Python's own containers, and methods of containers, are left to Python, which changes them once."""

from __future__ import annotations

import warnings
from collections import Counter, OrderedDict, deque
from enum import Enum
from typing import Any

import numpy as np
import pytest

import transpile


class Table(dict):
    pass


class Row(list):
    pass


class Rate(float):
    pass


class Color(Enum):
    RED, BLUE = 1, 2


def counted(thing, x):
    return len(thing) + x.sum()


def read(thing, x):
    return thing["a"] * x


def run_through(thing, x):
    return [item for item in thing if item], x


def looked_up(thing, x):
    return "a" in thing, x


def made_an_array(thing, x):
    return np.array(thing) * x[0]


def moved(thing, x):
    thing.move_to_end("b")
    return list(thing), x


def first_taken(thing, x):
    return thing.popitem(last=False), x


def appended(thing, x):
    thing.append(3)
    return x + 1


def taken(thing, x):
    return thing.pop("a") * x


def asked(thing, x):
    return thing.get("a", 7) * x


def most_common(thing, x):
    return thing.most_common(1)[0][1] * x


def multiplied(thing, x):
    return thing * x


def called(push, x):
    push(float(x.sum()))
    return x * 2


CASES = [
    (counted, lambda: Table(a=1)),
    (counted, lambda: Row([1, 2])),
    (counted, lambda: Counter(a=1)),
    (read, lambda: Table(a=1)),
    (moved, lambda: OrderedDict(b=2, a=1)),
    (first_taken, lambda: OrderedDict(a=2)),
    (run_through, lambda: Row([1, 2])),
    (run_through, lambda: Table(a=1)),
    (looked_up, lambda: Table(a=1)),
    (made_an_array, lambda: Row([1, 2])),
    (appended, lambda: Row([1, 2])),
    (taken, lambda: Table(a=1)),
    (asked, lambda: Counter(a=1)),
    (most_common, lambda: Counter(a=1, b=4)),
    (multiplied, lambda: Rate(1.5)),
]


def _outcome(function: Any, thing: Any) -> str:
    result = function(thing, np.arange(3.0))
    return repr((result, thing))


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_they_are_refused_in_words_and_changed_once(case: tuple[Any, Any]) -> None:
    function, make = case
    with pytest.raises(transpile.StagingError, match="S204-decides") as refused:
        transpile.convert(function, strict=True)(make(), np.arange(3.0))
    assert refused.value.location
    converted = transpile.convert(function)
    for _ in range(2):
        assert _outcome(converted, make()) == _outcome(function, make())


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("make", [list, set, deque])
def test_methods_that_are_handed_in_are_called_once(make: Any) -> None:
    converted = transpile.convert(called)
    thing = make()
    push = getattr(thing, "append", None) or thing.add
    converted(push, np.arange(3.0))
    assert list(thing) == [3.0]


def test_members_of_enumerations_are_found_by_their_values() -> None:
    def colored(x):
        return x * Color(2).value, Color(1)

    found = transpile.convert(colored, strict=True)(np.arange(3.0))
    assert repr(found) == repr(colored(np.arange(3.0)))


def test_what_needs_a_value_says_where() -> None:
    def chosen(x):
        return {1: "one"}[hash(x.sum() > 1)] if x[0] > 0 else [1, 2][int(x.sum()) : None : int(x[1])]

    with pytest.raises(transpile.StagingError) as refused:
        transpile.convert(chosen, strict=True)(np.arange(3.0))
    assert refused.value.location


def test_what_is_refused_at_the_end_says_of_which_function() -> None:
    def either(x, k):
        y = x * 1
        z = y if k > 0 else x * 2
        return y, z

    with pytest.raises(transpile.StagingError, match="S213-alias") as refused:
        transpile.convert(either, strict=True)(np.arange(3.0), 1)
    assert refused.value.location[-1].line == either.__code__.co_firstlineno


class Tagged(int):
    def __new__(cls, value, tag):
        made = int.__new__(cls, value)
        made.tag = tag
        return made


def makes_a_tagged(tag):
    made = int.__new__(Tagged, 3)
    made.tag = tag
    return made


@pytest.mark.parametrize("function", [makes_a_tagged, Tagged.__new__])
def test_what_new_makes_is_made_in_every_call(function: Any) -> None:
    given = (Tagged, 3) if function is Tagged.__new__ else ()
    converted = transpile.convert(function, device="host")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [converted(*given, tag) for tag in (4, 5)]
    assert [(one, one.tag, type(one)) for one in found] == [(3, 4, Tagged), (3, 5, Tagged)]
