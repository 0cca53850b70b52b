"""Objects of which lists are made are asked how long they are, as Python asks them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...end_to_end.comparison import call, compare


class Counted:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        print("run")
        return iter(self.x)

    def __len__(self):
        print("length")
        return len(self.x)


class Generated(Counted):
    def __iter__(self):
        print("run")
        yield from self.x


class Indexed:
    def __init__(self, x):
        self.x = x

    def __getitem__(self, place):
        if place == 3:
            raise IndexError(place)
        return self.x[place]

    def __len__(self):
        print("length")
        return 3


class Hinting:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        return iter(self.x)

    def __length_hint__(self):
        print("hint")
        return 3


class Lengthless(Generated):
    def __len__(self):
        print("none")
        raise TypeError


class Negative(Generated):
    def __len__(self):
        return -1  # noqa: PLE0303


def lists(kind):
    def made(x):
        return list(kind(x)), [value for value in kind(x)], [*kind(x)], tuple(kind(x))  # noqa: C416

    return made


def in_order(kind):
    def made(x):
        return sorted(kind(x)), max(kind(x)), sum(kind(x))

    return made


def caught(x):
    try:
        return list(Lengthless(x))
    except TypeError:
        return x


@pytest.mark.parametrize("make", [lists, in_order])
@pytest.mark.parametrize("kind", [Counted, Generated, Hinting])
def test_lists_are_made_as_in_python(make: Any, kind: type) -> None:
    x, function = np.array([2.0, 3.0, 1.0]), make(kind)
    compare(call(function, (x,)), call(convert(function, strict=True, device="host"), (x,)))


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize(
    "function", [lists(Indexed), in_order(Indexed), lists(Lengthless), lists(Negative), caught]
)
def test_what_is_left_is_as_in_python(function: Any) -> None:
    x = np.array([2.0, 3.0, 1.0])
    compare(call(function, (x,)), call(convert(function, device="host"), (x,)))
