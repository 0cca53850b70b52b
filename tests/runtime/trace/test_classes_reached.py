"""What is read of a class, or stored into it, that an object leads to is guarded and kept as if the class had been named."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from transpile import FallbackWarning, convert


class Base:
    total = 0


class Counted(Base):
    count = 0
    scale = 2.0
    seen: list[int] = []  # noqa: RUF012

    def __init__(self, x):
        self.x = x

    @classmethod
    def counts(cls, n):
        cls.count += n
        return cls.count


def by_type(thing):
    type(thing).count += 1
    return thing.x * 2


def by_attribute(thing):
    kind = thing.__class__
    kind.count -= 1
    return kind.count


def by_name(thing):
    setattr(type(thing), "count", type(thing).count + 3)  # noqa: B010
    return thing.x * 2


def in_a_loop(thing):
    for i in range(len(thing.x)):
        type(thing).count += i
    return type(thing).count


def of_a_parent(thing):
    thing.__class__.__mro__[1].total += 2
    return thing.x * 2


def into_a_list(thing):
    type(thing).seen.append(len(type(thing).seen))
    return thing.x * 2


def of_one_that_is_made(thing):
    return Counted(thing.x).counts(2)


def read(thing):
    return thing.x * type(thing).scale + thing.__class__.count


FUNCTIONS = [by_type, by_attribute, by_name, in_a_loop, of_a_parent, into_a_list, of_one_that_is_made, read]


def _calls(function: Any) -> list[Any]:
    """Return what calls give, and what the classes hold after each of them."""
    Counted.count, Counted.scale, Base.total = 0, 2.0, 0
    Counted.seen.clear()
    found = []
    for turn in range(4):
        if turn == 2:
            Counted.scale, Counted.count = 5.0, 50
        result = np.asarray(function(Counted(np.arange(3.0)))).tolist()
        found.append((result, Counted.count, Base.total, list(Counted.seen)))
    return found


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_classes_that_objects_lead_to_are_as_python_has_them(function: Any, device: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert _calls(convert(function, device=device)) == _calls(function)


def test_what_is_read_of_them_compiles() -> None:
    converted = convert(read, strict=True, device="host")
    assert _calls(converted) == _calls(read)


class Powers(Sequence[Any]):
    def __init__(self, x):
        self.x = x

    def __getitem__(self, n):
        return self.x**n

    def __len__(self):
        return 4

    @classmethod
    def __subclasshook__(cls, other):
        return NotImplemented


def test_abstract_classes_are_asked_as_before_after_an_instance_of_one_was_made_in_a_trace() -> None:
    def cubes(x):
        return Powers(x)[3]

    assert convert(cubes, strict=True, device="host")(np.arange(3.0)).tolist() == [0.0, 1.0, 8.0]
    assert not isinstance(type("Another", (), {})(), Sequence)
    assert issubclass(type("Third", (Powers,), {}), Sequence)
