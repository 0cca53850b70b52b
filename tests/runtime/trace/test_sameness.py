"""What a trace takes for known is told from what only equals it, and may change behind the trace's back in nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import pytest

from transpile import convert


class Level(IntEnum):
    LOW = 1


@dataclass(frozen=True)
class Place:
    x: float


class Counted:
    """A key that counts what is asked of it, and whose value changes."""

    def __init__(self, value: int) -> None:
        self.value = value
        self.hashes = self.compared = 0

    def __hash__(self) -> int:
        self.hashes += 1
        return 1

    def __eq__(self, other: object) -> bool:
        self.compared += 1
        return self is other


class Node:
    def __init__(self, value: int) -> None:
        self.value = value


ONES: list[Any] = [
    1,
    1.0,
    True,
    np.int64(1),
    np.float32(1),
    np.True_,
    1 + 0j,
    Level.LOW,
    0.0,
    -0.0,
    (1, 2),
    (1.0, 2),
    (True, 2),
    frozenset({1}),
    frozenset({1.0}),
    Place(1),
    Place(1.0),
]


def keys_of(d):
    return str(list(d)), str(d)


def known(x):
    return str(x), str(list(x)) if isinstance(x, frozenset) else x


def values_of_keys(d):
    return [key.value for key in d]


def values_of_keys_in_tuples(d):
    return [key.value for (key,) in d]


def values_in(s):
    return sum(item.value for item in s)


def raise_keys(d):
    for key in d:
        key.value += 1


def total(d):
    return sum(d.values())


def check(function: Callable[..., Any], device: str, calls: list[tuple[Any, ...]]) -> None:
    converted = convert(function, device=device)
    for _ in range(2):
        for given in calls:
            assert repr(converted(*given)) == repr(function(*given))


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.RetraceWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
def test_keys_of_dictionaries_are_those_of_the_call_and_not_what_equals_them(device: str) -> None:
    check(keys_of, device, [({one: 3},) for one in ONES])
    check(keys_of, device, [({"a": {one: 3}},) for one in ONES])


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.RetraceWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
def test_known_things_are_those_of_the_call_and_not_what_equals_them(device: str) -> None:
    check(known, device, [(slice(0, one),) for one in ONES if not isinstance(one, Place)])
    check(known, device, [(frozenset({one}),) for one in ONES])
    check(known, device, [(range(1),), (range(True),)])
    # Both hold the same, in other orders.
    check(known, device, [(frozenset([0, 8]),), (frozenset([8, 0]),)])


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("function", [values_of_keys, values_of_keys_in_tuples, values_in, raise_keys])
def test_objects_that_are_keys_or_in_frozen_sets_may_change(function: Callable[..., Any]) -> None:
    converted = convert(function, device="host")
    for value in (3, 4):
        one, other = Node(value), Node(value)
        for node, run in ((one, function), (other, converted)):
            things: Any = {
                values_of_keys_in_tuples: {(node,): 1},
                values_in: frozenset({node}),
            }.get(function, {node: 1})
            results = []
            for _ in range(3):
                results.append(run(things))
                node.value += 10
            node.results = (results, node.value)  # type: ignore[attr-defined]
        assert one.results == other.results  # type: ignore[attr-defined]


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_a_slice_between_arrays_that_change_is_left_to_numpy() -> None:
    def part(x, s):
        return x[s]

    converted = convert(part, device="host")
    x, stop = np.arange(6.0), np.array(3)
    for _ in range(3):
        stop += 1
        assert repr(converted(x, slice(0, stop))) == repr(part(x, slice(0, stop)))


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("first", [{1: 2}, {(1, 2): 2}, {"x": 2}])
def test_whether_a_trace_serves_a_call_is_no_question_to_keys(first: dict[Any, int]) -> None:
    converted = convert(total, device="host")
    converted(first)
    for wraps in (lambda key: key, lambda key: (key, key)):
        one, other = Counted(1), Counted(1)
        total({wraps(one): 1})
        converted({wraps(other): 1})
        assert (one.hashes, one.compared) == (other.hashes, other.compared)
