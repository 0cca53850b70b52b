"""What `try`, `with`, `match`, generators, `super` and attributes cannot be followed in is refused with a reason of its own, and runs as plain Python."""

from __future__ import annotations

import collections
import warnings
from typing import Any, ClassVar

import numpy as np
import pytest

from transpile import FallbackWarning, StagingError, convert

from ...end_to_end.comparison import call, compare


class Sequence(collections.UserList):
    """A sequence that decides itself what it matches."""


class Shape:
    def __init__(self, size):
        self.size = size


class Square(Shape):
    def unbound(self):
        return super(Square).__thisclass__.__name__

    def odd(self):
        return super().__eq__(self)

    def shown(self):
        print(super(), f"{super()!s:.6}")
        return self.size * 2

    def told(self, x):
        return type(super()), super().__class__, isinstance(super(), super), x.sum()

    def stores(self):
        super().size = 1


class Opened:
    def __init__(self, *args):
        super().__init__(*args)
        self.size = len(args)


class Manager:
    __enter__ = staticmethod(lambda: 1)
    __exit__ = staticmethod(lambda *_: None)


def handles_a_fault(x):
    try:
        return x.nowhere @ 3
    except TypeError:
        return 1
    except AttributeError:
        return 2


def handles_by_other_means(shape):
    try:
        return shape.colour
    except AttributeError:
        return "none"


class Listed:
    """A class whose instances are told of by something that is no Python function."""

    made: ClassVar[list[int]] = []
    __init__ = made.append
    size = 3.0


def makes(x):
    return x * Listed(2).size


def enters(x):
    with Manager():
        return x


def matches(x, things):
    match things:
        case [a, *_]:
            return x * a


def sends(x):
    def doubled():
        y = x
        while True:
            y = yield y * 2

    items = doubled()
    next(items)
    return items.send(x)


def parent_of_none(x):
    return Square(x).unbound(), x


def parent_slot(x):
    return Square(x).odd(), x


def parent_shown(shape):
    return shape.shown()


def parent_told(shape, x):
    return shape.told(x)


def parent_stores(shape, x):
    try:
        shape.stores()
    except AttributeError as error:
        return str(error), x.sum()


def hands_too_much(x):
    try:
        return Opened(x).size
    except TypeError as error:
        return str(error), Opened().size, x.sum()


def asks(shape):
    return shape.size * getattr(shape, "scale", 2)


def has(shape):
    return shape.size * hasattr(shape, "scale")


X = np.arange(3.0)
REFUSED = {
    "S240-handled": (handles_by_other_means, (Shape(X),)),
    "S274-manager": (enters, (X,)),
    "S275-pattern": (matches, (X, Sequence([2, 3]))),
    "S142-unknown": (makes, (X,)),
    "S246-generator": (sends, (X,)),
    "S248-super": (parent_of_none, (X,)),
    "S248-super of a slot": (parent_slot, (X,)),
    "S248-super that makes nothing of arguments": (hands_too_much, (X,)),
    "S248-super that is shown": (parent_shown, (Square(X),)),
    "S248-super that is stored to": (parent_stores, (Square(X), X)),
    "S276-missing": (asks, (Shape(X),)),
    "S276-missing of hasattr": (has, (Shape(X),)),
}


@pytest.mark.parametrize("code", REFUSED)
def test_a_construct_is_refused_with_a_reason(code: str) -> None:
    function, arguments = REFUSED[code]
    with pytest.raises(StagingError) as raised:
        convert(function, strict=True, device="host")(*arguments)
    assert raised.value.code == code.partition(" ")[0]


@pytest.mark.parametrize("code", REFUSED)
def test_what_is_refused_does_what_it_did(code: str) -> None:
    function, arguments = REFUSED[code]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        converted: Any = convert(function, device="host")
        for _ in range(2):
            compare(call(function, arguments), call(converted, arguments))


def test_an_attribute_that_is_not_there_is_handled() -> None:
    assert convert(handles_a_fault, strict=True, device="host")(X) == 2


def test_what_may_fail_under_try_is_left_to_plain_python() -> None:
    def pointed_at(x):
        place = int(x[0])
        try:
            return x[place]
        except IndexError:
            return -1.0

    converted = convert(pointed_at, strict=True, device="host")
    marked = [op for op in converted.graph(X).block.walk() if op.attributes.get("handled")]
    assert [op.name for op in marked] == ["index"]
    assert (converted(X + 1), converted(X + 5)) == (2.0, -1.0)
    (entry,) = converted.calls.entries
    assert entry.deoptimised == 1


async def waited_for(x):
    return x * 2


def driven_by_hand(x):
    waiting = waited_for(x)
    try:
        waiting.send(None)
    except StopIteration as done:
        return done.value


def test_no_coroutine_is_made_while_tracing_for_which_nobody_waits() -> None:
    converted = convert(driven_by_hand, device="host")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert [converted(3), converted(4)] == [6, 8]
    assert [w.category for w in caught] == [FallbackWarning]


class Base:
    pass


def bound_to_nothing(x):
    return type(super(Base, None)).__name__ + str(x)


def test_super_that_is_bound_to_nothing_is_left_to_plain_python() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert convert(bound_to_nothing, device="host")(2) == "super2"


def test_super_is_of_its_own_class() -> None:
    converted = convert(parent_told, strict=True, device="host")
    compare(call(parent_told, (Square(X), X)), call(converted, (Square(X), X)))


def keeps_sum(known, numbers):
    known.setdefault(sum(v for v in numbers if v), 0)
    return known


def counts_by_text(numbers):
    found = {}
    for v in numbers:
        k = "large" if v > 3 else None
        found[k] = found.get(k, 0) + 1
    return found


@pytest.mark.parametrize(("function", "leading"), [(keeps_sum, ({},)), (counts_by_text, ())])
def test_a_key_of_which_run_time_decides_what_type_it_has_is_asked_for(function, leading) -> None:
    strict = convert(function, strict=True, device="host")
    with pytest.raises(StagingError, match="S130-value"):
        strict(*leading, np.arange(7))
