"""Objects from outside of which run time decides the one that a name stands for."""

import copy
import warnings
from typing import Any

import pytest

from transpile import convert
from transpile.runtime.errors import FallbackWarning


class Sphere:
    def __init__(self, centre, radius):
        self.centre = centre
        self.radius = radius

    def distance(self, x):
        return abs(x - self.centre) - self.radius

    @property
    def end(self):
        return self.centre + self.radius


def spheres():
    return [Sphere(0.5, 0.1), Sphere(0.7, 0.3), Sphere(2.0, 0.5)]


def nearest(things, n):
    total = 0.0
    for i in range(n):
        best = None
        least = 1e9
        for thing in things:
            distance = thing.distance(i * 0.1)
            if distance < least:
                least = distance
                best = thing
        if best is not None:
            total += best.radius * least + best.end
    return total


def changed_by_two_names(things, n):
    best = things[0]
    for i in range(n):
        for thing in things:
            if thing.distance(i * 0.2) < best.distance(i * 0.2):
                best = thing
        best.radius = best.radius * 0.5
        things[1].centre += 0.125
    return best is things[1], best.centre, best.distance(2.0)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [nearest, changed_by_two_names])
def test_the_object_that_a_name_stands_for_is_read_and_changed(function: Any, device: str) -> None:
    plain, ours = spheres(), copy.deepcopy(spheres())
    assert convert(function, strict=True, device=device)(ours, 9) == function(plain, 9)
    assert [vars(thing) for thing in ours] == [vars(thing) for thing in plain]


def test_the_object_that_was_chosen_is_returned() -> None:
    def best(things, x):
        found = things[0]
        for thing in things:
            if thing.distance(x) < found.distance(x):
                found = thing
        return found

    converted, things = convert(best, strict=True, device="host"), spheres()
    for x in (0.1, 0.8, 3.0):
        assert converted(things, x) is best(things, x)


class Asked:
    """One that makes an attribute when it is asked for, and has no others."""

    def __init__(self, x):
        self.x = x

    def __getattr__(self, name):
        if name != "made":
            raise AttributeError(f"{type(self)} object has no attribute {name!r}")
        self.made = self.x * 2
        return self.made


def asks(thing, other):
    return thing.x + other.x, thing.made, getattr(other, "lost", 3)


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_objects_that_give_attributes_by_code_are_asked_for_those_of_the_program_alone(device: str) -> None:
    converted = convert(asks, device=device)
    for _ in range(3):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FallbackWarning)
            given, other = Asked(2.0), Asked(3.0)
            assert converted(given, other) == asks(Asked(2.0), Asked(3.0))
        assert vars(given) == {"x": 2.0, "made": 4.0} and vars(other) == {"x": 3.0}


class Watched:
    """One that notes what is read of it."""

    def __init__(self, value):
        self.value = value

    def __getattribute__(self, name):
        NOTED.append(name)
        return object.__getattribute__(self, name)

    def __enter__(self):
        return 1

    def __exit__(self, *failure):
        return None


NOTED: list[str] = []


def handed_on(thing):
    return [thing, 3][1]


def entered(thing):
    with thing as x:
        return x


def read(thing):
    return thing.value


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [handed_on, entered, read])
def test_nothing_is_read_while_tracing_of_objects_that_note_it(function: Any, device: str) -> None:
    converted = convert(function, device=device)
    expected = ["value"] if function is read else []
    for run in (function, converted, converted):
        NOTED.clear()
        run(Watched(2))
        assert expected == NOTED
