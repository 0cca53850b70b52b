"""Every generator of random numbers gives NumPy's numbers, in NumPy's order, and is left as NumPy leaves it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import transpile
from tests.ops.agreement import difference, function_of
from transpile.samples.drawing import BIT_GENERATORS, LEGACY, OF_GENERATORS, PARAMETERS

# What has no size, or a size of its own.
_SIZELESS = ("permutation", "permuted", "rand", "randn")


def calls(maker: str, parameters: dict[str, str]) -> str:
    """Return the text of calls of every method, one after the other, and of a number after each."""
    found = []
    for name, given in parameters.items():
        found.append(f"{maker}.{name}({given})")
        if name not in _SIZELESS:
            found.append(f"{maker}.{name}({given}{', ' * bool(given)}size=3)")
    return f"[{', '.join(found)}]"


def outcome(function: Any, *arguments: Any) -> Any:
    """Return what a function gives, without warnings of parameters."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*arguments)


@pytest.mark.parametrize("kind", BIT_GENERATORS)
@pytest.mark.parametrize("name", [*PARAMETERS, *OF_GENERATORS])
def test_generators_give_numpys_numbers(name: str, kind: str) -> None:
    parameters = {name: {**PARAMETERS, **OF_GENERATORS}[name]}
    text = f"g = np.random.Generator(np.random.{kind}(7))\nreturn {calls('g', parameters)}, g.random(), g.integers(9)"
    function = function_of(text, "")
    converted = transpile.convert(function, strict=True, device="host")
    for _ in range(2):
        assert not difference(outcome(function), outcome(converted))


@pytest.mark.parametrize("kind", BIT_GENERATORS)
def test_generators_that_are_handed_in_are_left_as_numpy_leaves_them(kind: str) -> None:
    def draw(generator: Any, count: int) -> Any:
        total = 0.0
        for _ in range(count):
            total += generator.normal() + generator.integers(5) + generator.exponential(2.0)
        return total

    converted = transpile.convert(draw, device="cpu")
    one, other = (np.random.Generator(getattr(np.random, kind)(3)) for _ in range(2))
    for count in (1, 7, 0, 20):
        assert draw(one, count) == converted(other, count)
        assert str(one.bit_generator.state) == str(other.bit_generator.state)


LEGACY_CALLS = [
    (name, maker)
    for name in (*PARAMETERS, *LEGACY)
    for maker in ("np.random", "np.random.RandomState(7)")
    if maker == "np.random" or hasattr(np.random.RandomState, name)
]


@pytest.mark.parametrize("name, maker", LEGACY_CALLS)
def test_legacy_functions_give_numpys_numbers(name: str, maker: str) -> None:
    given = {**PARAMETERS, **LEGACY}[name]
    made = "np.random.seed(7)" if maker == "np.random" else f"g = {maker}"
    text = f"{made}\nreturn {calls('np.random' if maker == 'np.random' else 'g', {name: given})}"
    function = function_of(text, "")
    converted = transpile.convert(function, strict=True, device="host")
    for _ in range(2):
        assert not difference(outcome(function), outcome(converted))
        state = str(np.random.get_state())
        outcome(function)
        assert state == str(np.random.get_state())


def test_powers_of_drawn_integers_of_a_dtype_are_compiled() -> None:
    def draw(generator: Any) -> Any:
        return 1 + generator.randint(0, 11, dtype=np.int64) ** 6

    converted = transpile.convert(draw, strict=True, device="cpu")
    for seed in range(3):
        one, other = np.random.RandomState(seed), np.random.RandomState(seed)
        assert not difference(draw(one), converted(other))
        assert str(one.get_state()) == str(other.get_state())
