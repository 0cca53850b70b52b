"""Behaviours that conversion must keep: each is declared with its number, what shows it, and why it does not compile whole, if it does not."""

from __future__ import annotations

import copy
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import transpile
from transpile.runtime.errors import FallbackWarning

from ..end_to_end.comparison import Outcome, call, compare

DEVICES = ("host", "cpu")

# The arguments of a call, of which each call gets a copy; or what makes them, where a copy would lose what they share or how they lie.
Given = tuple[Any, ...] | Callable[[], tuple[Any, ...]]


@dataclass
class Behaviour:
    """One function that shows a behaviour.

    `gaps` are the codes of why it does not compile whole; with none, it must. `state` are the globals of its module that it changes.
    """

    number: int
    title: str
    function: Callable[..., Any]
    given: tuple[Given, ...] = ()
    gaps: frozenset[str] = frozenset()
    gaps_on_cpu: frozenset[str] = frozenset()
    state: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether all of it must compile."""
        return not self.gaps and not self.gaps_on_cpu


@dataclass
class Behaviours:
    """The behaviours of a file: `functions` are run plainly and converted, `tests` are tests of their own."""

    functions: list[Behaviour] = field(default_factory=list)
    tests: list[Behaviour] = field(default_factory=list)

    def __call__(
        self,
        number: int,
        title: str,
        *given: Given,
        gaps: str = "",
        gaps_on_cpu: str = "",
        state: tuple[str, ...] = (),
    ) -> Callable[[Any], Any]:
        """Declare a function that shows a behaviour, with arguments of calls; one number may have several."""

        def declare(function: Any) -> Any:
            codes, more = frozenset(gaps.split()), frozenset(gaps_on_cpu.split())
            self.functions.append(
                Behaviour(number, title, function, given or ((),), codes, more, tuple(state))
            )
            return function

        return declare

    def test(self, number: int, title: str, gaps: str = "") -> Callable[[Any], Any]:
        """Declare a test that shows a behaviour by itself; it is to see to it that all compiles whole, without `gaps`."""

        def declare(test: Any) -> Any:
            self.tests.append(Behaviour(number, title, test, gaps=frozenset(gaps.split())))
            return test

        return declare

    def __iter__(self) -> Iterator[Behaviour]:
        return iter([*self.functions, *self.tests])


def name_of(behaviour: Behaviour) -> str:
    """Return what the test of a behaviour is called."""
    return f"{behaviour.number}-{behaviour.function.__name__}"


def on_each(*values: Any) -> tuple[tuple[Any, ...], ...]:
    """Return the arguments of calls that each take one of the values."""
    return tuple((value,) for value in values)


def sizes(*others: Any) -> tuple[tuple[Any, ...], ...]:
    """Return the arguments of calls with a Python number of each kind, and arrays of 0, 1 and several elements, before `others`."""
    values = (3, -2.5, np.zeros(0), np.array([1.5]), np.array([1.0, -2.0, 3.0]))
    return tuple((value, *others) for value in values)


def arrays(*others: Any) -> tuple[tuple[Any, ...], ...]:
    """Return the arguments of calls with arrays of 0, 1 and several elements, before `others`."""
    return tuple((value, *others) for value in (np.zeros(0), np.array([1.5]), np.array([1.0, -2.0, 3.0])))


def check(behaviour: Behaviour, device: str) -> None:
    """Compare a function with itself converted, on each of its arguments, twice; and whether it compiles whole with what is declared."""
    converted = transpile.convert(behaviour.function, device=device)
    whole = True
    for given in behaviour.given:
        for _ in range(2):
            expected = observe(behaviour.function, given, behaviour.state)
            found = observe(converted, given, behaviour.state)
            compare(expected, found)
            whole = whole and expected.error is not None
    codes = {error.code for error in converted.calls.failures.values()}
    known = behaviour.gaps | behaviour.gaps_on_cpu if device == "cpu" else behaviour.gaps
    if codes != known:
        reasons = "\n".join(map(str, converted.calls.failures.values()))
        raise AssertionError(f"declared with the gaps {sorted(known)}, but {reasons or 'whole now: flip it'}")
    # Where no call ended in compiled code, nothing would have been shown of it.
    assert codes or whole or any(entry.hits for entry in converted.calls.entries), "no call ran compiled"


def observe(function: Callable[..., Any], given: Given, state: tuple[str, ...] = ()) -> Outcome:
    """Call a function, and return all that can be seen of it; the globals that it changes are put back."""
    arguments = given() if callable(given) else copy.deepcopy(given)
    namespace = vars(sys.modules[function.__module__])
    before = {name: copy.deepcopy(namespace[name]) for name in state if name in namespace}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        outcome = call(lambda *_: function(*arguments), ())
    after = {name: namespace[name] for name in state if name in namespace}
    for name in after.keys() - before.keys():
        del namespace[name]
    namespace.update(before)
    met = [*_arrays(arguments), *_arrays(outcome.result)]
    seen = {
        "result": outcome.result,
        "memory": [[np.shares_memory(one, other) for one in met] for other in met],
        "objects": [[one is other for one in met] for other in met],
        "globals": after,
        # NumPy is told not to warn of floating-point errors; what it says of empty slices comes of lines of its own.
        "warnings": [
            (warning.category, str(warning.message))
            for warning in caught
            if not issubclass(warning.category, (FallbackWarning, RuntimeWarning, DeprecationWarning))
        ],
    }
    return Outcome(seen, outcome.error, arguments, outcome.output)


def _arrays(value: Any) -> Iterator[np.ndarray[Any, Any]]:
    """Yield the arrays in a value."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _arrays(item)
    elif isinstance(value, dict):
        yield from _arrays(list(value.values()))
    elif hasattr(value, "__dict__") and not isinstance(value, (type, types.ModuleType, types.FunctionType)):
        yield from _arrays(vars(value))
