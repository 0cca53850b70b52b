"""Special methods of users' classes, on objects that were there before the call and on those that it makes."""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import FallbackWarning


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return (
            Vector(self.x + other.x, self.y + other.y)
            if isinstance(other, Vector)
            else self + Vector(other, 0)
        )

    __radd__ = __add__

    def __iadd__(self, number):
        self.x += number
        return self

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    def __lt__(self, other):
        return self.x < other.x

    def __getitem__(self, place):
        return self.y if place else self.x

    def __setitem__(self, place, value):
        self.x = value

    def __len__(self):
        return self.x

    def __contains__(self, number):
        return number in (self.x, self.y)

    def __iter__(self):
        yield self.x
        yield self.y

    def __abs__(self):
        return self.x * self.x + self.y * self.y

    def __int__(self):
        return int(self.y)

    def __float__(self):
        return float(self.x)

    def __complex__(self):
        return complex(self.x, self.y)


class Flag:
    def __init__(self, level):
        self.level = level

    def __bool__(self):
        return self.level > 0


def stores(a, b):
    a[0] = b[1]
    a += 3
    return a.x, a.y


ONE, OTHER = (3, 4.5), (1, 2.0)
COMPILED = {
    "sum": lambda a, b: (a + b).x * (2 + a).x + (a + 2).y,
    "negative": lambda a, b: (-a).y,
    "equality": lambda a, b: (a == b, a != b, a == Vector(3, 4.5)),
    "order": lambda a, b: (a < b, a > b),
    "items": lambda a, b: a[0] + b[1],
    "stores": stores,
    "length": lambda a, b: (len(a), bool(b), 1 if a else 2, not b),
    "contains": lambda a, b: (3 in a, b.x in a, 7 not in a),
    "iteration": lambda a, b: [item * 2 for item in a],
    "builtins": lambda a, b: (abs(a), int(a), float(b), complex(b)),
    "by name": lambda a, b: (a.__add__(b).x, a.__radd__(b).y, Vector(1, 2).__lt__(a), (-a).__abs__()),
    "truth": lambda a, b: 1.5 if Flag(a.x - b.x) else 2,
}


def check(function: Any, *arguments: Any) -> list[str]:
    """Compare a function with itself converted; return why it does not compile."""
    converted = transpile.convert(function, device="host")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        outcomes = []
        for which in (function, converted, converted):
            things = [kind(*values) for kind, values in arguments]
            try:
                result = which(*things)
            except (TypeError, ValueError) as error:
                result = repr(error)
            outcomes.append((repr(result), [vars(thing) for thing in things]))
    assert outcomes[0] == outcomes[1] == outcomes[2]
    return [error.code for error in converted.calls.failures.values()]


@pytest.mark.parametrize("function", COMPILED.values(), ids=COMPILED)
def test_methods_of_objects_from_outside_compile(function):
    assert not check(function, (Vector, ONE), (Vector, OTHER))


def test_the_truth_of_an_object_is_what_run_time_gives():
    assert not check(lambda flag: 1.5 if flag else 2, (Flag, (1,)))
    assert not check(lambda flag: not flag, (Flag, (-1,)))


def test_a_negative_length_is_pythons_error():
    assert not check(lambda vector: len(vector), (Vector, (-1, 0)))


def test_an_answer_of_another_kind_is_left_to_python():
    assert check(lambda vector: len(vector), (Vector, (1.5, 0))) == ["S204-decides"]


@pytest.mark.parametrize("function", [lambda box: len(box), lambda box: len(type(box)(box.level))])
def test_methods_that_are_replaced_are_seen(function, monkeypatch):
    class Box(Flag):
        def __len__(self):
            return self.level

    converted = transpile.convert(function, strict=True, device="host")
    assert converted(Box(3)) == 3
    monkeypatch.setattr(Box, "__len__", lambda self: 2 * self.level)
    assert converted(Box(3)) == 6


class Held(Flag):
    known = np.zeros(2)

    def __len__(self):
        return self.level


class Other:
    known = 2


def test_what_a_class_holds_besides_may_change():
    assert not check(lambda held: len(held) + Other.known, (Held, (3,)))


class Base:
    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        return self.x

    def __sub__(self, other):
        return NotImplemented

    def __rsub__(self, other):
        return 5

    def __lt__(self, other):
        return self.x < other.x


class Derived(Base):
    def __radd__(self, other):
        return 7.5

    def __gt__(self, other):
        return 33


ORDERS = {
    "derived class first": lambda a: Base(1) + Derived(a.x),
    "derived class first from outside": lambda a: a + Derived(1),
    "derived class compares first": lambda a: Base(a.x) < Derived(1),
    "one of one class": lambda a: a - Base(1),
    "one of one class, made": lambda a: Base(1) - a,
}


@pytest.mark.parametrize("function", ORDERS.values(), ids=ORDERS)
def test_who_decides_first_is_left_to_python(function):
    assert check(function, (Base, (2,))) == ["S204-decides"]


class ByItself:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return self.x == other.x

    def __hash__(self):
        return id(self)


class ByItselfInSlots(ByItself):
    __slots__ = ("y",)


class WithoutHash(ByItself):
    __hash__ = None


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: float


def stores_under(kind, x):
    held = {}
    try:
        held[kind(x[0])] = 2.0
    except TypeError:
        return x.sum(), "unhashable"
    return x.sum(), len(held)


def displays(kind, x):
    key = kind(x[0])
    try:
        return x.sum(), len({key: 1.0}), len({key, key})
    except TypeError:
        return x.sum(), "unhashable"


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("function", [stores_under, displays])
@pytest.mark.parametrize("kind", [ByItself, ByItselfInSlots, WithoutHash, Frozen])
def test_an_instance_is_a_key_where_its_class_has_a_hash(function: Any, kind: Any) -> None:
    x = np.arange(4.0)
    assert transpile.convert(function, device="host")(kind, x) == function(kind, x)


def stores_into_frozen(kind, x):
    made = kind(x[0])
    try:
        made.other = 3
    except dataclasses.FrozenInstanceError as error:
        return x.sum(), str(error)
    return x.sum(), made.other


class FromFrozen(Frozen):
    pass


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("kind", [Frozen, FromFrozen])
def test_a_frozen_instance_is_given_no_attribute(kind: Any) -> None:
    x = np.arange(4.0)
    assert transpile.convert(stores_into_frozen, device="host")(kind, x) == stores_into_frozen(kind, x)
