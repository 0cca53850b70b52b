"""Programs whose generators yield as run-time values decide: loops have their items handed on."""

from __future__ import annotations

import numpy as np
import pytest

from .programs import Program, Programs, check, name_of

programs = Programs()


def vector(*numbers):
    return lambda: (np.array(numbers, float),)


NUMBERS = vector(3, -1, 4, 1, -5, 9, 2, -6)
SOME = (NUMBERS, vector(-1), vector())


def positive(x, *, scale=1):
    for v in x:
        if v > 0:
            yield v * scale


def places(x):
    i = 0
    while i < len(x) and x[i] < 9:
        if x[i] > 0:
            yield i, x[i]
            yield -i, -x[i]
        i += 1


def doubling(n):
    value = 1
    while True:
        if value > n:
            return
        yield value
        value *= 2


@programs(*SOME)
def looped(x):
    total = 0.0
    for v in positive(x, scale=3):
        total = total * 2 + v
    return total


@programs(*SOME)
def consumed(x):
    kept = [v for v in positive(x) if v < 5]
    kept.extend(positive(x))
    kept += (v + 1 for v in positive(x))
    return (
        kept,
        sum(positive(x)),
        max(positive(x), default=-1.0),
        any(v > 8 for v in positive(x)),
        dict(places(x)),
    )


@programs(NUMBERS, vector(4))
def of_several_names(x):
    for i, v in places(x):
        x[i] += v
    return i, v, x


@programs(NUMBERS, vector(-1))
def unbound_where_nothing_is_yielded(x):
    for v in positive(x):
        pass
    return v


@programs(*SOME)
def left(x):
    for i, v in places(x):
        if v < -3:
            break
    else:
        i = -100
    for i_, v in places(x):
        if v > 3:
            return i, i_, v
    return i


@programs(lambda: (100,), lambda: (0,))
def without_an_end(n):
    total = 0
    for value in doubling(10**9):
        if value > n:
            break
        total += value
    return total, list(doubling(n))


@programs(*SOME)
def in_turn(x):
    def announcing():
        print("begin")
        for i in range(len(x)):
            print("before", i)
            if x[i] > 0:
                yield i
                print("after", i)
        print("end")

    for i in announcing():
        print("item", i)
        x[i] = -x[i]
        if i + 1 < len(x):
            x[i + 1] += 1
    return x


@programs(*SOME)
def shared_variables(x):
    count, limit = 0, 2

    def counted():
        nonlocal count
        for v in x:
            if v > limit:
                count += 1
                yield v

    for v in counted():
        limit = v - 1
        count *= 2
    return count, limit


@programs(NUMBERS, vector(1))
def nested(x):
    def pairs(values):
        for a in positive(values):
            for b in positive(values):
                if a < b:
                    yield a, b

    def chained(values):
        yield from pairs(values)
        yield from ((v, v) for v in positive(values))
        got = yield 1.0, 2.0
        if got is None:
            yield 3.0, 4.0

    return [a * 10 + b for a, b in chained(x)], sum(a for a, _ in pairs(x))


@programs(NUMBERS, vector(-2, -1))
def within_loops(x):
    out = np.zeros(len(x))
    for k in range(len(x)):
        for v in positive(x[k:]):
            out[k] += v
            if out[k] > 10:
                break
    return out


class Tree:
    def __init__(self, value, *children):
        self.value, self.children = value, children

    def walk(self):
        yield self.value
        for child in self.children:
            yield from child.walk()

    def above(self, limit):
        if self.value > limit:
            yield self.value
        for child in self.children:
            yield from child.above(limit)


@programs(NUMBERS)
def recursive(x):
    tree = Tree(x[0], Tree(x[1], Tree(x[2])), Tree(x[3]))
    return list(tree.walk()), sum(tree.above(2))


@programs(NUMBERS, vector(9, -9))
def failing_in_the_loop(x):
    done = 0
    try:
        for v in positive(x):
            done += 1
            if v > 3:
                raise ValueError("large")
    except ValueError as error:
        print(error)
    return done


@programs(*SOME)
def failing_in_the_generator(x):
    def checked():
        for v in x:
            if v < -4:
                raise KeyError("small")
            if v > 0:
                yield v

    total = 0.0
    for v in checked():
        total += v
        print(total)
    return total


@programs(vector(1, 2))
def ending_in_the_generator(x):
    def ended():
        items = iter((1, 2))
        for v in (x[0], x[1], x[0]):
            yield v * next(items)

    total = 0.0
    for v in ended():
        total += v
        print(total)
    return total


@programs(NUMBERS, vector(1), gaps="S168-iterator")
def ending_on_a_condition(x):
    def ended():
        for v in x:
            if v < -4:
                raise StopIteration
            yield v

    total = 0.0
    for v in ended():
        total += v
    return total


@programs(vector(1, 2), gaps="S168-iterator")
def ending_in_the_loop(x):
    total, others = 0.0, iter([1.0])
    for v in positive(x):
        total += v + next(others)
    return total


@programs(NUMBERS, vector(-1), gaps="S169-taken")
def taken_in_the_loop(x):
    items = positive(x)
    total = 0.0
    for v in items:
        total += v * next(items, 10)
    return total


@programs(NUMBERS, vector(-1), gaps="S169-taken")
def taken_up_again(x):
    items = positive(x)
    for first in items:
        if first > 3:
            break
    return list(items)


@programs(NUMBERS, vector(-1))
def exhausted(x):
    items = positive(x)
    known = (k for k in range(2))
    return list(items), list(items), next(items, None), list(known), list(known)


@programs(NUMBERS)
def exhausted_where_all_is_known(x):
    def known():
        yield 1
        yield 2

    items = known()
    return list(items), list(items), next(items, x)


@programs(NUMBERS)
def lost_to_a_generator_expression(x):
    items = positive(x)
    doubled = (2 * v for v in items)
    return sum(doubled), list(items), list(doubled)


@programs(NUMBERS)
def of_several_kinds(x):
    def kinds():
        yield 1
        yield x
        yield "text"
        yield from (None, x[0])

    return [repr(type(thing)) for thing in kinds()], len(list(kinds()))


@programs(NUMBERS, gaps="S130-value")
def seen_by_the_generator(x):
    def guarded():
        for v in x:
            try:
                if v > 0:
                    yield v
            except ValueError:
                print("caught")

    total = 0.0
    for v in guarded():
        total += v
    return total


@programs(vector(1, 2, 3))
def with_a_result(x):
    def counting():
        count = 0
        for v in x:
            if v > 1:
                yield v
                count += 1
        return count

    total = 0.0
    for v in counting():
        total += v
    return total


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_programs_do_what_they_did(program: Program, device: str) -> None:
    check(program, device)
