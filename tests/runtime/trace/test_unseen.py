"""What stands for instances of a class in a trace is not seen by the class, or by what the instances tell of themselves."""

from __future__ import annotations

import abc
import warnings
from typing import Any

import numpy as np
import pytest

from transpile import convert
from transpile.runtime.arrays import unseen
from transpile.runtime.errors import FallbackWarning


class Shape:
    """A shape."""

    def __init__(self, x):
        self.x = x

    def area(self):
        return self.x * 2

    def tells(self):
        return self.__doc__, self.__module__, self.__class__.__name__


class Round(Shape):
    def area(self):
        return self.x * 3

    def __len__(self):
        return len(self.x)


class Whole(abc.ABC):
    def __init__(self, x):
        self.x = x

    @abc.abstractmethod
    def part(self):
        """Give a part."""


class Half(Whole):
    def part(self):
        return self.x / 2


def with_attributes(x):
    return Shape(x).area() + Round(x).area() * len(Round(x))


def in_lists(x):
    shapes = []
    for value in x:
        shapes.append(Round(value))
    return sum(shape.area() for shape in shapes)


def abstract(x):
    return Half(x).part(), isinstance(x, Whole), isinstance(Half(x), Whole)


def not_made(x):
    return Whole(x)


def falls_back(x):
    shapes = Shape(x), Round(x)
    return id(shapes[0]) * 0.0 + x


def counted(x):
    return Shape(x).x * len(Shape.__subclasses__()) + len(Round(x).x) * len(Round.__subclasses__())


def told(x):
    return Shape(x).tells(), Round(x).tells(), Round(x).__doc__, Half(x).__module__, Round.__doc__


def told_in_lists(x):
    shapes = []
    for value in x:
        if value > 0:
            shapes.append(Shape(value))
    return shapes[0].tells(), shapes[0].__module__, shapes[0].x


def _ends(function: Any, x: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        try:
            return repr(function(x))
        except TypeError as error:
            return repr(error)


FUNCTIONS = (with_attributes, in_lists, abstract, not_made, falls_back, counted, told, told_in_lists)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_classes_know_of_their_own_subclasses_only(function: Any) -> None:
    x = np.arange(1.0, 4.0)
    converted = convert(function, device="host")
    assert [_ends(converted, x) for _ in range(2)] == [_ends(function, x)] * 2
    classes = (Shape, Round, Whole, Half)
    assert [class_.__subclasses__() for class_ in classes] == [[Round], [], [Half], []]


@pytest.mark.parametrize("function", [with_attributes, in_lists, abstract, told, told_in_lists])
def test_they_compile(function: Any) -> None:
    convert(function, strict=True, device="host")(np.arange(1.0, 4.0))


@pytest.mark.parametrize("base", [object, abc.ABC])
def test_what_stands_for_instances_follows_a_class_that_changes(base: type) -> None:
    class Changed(base):  # type: ignore[misc]
        scale = 1.0

        def __init__(self, x):
            self.x = x

        def scaled(self):
            return self.x * self.scale

    made = unseen.subclass(Changed, {})
    unseen.attach(made)
    instance = object.__new__(made)
    for number in (2.0, 3.0):
        assert [instance.scale for _ in range(20)] == [Changed.scale] * 20
        Changed.scale = number
    assert instance.scale == 3.0
    del Changed.scale
    assert not hasattr(instance, "scale")
    unseen.detach([made])
    assert Changed.__subclasses__() == []

    def scales(x):
        return Changed(x).scaled()

    converted, x = convert(scales, device="host", strict=True), np.arange(1.0, 4.0)
    for number in (2.0, 5.0, 7.0):
        Changed.scale = number
        assert converted(x).tolist() == scales(x).tolist()
    assert Changed.__subclasses__() == []
