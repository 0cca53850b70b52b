"""Programs that call: decorators, functions of `functools` and `operator`, parents' methods, named tuples; what is called is called once each time."""

from __future__ import annotations

import abc
import functools
import itertools
import operator
from collections import namedtuple

import numpy as np
import pytest

from .programs import Program, Programs, check, name_of

programs = Programs()

Pair = namedtuple("Pair", "a b")


def vector(*numbers):
    return lambda: (np.array(numbers, float),)


def loud(a, b):
    print("loud")
    return a + b


def announced(function):
    print("decorated")

    @functools.wraps(function)
    def inner(*args):
        print("called")
        return function(*args)

    return inner


class Base(abc.ABC):
    unit = 2.0

    def __init__(self, x):
        super().__init__()
        self.x = x

    @abc.abstractmethod
    def area(self): ...

    @property
    def size(self):
        return abs(self.x).sum() if self.x.sum() < 0 else self.x.sum()

    @classmethod
    def made(cls, x):
        return cls(x * cls.unit)

    def __call__(self, y):
        return self.x + y


class Square(Base):
    def __init__(self, x):
        super().__init__(x + 1)
        self.__hidden = 3.0

    def area(self):
        return super().size * self.__hidden

    @classmethod
    def made(cls, x):
        return super().made(x + 1)

    def twice(self):
        def own():
            return super(Square, self).size

        return own() * 2


@programs(vector(1, 2), vector(-1, -3))
def parents(x):
    square = Square.made(x)
    return square.area(), square.twice(), square(x), isinstance(square, Base)


@programs(vector(1, 2))
def decorated_inside(x):
    @announced
    def add(y):
        return y + x

    return add(x), add(1), add.__name__


@programs(vector(1, 2), vector(3), vector())
def reductions(x):
    return (
        functools.reduce(loud, [1, 2, 3]),
        functools.reduce(lambda a, b: a * b, x, 1.0),
        functools.reduce(operator.add, [x, x]),
    )


@programs(vector(1, 2))
def called_by_python(x):
    return x * list(itertools.accumulate([1, 2, 3], loud))[-1]


@programs(vector(1, 2))
def operators(x):
    get = operator.itemgetter(1)
    return (
        operator.add(x, 1), operator.lt(x, 2), operator.not_(x[0] > 1), operator.contains([1.0, 3.0], x[0]), get(x),
        operator.attrgetter("shape")(x), functools.partial(operator.mul, x)(3), operator.neg(x[1]),
    )  # fmt: skip


@programs(vector(1, 2))
def pairs(x):
    pair = Pair(x, 2)
    other = pair._replace(b=x[0])
    return other, Pair._make([1, x]), pair._asdict(), other.a is x


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_programs_do_what_they_did(program: Program, device: str) -> None:
    check(program, device)
