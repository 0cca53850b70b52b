"""What code of the user's gives as an attribute is traced, or refused; nothing of it runs while tracing."""

from __future__ import annotations

import abc
import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import FallbackWarning

X = np.arange(3.0)


class Counts:
    """Gives how often it was asked."""

    def __init__(self) -> None:
        self.count = 0

    def __get__(self, owner: Any, kind: Any) -> int:
        self.count += 1
        return self.count


def descriptor_of_an_object() -> Any:
    class Owner:
        given = Counts()

    owner = Owner()
    return lambda x: x * owner.given


def descriptor_of_a_class() -> Any:
    class Owner:
        given = Counts()

    return lambda x: x * Owner.given


def descriptor_of_a_new_object() -> Any:
    class Owner:
        given = Counts()

    return lambda x: x * Owner().given


def _counting(name: str, give: Callable[[int], Any]) -> type:
    """Makes a class whose metaclass counts the calls of a method."""
    counts = [0]

    def method(*_: Any) -> Any:
        counts[0] += 1
        return give(counts[0])

    return type(name, (type,), {name: method})("Made", (), {})


def attribute_by_the_metaclass() -> Any:
    class_: Any = _counting("__getattr__", float)
    return lambda x: x * class_.given


def length_by_the_metaclass() -> Any:
    class_: Any = _counting("__len__", int)
    return lambda x: x * len(class_)


def item_by_the_metaclass() -> Any:
    class_: Any = _counting("__getitem__", int)
    return lambda x: x * class_[0]


def instances_by_the_metaclass() -> Any:
    class_: Any = _counting("__instancecheck__", lambda count: count % 2 == 0)
    thing = Counts()
    return lambda x: x * 2 if isinstance(thing, class_) else x


def truth_by_the_metaclass() -> Any:
    class_: Any = _counting("__bool__", lambda count: count % 2 == 0)
    return lambda x: x * 2 if class_ else x


def everything_by_the_object() -> Any:
    class Owner:
        asked = 0

        def __getattribute__(self, name: str) -> Any:
            if name == "given":
                Owner.asked += 1
                return Owner.asked
            return object.__getattribute__(self, name)

    owner = Owner()
    return lambda x: x * owner.given


def keys_that_hash() -> Any:
    hashed = [0]

    class Key:
        def __hash__(self) -> int:
            hashed[0] += 1
            return 7

    key = Key()
    table = {key: 2.0}
    hashed[0] = 0
    return lambda x: (x * table[key]).tolist() + hashed


REFUSED = [
    keys_that_hash,
    descriptor_of_an_object,
    descriptor_of_a_class,
    descriptor_of_a_new_object,
    attribute_by_the_metaclass,
    length_by_the_metaclass,
    item_by_the_metaclass,
    instances_by_the_metaclass,
    truth_by_the_metaclass,
    everything_by_the_object,
]


@pytest.mark.parametrize("make", REFUSED)
def test_what_cannot_be_traced_is_asked_by_the_original_alone(make: Callable[[], Any]) -> None:
    plain, converted = make(), transpile.convert(make(), device="host")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for _ in range(4):
            assert repr(plain(X)) == repr(converted(X))


def test_what_is_computed_once_and_kept_is_kept() -> None:
    def make() -> Any:
        class Owner:
            def __init__(self) -> None:
                self.computed = 0

            @functools.cached_property
            def given(self) -> int:
                self.computed += 1
                return self.computed

        owner = Owner()
        return owner, lambda x: (x * owner.given, owner.computed)

    (one, plain), (other, function) = make(), make()
    converted = transpile.convert(function, strict=True, device="host")
    for turn in range(4):
        if turn == 2:
            del one.given, other.given
        expected, found = plain(X), converted(X)
        assert expected[0].tolist() == found[0].tolist() and expected[1] == found[1]
    assert vars(one) == vars(other) == {"computed": 2, "given": 2}


def test_what_an_object_gives_for_names_that_it_has_not_is_traced() -> None:
    def make() -> Any:
        class Owner:
            def __init__(self) -> None:
                self.asked = 0

            def __getattr__(self, name: str) -> float:
                self.asked += 1
                return self.asked + len(name)

        owner = Owner()
        return owner, lambda x: x * owner.given + owner.others

    (one, plain), (other, function) = make(), make()
    converted = transpile.convert(function, strict=True, device="host")
    for turn in range(4):
        if turn == 2:
            one.given = other.given = 5.0
        if turn == 3:
            type(one).others = type(other).others = 7.0
        assert plain(X).tolist() == converted(X).tolist()
    assert one.asked == other.asked == 5


def test_classes_that_are_registered_later_are_asked_for_anew() -> None:
    class Shape(abc.ABC):  # noqa: B024 (others are registered)
        pass

    class Circle:
        pass

    circle = Circle()

    @functools.partial(transpile.convert, strict=True, device="host")
    def scaled(x: Any) -> Any:
        return x * 2 if isinstance(circle, Shape) else x

    assert scaled(X).tolist() == [0, 1, 2]
    Shape.register(Circle)
    assert scaled(X).tolist() == [0, 2, 4]


class Held:
    def __init__(self) -> None:
        self.rate, self.name = 2.0, "held"


def stores_by_vars(x: Any, held: Held) -> Any:
    vars(held)["rate"] = held.rate + 1
    return x * held.rate


def stores_by_dict(x: Any, held: Held) -> Any:
    try:
        held.__dict__["added"] = 1.0
    except TypeError:
        return x
    return x * held.added  # type: ignore[attr-defined]


def adds_to_dict(x: Any, held: Held) -> Any:
    attributes = vars(held)
    held.added = 3.0  # type: ignore[attr-defined]
    return x * attributes["added"]


def reads_by_vars(x: Any, held: Held) -> Any:
    attributes = vars(held)
    held.rate += 1
    return x * attributes["rate"] + len(attributes), sorted(attributes), isinstance(attributes, dict)


@pytest.mark.parametrize("function", [stores_by_vars, stores_by_dict, adds_to_dict, reads_by_vars])
def test_the_dictionary_of_an_object_is_what_it_holds(function: Callable[..., Any]) -> None:
    converted = transpile.convert(function, strict=function is reads_by_vars, device="host")
    one, other = Held(), Held()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for _ in range(3):
            assert repr(function(X, one)) == repr(converted(X, other))
            assert vars(one) == vars(other)
