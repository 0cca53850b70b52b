"""What a call costs that runs as plain Python after all, against a call of the function as it was."""

from __future__ import annotations

import asyncio
import sys
import warnings
from collections import deque
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from transpile.runtime.errors import FallbackWarning

from .converting import convert

# The most that a call may cost, over the plain one.
LIMIT = 1.05
# Calls before the first that is measured.
_BEFORE = 300
# Seconds of one measurement, and how many of each kind are made in turn.
_SECONDS = 0.001
_TURNS = 200

FUNCTIONS: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = []


def measured(*args: Any, **kwargs: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a function, and what it is called with."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        FUNCTIONS.append((function, args, kwargs))
        return function

    return declare


@measured()
def no_arguments() -> Any:
    return locals()


@measured(1)
def one_argument(a: Any) -> Any:
    return locals()


@measured(1, 2, 3, 4, 5, 6, 7, 8)
def many_arguments(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any) -> Any:
    return locals()


@measured(1, b=2)
def defaults(a: Any, b: Any = 1, c: Any = 2) -> Any:
    return locals()


@measured(1, 2, 3, 4)
def variadic(a: Any, *rest: Any) -> Any:
    return locals()


@measured(1, b=2, c=3)
def keywords(a: Any, **named: Any) -> Any:
    return locals()


@measured(1, b=2)
def keyword_only(a: Any, *, b: Any, c: Any = 3) -> Any:
    return locals()


@measured(1, 2)
def positional_only(a: Any, b: Any, /) -> Any:
    return locals()


@measured(range(20))
def generator(items: Any) -> Any:
    for item in items:
        yield item * 2


@measured()
async def coroutine() -> Any:
    await asyncio.sleep(0)
    return 1


@measured("abc")
def raises(text: str) -> Any:
    locals()
    raise ValueError(text)


class _Account:
    def __init__(self) -> None:
        self.balance = 0

    def pay(self, amount: int) -> Any:
        self.balance += amount
        return locals()


@measured(_Account(), 3)
def method(account: _Account, amount: int) -> Any:
    account.balance += amount
    return locals()


def _closure() -> Callable[..., Any]:
    count = 0

    def counts(step: int) -> Any:
        nonlocal count
        count += step
        return locals()

    return counts


measured(2)(_closure())


@measured(30)
def recursive(n: int) -> Any:
    locals()
    return 1 if n == 0 else recursive(n - 1)


@measured(deque([1, 2, 3]))
def argument_of_a_kind_that_is_not_staged(queue: Any) -> Any:
    queue.rotate(1)
    return queue[0]


@measured([3, 1, 2])
def list_that_is_changed(items: list[int]) -> Any:
    items.append(items.pop(0))
    return items, locals()


@measured(np.array(["a", "b"], dtype=object))
def array_of_objects(things: Any) -> Any:
    return [str(thing) for thing in things]


@measured(np.ones(3), np.ones(3))
def arrays(x: Any, y: Any) -> Any:
    locals()
    return x + y


@measured(200)
def loop_without_arrays(n: int) -> Any:
    total = 0
    for i in range(n):
        total += i
    return total, sys._getframe(0).f_lineno


@measured({"a": 1}, "a")
def looks_up(table: dict[str, int], key: str) -> Any:
    return table.get(key), locals()


def ratio_of(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> float:
    """Return how many times the time of a plain call a call of the function converted takes, once it has fallen back."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        converted = convert(function)
        for _ in range(_BEFORE):
            _call(converted, args, kwargs)
    count = 1
    while _time(function, args, kwargs, count) < _SECONDS:
        count *= 2
    times: dict[Callable[..., Any], float] = {}
    for turn in range(_TURNS):
        # In turns, each once first and once last: what else the machine does comes and goes.
        for each in (converted, function) if turn % 2 else (function, converted):
            times[each] = min(times.get(each, 1.0), _time(each, args, kwargs, count))
    return times[converted] / times[function]


def _call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Call a function, and run what it leaves to be run."""
    try:
        made = function(*args, **kwargs)
    except ValueError:
        return
    if hasattr(made, "__next__"):
        for _ in made:
            pass
    elif hasattr(made, "send"):
        made.close()


def _time(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], count: int) -> float:
    start = perf_counter()
    for _ in range(count):
        _call(function, args, kwargs)
    return perf_counter() - start


def run() -> int:
    """Print the table; returns 1 where a ratio is over the limit."""
    ratios = {}
    for function, args, kwargs in FUNCTIONS:
        ratio = ratios[function.__name__] = ratio_of(function, args, kwargs)
        print(f"{function.__name__:40} {ratio:5.2f}", flush=True)
    over = [name for name, ratio in ratios.items() if ratio > LIMIT]
    print(f"\n{len(ratios)} functions; over {LIMIT}: {', '.join(over) or 'none'}")
    return int(bool(over))
