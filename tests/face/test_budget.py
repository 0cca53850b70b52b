"""What compiling may cost where nobody asked for a function by name."""

import importlib
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from transpile import budget as budgets
from transpile import hook, losses
from transpile.budget import Budget
from transpile.calls import Calls


def small(x):
    return x + 1


def large(x):
    y = x
    for i in range(len(x)):
        y = y * 2 + x[i] - (x[i] if i > 2 else -x[i]) + sum([k * k for k in range(3)])
    return y


@pytest.fixture
def package(
    write_package: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> Iterator[types.ModuleType]:
    monkeypatch.setattr(hook, "_budget", Budget())
    monkeypatch.syspath_prepend(write_package("budgeted"))
    with hook.installed("budgeted"):
        yield importlib.import_module("budgeted")
    for module in [m for m in sys.modules if m.partition(".")[0] == "budgeted"]:
        del sys.modules[module]


def test_more_code_costs_more_and_what_was_spent_tells_how_much():
    budget = Budget()
    guess = budget.cost(large.__code__)
    assert guess > budget.cost(small.__code__) > 0
    budget.spend(100.0, small.__code__)
    assert budget.cost(large.__code__) > 10 * guess


def test_no_more_is_spent_than_the_program_has_run_for(monkeypatch):
    now = 0.0
    monkeypatch.setattr(budgets, "perf_counter", lambda: now)
    budget = Budget()
    assert budget.affords(0.9) and not budget.affords(1.1)
    budget.spend(0.9, small.__code__)
    assert not budget.affords(0.2)
    now = 3.0
    assert budget.affords(1.0) and not budget.affords(2.0)


def test_function_of_a_package_is_converted_once_its_calls_have_taken_as_long_as_that_costs(
    package, monkeypatch
):
    # However long the trace takes, which loads much where it is the first.
    monkeypatch.setattr(losses, "_FREE_ALL", 1e6)
    function = package.sums.total
    calls: Calls = function.calls
    x = np.arange(5.0)
    for _ in range(20):
        assert function(x) == 10.0
    assert not calls.entries
    monkeypatch.setattr(calls, "_taken", 100.0)
    assert [function(x), function(x)] == [10.0, 10.0]
    assert len(calls.entries) == 1


def test_function_is_left_alone_where_all_is_spent(package, monkeypatch):
    function = package.sums.total
    calls: Calls = function.calls
    calls.budget.spend(1e6, small.__code__)
    monkeypatch.setattr(calls, "_taken", 1e9)
    for _ in range(3):
        assert function(np.arange(5.0)) == 10.0
    assert not calls.entries and not calls.failures
