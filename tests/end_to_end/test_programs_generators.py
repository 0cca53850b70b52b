"""Programs that call generators, and context managers made of them."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

import transpile

from .programs import Program, Programs, check, name_of

programs = Programs()


def vector(*numbers):
    return lambda: (np.array(numbers, float),)


def multiples(x, n):
    for k in range(n):
        print("multiple", k)
        yield x * k


def halves(x):
    while True:
        x = x / 2
        yield x


def chained(x):
    yield x
    yield from multiples(x, 2)
    for y in x:
        total = y
    return total


@contextlib.contextmanager
def announced(name, x):
    print("enter", name)
    try:
        yield x * 2
    finally:
        print("exit", name)


@contextlib.contextmanager
def swallowing(name):
    try:
        yield name
    except IndexError:
        print("swallowed")


@programs(vector(1, 2), vector())
def summed(x):
    return sum(multiples(x, 3)), len(list(multiples(x, 2)))


@programs(vector(1, 2))
def looped(x):
    total = x
    for k, y in enumerate(halves(x)):
        if k == 3:
            break
        total = total + y
    return total


@programs(vector(1, 2))
def taken_one_by_one(x):
    items = halves(x)
    first = next(items)
    x[0] = 100.0
    return first, next(items), x


@programs(vector(1, 2))
def delegated(x):
    return list(chained(x))


@programs(vector(3, 1), vector(-3, 1))
def run_time_decides(x):
    items = halves(x)
    total = next(items)
    if x[0] > 0:
        total = total + 1
    return total


@programs(vector(3, 1), vector(-3, 1), gaps="S168-iterator")
def run_time_decides_what_is_taken(x):
    items = halves(x)
    total = next(items)
    if x[0] > 0:
        total = total + next(items)
    return total, next(items)


@programs(vector(3, 1), vector(0, 1))
def yields_on_a_condition(x):
    def positive():
        for v in x:
            if v > 0:
                yield v

    return list(positive())


@programs(vector(3, 1))
def managed(x):
    with announced("a", x) as y, announced("b", y) as z:
        for i in range(len(x)):
            if i == 1:
                break
            z[i] += 1
    return y, z


@programs(vector(3, 1), vector())
def managed_and_failing(x):
    with swallowing("a"):
        return x[1]
    return -1.0


@programs(vector(3, 1), gaps="S247-abandoned")
def left_amid_a_try(x):
    def careful():
        try:
            yield 1
            yield 2
        finally:
            print("closed")

    for v in careful():
        x = x * v
        break
    print("after")
    return x


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_programs_do_what_they_did(program: Program, device: str) -> None:
    check(program, device)


def test_a_generator_itself_stays_as_it_is():
    with pytest.warns(transpile.FallbackWarning, match="S270-suspended"):
        converted = transpile.convert(halves)
        assert next(converted(np.ones(2))).tolist() == [0.5, 0.5]
