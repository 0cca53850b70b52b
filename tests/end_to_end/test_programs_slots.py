"""Programs with instances of classes that have `__slots__`: made in them, handed in, and returned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from .programs import Program, Programs, check, name_of, noise

programs = Programs()


class Point:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def moved(self, by):
        return Point(self.x + by, self.y - by)

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    __hash__ = None


class Named(Point):
    __slots__ = ("__hidden",)

    def __init__(self, x):
        super().__init__(x, x)
        self.__hidden = 2.0

    @property
    def hidden(self):
        return self.__hidden * self.x


class Open(Point):
    def __init__(self, x, y):
        super().__init__(x, y)
        self.z = x * y


@dataclass(slots=True)
class Body:
    place: float
    speed: float = 0.0
    trail: object = None

    def step(self, dt):
        self.speed -= self.place * dt
        self.place += self.speed * dt


@dataclass(slots=True, frozen=True)
class Pair:
    a: float
    b: float


class State:
    __slots__ = ("coords", "count", "spare")

    def __init__(self, coords):
        self.coords = coords
        self.count = 0

    def __eq__(self, other):
        return np.array_equal(self.coords, other.coords) and self.count == other.count

    __hash__ = None


@programs(lambda: (noise(5),))
def made(x):
    total = 0.0
    for i in range(len(x)):
        p = Point(x[i], 2.0).moved(0.5)
        total += p.x * p.y
    return total


@programs(lambda: (noise(5), 1.5))
def returned(x, by):
    p = Point(x, by).moved(by)
    return p.x, p.y, Named(by).hidden, Pair(by, x).a


@programs(lambda: (noise(5), 4), lambda: (noise(5), 0))
def carried(x, n):
    body = Body(x[0])
    for i in range(n):
        body.step(0.1)
        body.trail = x[i]
    return body.place, body.speed, body.trail


@programs(lambda: (noise(5), 1.0), lambda: (noise(5), -1.0))
def stored_on_one_way(x, flag):
    p = Open(x[0], x[1])
    if flag > 0:
        p.x = flag
    return p.x, p.z


@programs(lambda: (State(noise(4)), 3), lambda: (State(noise(4)), 0))
def handed_in(state, n):
    for i in range(n):
        state.coords[i] = state.coords[i] * 2
        state.count = state.count + 1
    return state.count


@programs(lambda: (State(noise(4)),), gaps="S240-handled")
def empty_when_handed_in(state):
    try:
        return state.spare
    except AttributeError as error:
        return str(error)


class Half(Point):
    __slots__ = ()

    def __init__(self, x):
        self.x = x


@programs(lambda: (noise(4), 1.0), gaps="S240-handled")
def empty(x, flag):
    p = Half(flag)
    try:
        return p.y
    except AttributeError as error:
        return str(error), x * p.x


@programs(lambda: (noise(4), 1.0))
def without_a_place(x, flag):
    p = Point(flag, flag)
    p.z = x
    return p.z


@programs(lambda: (noise(4), 1.0), gaps="S204-decides")
def without_a_dictionary(x, flag):
    p = Point(flag, flag)
    return hasattr(p, "__dict__"), x * p.x


@programs(lambda: (noise(4), 1.0), gaps="S240-handled")
def frozen(x, flag):
    p = Pair(flag, flag)
    try:
        p.a = 3.0
    except AttributeError as error:
        return str(error), x * p.a
    return p


@pytest.mark.parametrize("program", programs.found, ids=name_of)
@pytest.mark.parametrize("device", ["host", "cpu"])
def test_a_program_converted_does_what_it_does_plainly(program: Program, device: str) -> None:
    check(program, device)


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_instances_that_are_returned_have_slots(device: str) -> None:
    import transpile

    def make(x):
        return Point(x[0] + 1, x), Named(x[1])

    point, named = transpile.convert(make, strict=True, device=device)(np.arange(3.0))
    assert type(point) is Point and point.x == 1.0 and not hasattr(point, "__dict__")
    assert type(named) is Named and named.hidden == 2.0 and named == Point(1.0, 1.0)
