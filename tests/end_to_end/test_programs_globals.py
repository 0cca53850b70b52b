"""Programs that store to globals and to variables of functions around, and functions that see later values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import transpile

from .comparison import call, compare, differences
from .programs import Program, Programs, check, name_of

STATE = {"count": 0, "last": None, "table": np.arange(3.0), "mode": "new"}
count: Any = 0
last: Any = None
table: Any = None
mode: Any = "new"


def counted(x):
    global count
    count += 1
    return x * count


def stores_in_loops(x):
    global count, last
    for last in range(len(x)):
        if x[last] > 1:
            count = count + x[last]
        elif x[last] < -1:
            continue
        if count > 4:
            break
    return count


def add(by):
    global count
    count += by


def stored_by_a_callee(x):
    for v in x:
        if v > 0:
            add(v)
    return count * 2


def an_array(x):
    global table
    table = table + x[:3].sum()
    table[0] = count
    return table


def written_in_place(x):
    global table
    table += 1
    y = table
    table = x
    return y, table


def text_and_none(x):
    global mode, last
    if len(x) > 2:
        mode = "long"
        last = x[0]
    else:
        mode = "short"
        last = None
    return x


def index_fails_after_a_store(x):
    global count
    count += 1
    y = x[count + 3]
    count += 1
    return y


def only_on_one_way(x):
    global last
    if x.sum() > 2:
        last = 5.0
    return last


GLOBAL = (
    counted, stores_in_loops, stored_by_a_callee, an_array, written_in_place, text_and_none,
    index_fails_after_a_store, only_on_one_way,
)  # fmt: skip


def _with_fresh_globals(function: Callable[..., Any]) -> list[Any]:
    globals().update({name: np.copy(v) if isinstance(v, np.ndarray) else v for name, v in STATE.items()})
    seen = []
    for x in ([1.0, 2.0, -3.0, 4.0, 5.0, 6.0], [0.5, -2.0, 3.0, 9.0], [1.0], []):
        outcome = call(function, (np.array(x),))
        state = {
            name: np.copy(v) if isinstance(v, np.ndarray) else v
            for name, v in globals().items()
            if name in STATE
        }
        seen.append((outcome, state))
    return seen


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", GLOBAL)
def test_globals_become_what_they_became(function: Callable[..., Any], device: str) -> None:
    expected = _with_fresh_globals(function)
    converted = transpile.convert(function, device=device)
    found = _with_fresh_globals(converted)
    for (one, before), (other, after) in zip(expected, found, strict=True):
        compare(one, other)
        assert not differences(before, after, "globals")
    assert not converted.calls.failures


programs = Programs()


def vector(n):
    return lambda: (np.linspace(-2.0, 3.0, n),)


@programs(vector(5), vector(1), vector(0))
def nonlocal_counter(x):
    total, calls = 0.0, 0

    def add(v):
        nonlocal total, calls
        total += v
        calls += 1

    for v in x:
        if v > 0:
            add(v)
    return total, calls


@programs(vector(5), vector(1))
def late_binding(x):
    scale = 1.0

    def scaled(y):
        return y * scale

    first = scaled(x)
    for i in range(len(x)):
        scale = scale + x[i]
    if x[0] > 0:
        scale = 2.0
    return first, scaled(x)


@programs(vector(3))
def functions_made_in_a_loop(x):
    functions = []
    for k in range(3):
        functions.append(lambda y: y * k)
    return [f(x) for f in functions]


@programs(vector(3))
def accumulator(x):
    state = None

    def push(v):
        nonlocal state
        state = v if state is None else state + v
        return state

    return push(x), push(x), state


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_programs_do_what_they_did(program: Program, device: str) -> None:
    check(program, device)


def _counter() -> tuple[Any, Any]:
    n = 0

    def count(x):
        nonlocal n
        n += len(x)
        return x + n

    return count, lambda: n


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_a_variable_of_the_function_around_is_stored(device: str) -> None:
    plain, n = _counter()
    count, m = _counter()
    converted = transpile.convert(count, strict=True, device=device)
    for size in (2, 3, 0, 4):
        assert not differences(plain(np.ones(size)), converted(np.ones(size)))
        assert type(m()) is int
        assert n() == m()


def _speaking_counter() -> tuple[Any, Any]:
    n = 0

    def count(x):
        nonlocal n
        n += len(x)
        print("counted", n)
        y = x[2]
        n += 1
        return y

    return count, lambda: n


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_a_variable_of_the_function_around_is_stored_before_what_is_seen(device: str) -> None:
    plain, n = _speaking_counter()
    count, m = _speaking_counter()
    converted = transpile.convert(count, strict=True, device=device)
    for size in (3, 2, 4):
        compare(call(plain, (np.ones(size),)), call(converted, (np.ones(size),)))
        assert n() == m()


def least_so_far(x):
    global lowest, lowest_x
    lowest = np.inf
    for i in range(len(x)):
        error = (x[i] - 2) ** 2
        if error < lowest:
            lowest = error
            lowest_x = x * error


def read_where_perhaps_unbound(x):
    global lowest
    for i in range(len(x)):
        if x[i] > 2:
            lowest = i
    return lowest + 1


def read_and_dropped(x):
    global lowest
    if x.sum() > 2:
        lowest = x * 2
    taken = lowest  # noqa: F841
    return 1


def handled_where_unbound(x):
    global lowest
    total = 0
    for i in range(len(x)):
        if x[i] > 2:
            lowest = float(i)
        try:
            total += lowest
        except NameError as error:
            print(error)
            total += 100
    return total


def read_by_a_function_inside(x):
    global lowest

    def read():
        return lowest

    if x.sum() > 2:
        lowest = 1.5
    return read()


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function",
    [
        least_so_far,
        read_where_perhaps_unbound,
        read_and_dropped,
        handled_where_unbound,
        read_by_a_function_inside,
    ],
)
def test_globals_are_bound_on_the_ways_on_which_they_are(function: Callable[..., Any], device: str) -> None:
    names = ("lowest", "lowest_x")
    converted = transpile.convert(function, strict=True, device=device)
    for start in ([0.0, 1.0, 2.5, 3.0], [0.0, 1.0], [5.0, 1.0, 7.0], [], [0.0, 1.0]):
        left: list[list[Any]] = []
        for run in (function, converted):
            for name in names:
                globals().pop(name, None)
            # In the second call they are bound, perhaps.
            outcomes = [call(run, (np.array(start) - less,)) for less in (0.0, 3.0)]
            left.append([*outcomes, {name: globals()[name] for name in names if name in globals()}])
        for expected, found in zip(*(each[:2] for each in left), strict=True):
            compare(expected, found)
        assert not differences(left[0][2], left[1][2])
