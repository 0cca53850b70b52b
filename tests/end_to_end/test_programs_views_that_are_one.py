"""Programs of which the way control took decides whether two views of the same elements are one object."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import FallbackWarning

from .programs import Programs, check, name_of

programs = Programs()


def inputs(*turns):
    return tuple(lambda n=n: (np.arange(6.0), n) for n in turns)


@programs(*inputs(0, 5), gaps="S213-alias")
def in_a_branch(x, n):
    first, second = x[1:], x[1:]
    if n > 3:
        second = first
    return first, second


@programs(*inputs(0, 1, 5), gaps="S213-alias")
def in_a_loop(x, n):
    first, second = x[1:], x[1:]
    for _ in range(n):
        second = first
    return first, second


@programs(*inputs(0, 1, 2), gaps="S213-alias")
def made_anew_in_each_turn(x, n):
    first = second = x[1:]
    for _ in range(n):
        second = first
        first = x[1:]
    return first, second


@programs(*inputs(0, 1, 2, 3, 4, 5), gaps="S213-alias")
def made_anew_in_some_turns(x, n):
    first = second = x[1:]
    for k in range(n):
        second = first
        if k % 2:
            first = x[2:]
    return first, second


@programs(*inputs(0, 5), gaps="S213-alias")
def in_a_list(x, n):
    views = [x[1:], x[1:]]
    if n > 3:
        views[0] = views[1]
    return views


@programs(*inputs(0, 1, 5), gaps="S190-identity")
def asked_after_a_branch(x, n):
    first, second = x[1:], x[1:]
    if n > 3:
        second = first
    return first is second


@programs(*inputs(0, 1, 5), gaps="S190-identity")
def asked_in_a_loop(x, n):
    first, second = x[1:], x[1:]
    count = 0
    for k in range(n):
        if first is second:
            count += 1
        second = first
        if k % 2:
            first = x[1:]
    return count


@programs(*inputs(0, 5))
def that_are_never_one(x, n):
    first, second = x[1:], x[1:]
    for _ in range(n):
        first += second
    same = first
    return first, second, same, first is second, first is same


class Shown:
    def __init__(self, x: Any) -> None:
        self.view = x[1:]


def replaced_in_a_loop(shown: Shown, x: Any, n: int) -> Any:
    view = shown.view = x[1:]
    for _ in range(n):
        shown.view = x[1:]
    return view, shown.view


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_views_are_one_where_they_are_in_python(program: Any, device: str) -> None:
    check(program, device)
    converted = transpile.convert(program.function, device=device)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for make in program.inputs:
            expected, found = program.function(*make()), converted(*make())
            assert _which(found) == _which(expected)


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
def test_views_that_an_object_is_given_are_one_where_they_are_in_python(device: str) -> None:
    converted = transpile.convert(replaced_in_a_loop, device=device)
    for n in (0, 3):
        x = np.arange(6.0)
        for function in (replaced_in_a_loop, converted):
            one, other = function(Shown(x), x, n)
            assert (one is other) == (n == 0)


def _which(things: Any) -> Any:
    """Return, of things that are returned together, for each the first that it is."""
    if not isinstance(things, (tuple, list)):
        return things
    return [next(place for place, other in enumerate(things) if other is thing) for thing in things]
