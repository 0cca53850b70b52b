"""Looks at objects of the program leave their attributes as fast as they were."""

from __future__ import annotations

import functools
import gc
import types
from time import thread_time
from typing import Any

import numpy as np
import pytest

from transpile import convert
from transpile.choice import elements
from transpile.forecast import foreseen
from transpile.runtime.attributes import held_by, own_attribute, whole_dictionary
from transpile.turns import holds_array


class Model:
    rate = 0.5

    def __init__(self) -> None:
        self.weights = np.ones((20, 30))
        self.count = 3
        self.name = "model"

    def step(self) -> None:
        self.count += 1

    @property
    def asked(self) -> Any:
        raise AssertionError("a look asked the program")

    @functools.cached_property
    def kept(self) -> Any:
        raise AssertionError("a look asked the program")


class Slots:
    __slots__ = ("thing",)

    def __init__(self) -> None:
        self.thing = np.ones(2)


def has_dictionary(thing: Any) -> bool:
    """Whether somebody has asked an object for its dictionary."""
    return any(type(each) is dict for each in gc.get_referents(thing))


def works(model: Model, turns: int) -> float:
    total = 0.0
    for turn in range(turns):
        total += float(model.weights[turn % 20].sum()) * model.count * model.rate
    return total


def test_forecasts_ask_objects_for_no_dictionary() -> None:
    model = Model()
    assert foreseen(works, (model, 1000)).seconds > foreseen(works, (model, 10)).seconds > 0
    assert not has_dictionary(model)


def test_counting_what_objects_hold_asks_for_no_dictionary() -> None:
    model = Model()
    assert holds_array(model) and elements(model) == 600
    assert not has_dictionary(model)


def test_an_attribute_is_that_of_the_object_without_code_of_its_class() -> None:
    model, none = Model(), object()
    assert own_attribute(model, "count", none) == 3
    assert own_attribute(model, "weights", none) is model.weights
    assert own_attribute(model, "rate", none) == 0.5
    for name in ("step", "asked", "kept", "missing"):
        assert own_attribute(model, name, none) is none
    model.step = len  # type: ignore[assignment]
    assert own_attribute(model, "step", none) is len
    assert own_attribute(Slots(), "thing", none) is none
    assert own_attribute(3, "real", none) is none


def test_what_an_object_holds() -> None:
    model = Model()
    assert {type(each) for each in held_by(model)} == {np.ndarray, int, str}
    assert vars(model) and {type(each) for each in held_by(model)} == {np.ndarray, int, str}
    model.table = {}  # type: ignore[attr-defined]
    assert [each for each in held_by(model) if type(each) is dict] == [{}]
    assert held_by(Slots()) == held_by(3) == held_by(np.ones(2)) == []
    assert held_by(types.SimpleNamespace(a=1)) == [1]


def test_a_dictionary_that_is_made_for_a_look_holds_the_same() -> None:
    model = Model()
    names = ["weights", "count", "name"]
    held = whole_dictionary(model)
    assert list(held) == list(vars(model)) == names and vars(model) is held
    assert all(type(name) is str for name in held)
    model.more, model.count = 1, 7  # type: ignore[attr-defined]
    del model.name
    assert list(vars(model)) == ["weights", "count", "more"] and held["count"] == 7
    assert list(vars(Model())) == names
    assert whole_dictionary(Slots()) == whole_dictionary(3) == {}


def read(thing: Any) -> float:
    start = thread_time()
    for _ in range(20_000):
        thing.count, thing.rate, thing.name, thing.weights, thing.count, thing.name  # noqa: B018
    return thread_time() - start


def least(thing: Any) -> float:
    """Return how long it takes to read attributes of an object, by code that has seen no other."""
    own = types.FunctionType(read.__code__.replace(), globals())
    return min(own(thing) for _ in range(7))


@pytest.mark.parametrize("look", [foreseen, lambda function, values: convert(function)(*values)])
def test_attributes_take_no_longer_after_a_look(look: Any) -> None:
    plain, looked_at = Model(), Model()
    look(works, (looked_at, 1000))
    # Up to Python 3.12 it takes twice as long where somebody has asked for the dictionary.
    assert least(looked_at) < 1.5 * least(plain)
