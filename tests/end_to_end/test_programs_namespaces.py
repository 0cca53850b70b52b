"""Programs that keep what belongs together in a `SimpleNamespace`."""

from __future__ import annotations

import types
from types import SimpleNamespace

import numpy as np
import pytest

from .programs import Program, Programs, check, name_of, noise

programs = Programs()


def some(*sizes):
    return [lambda size=size: (noise(size),) for size in sizes]


@programs(*some(20, 3))
def counts_in_one(x):
    found = SimpleNamespace(mean=x.mean(), count=0)
    for value in x:
        if value > found.mean:
            found.count += 1
    return found.mean, found.count


@programs(*some(20))
def moves_and_is_returned(x):
    state = types.SimpleNamespace(place=x[:2].copy(), speed=x[2:4].copy(), time=0.0)
    for _ in range(30):
        state.place = state.place + 0.1 * state.speed
        state.speed *= 0.9
        state.time += 0.1
    state.end = state.time
    return state


@programs(lambda: (SimpleNamespace(place=np.ones(3), count=3), noise(3)))
def holds_one_of_the_callers(given, x):
    made = SimpleNamespace(given=given, moved=given.place + x)
    made.given.count = 4
    return made


@programs(*some(3))
def is_one_or_another(x):
    found = SimpleNamespace(value=0.0)
    if x[0] > 0:
        found = SimpleNamespace(value=x[1])
    return found.value, isinstance(found, SimpleNamespace), type(found) is SimpleNamespace


@programs(*some(3))
def lacks_what_is_read(x):
    return SimpleNamespace(value=x).other


@programs(*some(3))
def is_given_what_it_does_not_take(x):
    return SimpleNamespace(x[0], 1)


@programs(*some(3), gaps="S204-decides")
def is_compared(x):
    return SimpleNamespace(value=x[0]) == SimpleNamespace(value=x[0])


@programs(*some(3), gaps="S230-deferred")
def is_shown(x):
    return f"{SimpleNamespace(value=x[0])}"


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_programs_do_what_they_did(program: Program, device: str) -> None:
    check(program, device)
