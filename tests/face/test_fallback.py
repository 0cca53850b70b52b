"""Calls that run as plain Python go as deep as plain Python does, but for some."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from transpile import convert
from transpile.budget import Budget
from transpile.converting import twin
from transpile.hook import offer

pytestmark = pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")


def down(n):
    gc.get_count()
    return 0 if n == 0 else down(n - 1) + 1


def up_and_down(n, seen):
    def inside():
        return up_and_down(n - 1, seen)

    seen.append(n)
    return 0 if n == 0 else inside() + 1


def even(n, seen):
    seen.append({n})
    return True if n == 0 else odd(n - 1, seen)


def odd(n, seen):
    seen.append({n})
    return False if n == 0 else even(n - 1, seen)


class Chain:
    def __init__(self, after: Chain | None) -> None:
        self.after = after

    def length(self) -> int:
        return 1 if self.after is None else self.after.length() + 1


def by_place(a, /, b=2):
    return a, b


def by_keyword(a, *, b, c=3):
    return a, b, c


def others(a, *rest, b=2, **more):
    return a, rest, b, more


class Named:
    def hidden(self, *, __name, function, values):
        return __name, function, values


def chain(n: int) -> Chain:
    made = Chain(None)
    for _ in range(n):
        made = Chain(made)
    return made


@contextmanager
def converted(*names: str) -> Iterator[None]:
    before = {name: globals()[name] for name in names}
    length = Chain.length
    try:
        for name, function in before.items():
            globals()[name] = convert(function)
        Chain.length = convert(length)  # type: ignore[method-assign]
        yield
    finally:
        globals().update(before)
        Chain.length = length  # type: ignore[method-assign]


CASES: list[tuple[Callable[[int], Any], int]] = [
    (lambda n: down(n), 1),
    (lambda n: up_and_down(n, []), 2),
    (lambda n: even(n, []), 1),
    (lambda n: chain(n).length(), 1),
]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_functions_that_are_left_to_python_call_themselves_as_deep(case: int) -> None:
    run, frames = CASES[case]
    here = len(list(_frames()))
    depth = (sys.getrecursionlimit() - here - 100) // frames
    with converted("down", "up_and_down", "even", "odd"):
        # From the first call on, and as well once it is known which way they go.
        for n in (depth, 3, 30, 300, depth, depth):
            assert run(n) == n + (case == 3) if case != 2 else run(n) is (n % 2 == 0)
        with pytest.raises(RecursionError):
            run(3 * depth)
        assert run(4) == 4 + (case == 3) if case != 2 else run(4) is True


def _frames() -> Iterator[Any]:
    frame: Any = sys._getframe()
    while frame is not None:
        yield frame
        frame = frame.f_back


@pytest.mark.parametrize(
    "function, args, keywords",
    [
        (by_place, (1,), {}),
        (by_place, ([1],), {"b": 5}),
        (by_keyword, (1,), {"b": 2}),
        (by_keyword, (1,), {"c": 5, "b": 2}),
        (others, (1,), {}),
        (others, (1, 2, 3), {"b": 4, "x": 5, "values": 6}),
        (Named.hidden, (1,), {"_Named__name": 2, "function": 3, "values": 4}),
    ],
)
def test_calls_that_run_plain_hand_on_values_as_parameters_of_each_kind_take_them(
    function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]
) -> None:
    hooked = offer(twin(function), budget=Budget())
    assert hooked(*args, **keywords) == function(*args, **keywords)
    assert hooked.calls._calls == 1
