"""Functions that import: what a module of the user's holds may change from call to call."""

from __future__ import annotations

import math
import sys
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import transpile

from .comparison import call, compare


@pytest.fixture
def settings() -> Iterator[types.ModuleType]:
    module = types.ModuleType("settings_of_a_test")
    sys.modules[module.__name__] = module
    yield module
    del sys.modules[module.__name__]


def whole(x):
    import settings_of_a_test as settings

    return x * settings.rate


def names(x):
    from settings_of_a_test import rate, table

    return table + rate * x


def stores(x):
    import settings_of_a_test

    settings_of_a_test.rate += 1
    return x * settings_of_a_test.rate


def of_libraries(x):
    import math as m
    import os.path

    import numpy.linalg as la
    from numpy import sin
    from numpy import sqrt as root

    if len(x) > 1:
        from math import pi

        return sin(x) * pi + m.e, os.path.sep
    return root(x) + la.norm(x), os.sep


def not_there(x):
    try:
        from settings_of_a_test import never_there as factor
    except ImportError:
        factor = 3.0
    try:
        import no_such_module_at_all
    except ImportError:
        no_such_module_at_all = None
    return x * factor, no_such_module_at_all


def relative(x):
    from . import comparison as near

    return x * 2, near.compare.__name__


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [whole, names, stores, of_libraries, not_there, relative])
def test_what_is_imported_is_what_it_is(settings: Any, function: Any, device: str) -> None:
    seen = []
    converted = transpile.convert(function, device=device)
    for run in (function, converted):
        settings.rate, settings.table = 2.0, np.arange(3.0)
        outcomes = []
        for change in (0.0, 0.0, 1.5, 0.0):
            settings.rate += change
            settings.table[1] += change
            outcomes.append((call(run, (np.ones(3),)), settings.rate))
        seen.append(outcomes)
    for (one, before), (two, after) in zip(*seen, strict=True):
        compare(one, two)
        assert before == after
    assert not converted.calls.failures


class Rate:
    def __init__(self, rate):
        self.rate = rate

    def __mul__(self, other):
        return self.rate * other


def stores_by_name(x):
    module = sys.modules["settings_of_a_test"]
    module.rate += 1
    setattr(module, "last", x * module.rate)
    setattr(sys.modules["settings_of_a_test"], "kept", Rate(module.rate))
    return module.rate * x


def is_loaded(x):
    return x * 2 if "loaded_by_a_test" in sys.modules else x


def found_or_not(x):
    return x * 2 if sys.modules.get("loaded_by_a_test") else x


def how_many_arguments(x):
    return x + len(sys.argv)


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [stores_by_name, is_loaded, found_or_not, how_many_arguments])
def test_what_sys_holds_may_change(
    settings: Any, monkeypatch: pytest.MonkeyPatch, function: Any, device: str
) -> None:
    seen = []
    converted = transpile.convert(function, device=device)
    for run in (function, converted):
        settings.rate = 1.0
        outcomes = []
        for turn in range(3):
            with monkeypatch.context() as patch:
                patch.setattr(sys, "argv", ["program"] * (1 + turn))
                if turn == 2:
                    patch.setitem(sys.modules, "loaded_by_a_test", types.ModuleType("loaded_by_a_test"))
                outcomes.append(call(run, (np.ones(3) + turn,)))
            outcomes.append(call(lambda: (settings.rate, getattr(settings, "last", 0)), ()))
            assert type(getattr(settings, "kept", Rate(1.0))) is Rate
        seen.append(outcomes)
        for name in ("last", "kept"):
            vars(settings).pop(name, None)
    for one, two in zip(*seen, strict=True):
        compare(one, two)
    assert function is not stores_by_name or not converted.calls.failures


def stores_into_numpy(x):
    np.of_a_test = x * 2


def stores_into_a_part_of_numpy(x):
    np.linalg.of_a_test = x * 2


def stores_by_setattr(x):
    setattr(math, "of_a_test", x * 2)


def stores_into_sys(x):
    sys.of_a_test = x * 2


def counts_in_a_library(x):
    math.of_a_test = getattr(math, "of_a_test", 0) + 1
    return math.of_a_test * x


def gives_and_deletes(x):
    math.of_a_test = x
    del math.of_a_test
    return x + 1


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function",
    [
        stores_into_numpy, stores_into_a_part_of_numpy, stores_by_setattr, stores_into_sys, counts_in_a_library, gives_and_deletes,
    ],
)  # fmt: skip
def test_what_is_stored_into_libraries_is_stored_in_every_call(function: Any, device: str) -> None:
    modules = np, np.linalg, math, sys
    seen = []
    for run in (function, transpile.convert(function, device=device)):
        outcomes = []
        for turn in range(3):
            outcomes.append(call(run, (np.ones(3) + turn,)))
            held = [vars(module).get("of_a_test") for module in modules]
            assert all(thing is None or type(thing) in (int, np.ndarray) for thing in held)
            outcomes.append(call(lambda held: held, (held,)))
        seen.append(outcomes)
        for module in modules:
            vars(module).pop("of_a_test", None)
    for one, two in zip(*seen, strict=True):
        compare(one, two)
