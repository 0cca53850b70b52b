"""What `isinstance`, `type`, `callable` and `__class__` say of values that run time gives is what they say of those of NumPy and Python."""

from __future__ import annotations

import collections
import io
import logging
import numbers
import random
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Sized
from typing import Any

import numpy as np
import pytest

from transpile import convert

from .test_attributes import THINGS

KINDS: tuple[type, ...] = (
    int, float, complex, bool, str, list, tuple, dict, set, slice, range, zip, np.ndarray, np.generic, np.integer, np.floating, np.bool_, type(None), object,
    numbers.Number, numbers.Real, numbers.Integral, Iterable, Iterator, Sequence, Sized, Hashable, Mapping, Callable, collections.deque,
    np.random.Generator, np.random.RandomState, random.Random, logging.Logger, io.TextIOBase,
)  # fmt: skip
HANDED: dict[str, Callable[[], Any]] = {
    "generator": lambda: np.random.default_rng(1),
    "random state": lambda: np.random.RandomState(1),
    "Python's generator": lambda: random.Random(1),
    "logger": lambda: logging.getLogger("transpile.tests"),
    "file": io.StringIO,
    "text": lambda: "some",
    "none": lambda: None,
    "array": lambda: np.arange(3),
    "deque": lambda: collections.deque([1, 2]),
    "set": lambda: {1, 2},
}


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("kind", THINGS)
def test_a_value_is_of_the_class_of_what_it_stands_for(kind: str) -> None:
    make = THINGS[kind]

    def asks(x, n):
        thing = make(x, n)
        return [isinstance(thing, each) for each in KINDS], callable(thing), type(thing), thing.__class__

    converted, x = convert(asks, device="host"), np.arange(4.0)
    for n in (3, 2, 4):
        assert converted(x, n) == asks(x, n)


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("kind", HANDED)
def test_an_object_that_was_handed_in_is_of_its_class(kind: str) -> None:
    def asks(thing):
        return [isinstance(thing, each) for each in KINDS], callable(thing), type(thing), thing.__class__

    thing = HANDED[kind]()
    assert convert(asks, device="host")(thing) == asks(thing)


def test_a_generator_is_taken_for_a_seed() -> None:
    def generator_of(seed):
        if seed is None or isinstance(seed, (numbers.Integral, np.integer)):
            return np.random.default_rng(seed)
        if isinstance(seed, (np.random.RandomState, np.random.Generator)):
            return seed
        raise ValueError(f"{seed!r} cannot be used as a seed")

    def walks(x, seed):
        return x + generator_of(seed).random()

    converted = convert(walks, device="host", strict=True)
    x = np.arange(3.0)
    assert converted(x, np.random.default_rng(5)).tolist() == walks(x, np.random.default_rng(5)).tolist()
    assert converted(x, 5).tolist() == walks(x, 5).tolist()


class Scale:
    factor = 2


NUMBERS = int | float
FLOATS = np.float32 | np.float64
SCALE = Scale | None


def test_a_union_of_classes_is_asked_for_its_classes() -> None:
    def doubled(n, x, kinds):
        if isinstance(n, kinds) and x.dtype.type in FLOATS.__args__ and kinds is NUMBERS:
            return n * x * SCALE.__args__[0].factor
        return x

    converted, x = convert(doubled, device="host", strict=True), np.arange(3.0)
    assert converted(3, x, NUMBERS).tolist() == [0.0, 6.0, 12.0]
    Scale.factor = 5
    assert converted(3, x, NUMBERS).tolist() == [0.0, 15.0, 30.0]
    Scale.factor = 2
    assert converted(3, x, int | None).tolist() == [0.0, 1.0, 2.0]
