"""Programs with `match`, on numbers and shapes that run time gives and on things that are known."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

from .programs import Program, Programs, check, name_of

programs = Programs()

Span = namedtuple("Span", "low high")


@dataclass
class Ball:
    centre: float
    radius: float


def vector(*numbers):
    return lambda: (np.array(numbers, float),)


@programs(vector(), vector(3), vector(1, 2), vector(1, 2, 3, 4, 5), vector(1, 2, 3))
def by_length(x):
    match len(x):
        case 0:
            return 0.0
        case 1 | 2:
            return x[0]
        case n if n > 3:
            return x[n - 1]
        case _:
            return x.sum()


class Kinds:
    KNOWN = 4


@programs(vector(1), vector(2, 2), vector(5))
def by_what_is_asked_first(x):
    match int(x.sum()):
        case 1:
            return 10
        case Kinds.KNOWN | _ if x[0] < 4:
            return 11
        case Kinds.UNKNOWN | _:
            return 12


@programs(vector(1), vector(2, 2), vector(-4), vector(0))
def by_value(x):
    match int(x.sum()):
        case 0:
            kind = 10
        case 1 | 4:
            kind = 11
        case n if n < 0:
            kind = n
        case _:
            kind = 12
    return kind


@programs(
    lambda: (np.arange(3.0), ("scale", 2.0)),
    lambda: (np.arange(3.0), ("shift", 1.0, 2.0)),
    lambda: (np.arange(3.0), ()),
)
def by_sequence(x, command):
    match command:
        case ("scale", factor):
            return x * factor
        case ("shift", *amounts):
            for amount in amounts:
                x = x + amount
            return x
        case _:
            return x


@programs(vector(1, 2), vector(5))
def by_class(x):
    total = 0.0
    for shape in (Ball(1.0, x[0]), Ball(0.0, 2.0), Span(1.0, 2.0), 3, {"centre": 4.0, "colour": "red"}):
        match shape:
            case Ball(centre, radius) if centre > 0:
                total += radius
            case Ball(radius=r):
                total += 100 * r
            case Span(low=low):
                total += low
            case {"centre": c, **rest}:
                total += c + len(rest)
            case int(n):
                total += n
    return total


class Private:
    def __init__(self, value):
        setattr(self, "__value", value)
        self.__value = -1

    def both(self):
        match self:
            case Private(__value=value):
                return value, self.__value


@programs(vector(1, 2), vector(5))
def by_private_names(x):
    value, own = Private(x).both()
    return value * 2, own


@programs(vector(1, 2), vector(1, -2, 9))
def in_a_loop(x):
    count = 0
    for v in x:
        match v > 0, count:
            case False, _:
                break
            case True, 0:
                count = 5
            case True, n:
                count = n + 1
    return count


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_programs_do_what_they_did(program: Program, device: str) -> None:
    check(program, device)
