"""What a call would take, before it is known."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from transpile.calls import Calls
from transpile.estimate import CompileTimes, does_little, plain_seconds, size, sure_seconds


def estimated(function: Callable[..., Any], *values: Any) -> float:
    """Return the seconds that a call may take."""
    graph = Calls(function, strict=True, device="cpu").traced(values).graph  # type: ignore[arg-type]
    return plain_seconds(graph, values)


def nested(x, n):
    total = 0.0
    for i in range(n):
        for j in range(i):
            total += x[j]
    return total


def elementwise(x, n):
    return x * n + 1.0


def updates(x, n):
    for i in range(n):
        x[i] = x[i] + 1.0
    return x


def halving(x, n):
    while x[0] > n:
        x[0] /= 2.0
    return x


def test_turns_of_loops_are_multiplied() -> None:
    x = np.ones(1000)
    assert 50 < estimated(nested, x, 1000) / estimated(nested, x, 100) < 200
    # Half of a million turns take some hundredths of a second.
    assert 0.01 < estimated(nested, x, 1000) < 0.5


def test_elements_count_where_arrays_are_computed_and_not_where_they_are_written_one_by_one() -> None:
    assert estimated(elementwise, np.ones(10_000_000), 2.0) > 100 * estimated(elementwise, np.ones(1000), 2.0)
    few, many = (estimated(updates, np.ones(n), 100) for n in (100, 1_000_000))
    assert few == many


def doubled(x):
    return x + x


def test_elements_of_fewer_bytes_take_less() -> None:
    narrow, wide = (estimated(doubled, np.ones(1_000_000, kind)) for kind in ("u1", "f8"))
    assert narrow < 0.2 * wide


def test_turns_that_nothing_tells_are_guessed() -> None:
    assert 0 < estimated(halving, np.ones(3), 0) < 1.0


def test_what_is_guessed_is_not_sure() -> None:
    def sure(function: Callable[..., Any], *values: Any) -> float | None:
        calls = Calls(function, strict=True, device="cpu")  # type: ignore[arg-type]
        return sure_seconds(calls.traced(values).graph, calls.parameters, values)

    x = np.ones(1000)
    assert sure(nested, x, 100) == estimated(nested, x, 100)
    assert sure(elementwise, x, 2.0) == estimated(elementwise, x, 2.0)
    assert sure(halving, x, 0) is None


def test_no_turn_takes_next_to_no_time() -> None:
    assert estimated(nested, np.ones(3), 0) < 1e-5


def test_compile_times_follow_what_was_seen() -> None:
    times = CompileTimes()
    graph = Calls(nested, strict=True, device="cpu").traced((np.ones(3), 3)).graph
    before = times.expected(graph)
    for _ in range(100):
        times.note(graph, 0.2 + 0.0001 * size(graph))
    assert times.expected(graph) == pytest.approx(0.2, abs=0.02 + 0.1 * before)


def test_what_has_no_loop_has_to_take_longer_before_compiling_it_pays() -> None:
    times = CompileTimes()
    looping = Calls(nested, strict=True, device="cpu").traced((np.ones(3), 3)).graph
    straight = Calls(lambda x: x * 2 + 1, strict=True, device="cpu").traced((np.ones(3),)).graph
    assert times.earned(looping) == 1.5 * times.expected(looping)
    assert times.earned(straight) == 3 * times.expected(straight)


def test_the_first_graph_takes_longer_to_compile() -> None:
    times = CompileTimes()
    graph = Calls(nested, strict=True, device="cpu").traced((np.ones(3), 3)).graph
    before = times.expected(graph)
    times.note(graph, before)
    assert times.expected(graph) < before


class Account:
    def __init__(self, balance):
        self.balance = balance


def grow(accounts, years):
    for _ in range(years):
        for account in accounts:
            account.balance *= 1.02


@pytest.mark.parametrize("count, years, little", [(60, 1, True), (60, 1000, False), (6, 1, False)])
def test_many_things_with_which_little_is_done(count: int, years: int, little: bool) -> None:
    values = [Account(float(k)) for k in range(count)], years
    calls = Calls(grow, strict=True, device="cpu")  # type: ignore[arg-type]
    assert does_little(calls.traced(values).graph, calls.parameters, values) is little
