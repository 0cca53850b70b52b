"""Small programs with inputs: each runs plainly and converted, and everything that a caller can see is compared."""

from __future__ import annotations

import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import transpile
from transpile.runtime.errors import FallbackWarning

from .comparison import Outcome, call, compare

Make = Callable[[], tuple[Any, ...]]


@dataclass
class Program:
    """A function, what makes its arguments anew for each call, and the codes of why it does not compile whole: at all, or for the CPU."""

    function: Callable[..., Any]
    inputs: tuple[Make, ...]
    gaps: frozenset[str] = frozenset()
    gaps_on_cpu: frozenset[str] = frozenset()


@dataclass
class Programs:
    """The programs of a file, in order. `programs(*inputs)` decorates one; `gaps` are the codes of reasons that are known."""

    found: list[Program] = field(default_factory=list)

    def __call__(self, *inputs: Make, gaps: str = "", gaps_on_cpu: str = "") -> Callable[[Any], Any]:
        def register(function: Any) -> Any:
            self.found.append(
                Program(function, inputs, frozenset(gaps.split()), frozenset(gaps_on_cpu.split()))
            )
            return function

        return register

    def __iter__(self) -> Iterator[Program]:
        return iter(self.found)


def name_of(program: Program) -> str:
    """Return what a test of a program is called."""
    return program.function.__name__


def check(program: Program, device: str) -> None:
    """Compare a program with itself converted, on each of its inputs, twice; and whether it compiles whole with what is known."""
    assert isinstance(program.function, types.FunctionType)
    converted = transpile.convert(program.function, device=device)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for make in program.inputs:
            for _ in range(2):
                compare(_run(program.function, make), _run(converted, make))
    codes = {error.code for error in converted.calls.failures.values()}
    known = program.gaps | program.gaps_on_cpu if device == "cpu" else program.gaps
    assert codes == known, "\n".join(map(str, converted.calls.failures.values())) or "compiles whole now"


def _run(function: Callable[..., Any], make: Make) -> Outcome:
    """Call a function on arguments as they are made: neither their layout nor what they share is lost in a copy."""
    arguments = make()
    outcome = call(lambda *_: function(*arguments), ())
    arrays = [*_arrays(arguments), *_arrays(outcome.result)]
    shared = [[np.shares_memory(one, other) for one in arrays] for other in arrays]
    same = [[one is other for one in arrays] for other in arrays]
    return Outcome((outcome.result, shared, same), outcome.error, arguments, outcome.output)


def _arrays(value: Any) -> Iterator[np.ndarray[Any, Any]]:
    """Yield the arrays in a value."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _arrays(item)
    elif isinstance(value, dict):
        yield from _arrays(list(value.values()))


def noise(*shape: int, seed: int = 0, dtype: Any = float) -> np.ndarray[Any, Any]:
    """Return random numbers around 0."""
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def counts(
    *shape: int, low: int = 0, high: int = 10, seed: int = 0, dtype: Any = np.int64
) -> np.ndarray[Any, Any]:
    """Return random integers."""
    return np.random.default_rng(seed).integers(low, high, shape).astype(dtype)
