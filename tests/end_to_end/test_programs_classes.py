"""Programs that read and store what classes and functions hold, which may change from call to call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import transpile

from .comparison import call, compare


class Model:
    rate = 2.0
    table = np.arange(3.0)
    made = 0
    names: list[str] = []

    def __init__(self, x):
        self.x = x

    def scaled(self):
        return self.x * self.rate


def tool(x):
    return x + 1


def other(self):
    return self.x - 100


def reads(x):
    return x * Model.rate


def reads_through_an_instance(x):
    return Model(x).scaled()


def reads_an_array(x):
    return Model.table + x


def reads_of_a_function(x):
    return x * getattr(tool, "factor", 1.0)


@transpile.convert(device="host")
def converted_tool(x):
    return x * 2


def calls_what_is_converted(x):
    return converted_tool(x) + np.trace(np.eye(2))


def counts(x):
    Model.made += 1
    return x * Model.made


def counts_by_a_function(x):
    tool.calls = getattr(tool, "calls", 0) + 1
    return x * tool.calls


def registers(x):
    Model.names.append("x")
    return x * len(Model.names)


def _change() -> None:
    Model.rate += 1
    Model.table[0] += 5
    tool.factor = 7.0  # type: ignore[attr-defined]


def _patch() -> None:
    Model.scaled = other  # type: ignore[method-assign]


class Watched:
    def __init__(self, x):
        self.x = x

    def __setattr__(self, name, value):
        print("set", name)
        object.__setattr__(self, name, value)

    def __getattr__(self, name):
        print("get", name)
        return 2.0

    def __bool__(self):
        print("bool")
        return False


def watches(x):
    watched = Watched(x)
    return watched.x * watched.missing if not watched else x


SCALED = Model.scaled
STAGED = (reads, reads_through_an_instance, calls_what_is_converted)


def _outcomes(function: Any) -> list[Any]:
    Model.rate, Model.table, Model.made, Model.names, Model.scaled = 2.0, np.arange(3.0), 0, [], SCALED  # type: ignore[method-assign]
    vars(tool).clear()
    seen = []
    for change in (None, None, _change, _patch, None):
        if change is not None:
            change()
        seen.append((call(function, (np.ones(3),)), Model.made, dict(vars(tool)), list(Model.names)))
    return seen


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function",
    [*STAGED, reads_an_array, reads_of_a_function, counts, counts_by_a_function, registers, watches],
)
def test_what_classes_and_functions_hold_is_what_it_is(function: Any, device: str) -> None:
    converted = transpile.convert(function, device=device)
    for (one, *before), (two, *after) in zip(_outcomes(function), _outcomes(converted), strict=True):
        compare(one, two)
        assert before == after
    assert function not in STAGED or not converted.calls.failures
