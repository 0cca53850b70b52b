"""`while`: behaviours 30 to 51."""

from __future__ import annotations

import numpy as np
import pytest

from .harness import DEVICES, Behaviour, Behaviours, arrays, check, name_of, on_each, sizes

behaviours = Behaviours()


class Counter:
    """Something with state."""

    def __init__(self, x=0.0):
        self.x = x


class Inner:
    def __init__(self, value):
        self.b = {"z": Counter(value)}


@behaviours(30, "a loop without variables", *on_each(3, 0, -1))
def no_variables(n):
    items = [n]
    while items[0] > 0:
        items[0] = items[0] - 1
        print("turn")


@behaviours(30, "a loop that changes only an argument", *arrays())
def only_an_argument(x):
    while x.sum() > 0.5:
        x *= 0.5


@behaviours(31, "one variable", *on_each(5, 0, 7.5, -1.5, np.array([4.5]), np.float32(3)))
def one_variable(x):
    while x > 1:
        x = x - 2
    return x


@behaviours(32, "two variables", (3, 1.0), (0, 1.0), (3, np.ones(3)), (3, np.zeros(0)), (2, np.array([2])))
def two_variables(n, x):
    k = 0
    while k < n:
        x = x + x
        k = k + 1
    return k, x


@behaviours(33, "a dictionary is all the state", *on_each(5, 0, 2.5))
def state_in_a_dictionary(n):
    state = {"i": 0, "total": 0.0}
    while state["i"] < n:
        state["total"] = state["total"] + state["i"] * 0.5
        state["i"] += 1
    return state


@behaviours(34, "a list is all the state", *on_each(5, 0, 2.5))
def state_in_a_list(n):
    state = [0, 1.0]
    while state[0] < n:
        state[1] = state[1] * 2
        state[0] += 1
    return state


@behaviours(35, "an attribute is the state", *on_each(5, 0, -2.5, np.array([4.5])))
def state_in_an_attribute(n):
    c = Counter()
    c.x = n
    while c.x > 0:
        c.x -= 1
    return c.x


@behaviours(36, "state that lies deep", *on_each(5, 0, -2.5))
def deep_state(n):
    a = Inner(n)
    while a.b["z"].x > 0:
        a.b["z"].x = a.b["z"].x - 2
    return a.b["z"].x


@behaviours(
    37,
    "an element of an array is the state",
    (np.array([5, 1]), 0),
    (np.array([5.5]), 0),
    (np.array([0.0, 3.0]), 1),
)
def element_state(x, i):
    while x[i] > 0:
        x[i] -= 1
    return x


@behaviours(37, "a slice is the state", (np.arange(6.0), 4), (np.arange(6.0), 0), (np.arange(1.0), 1))
def slice_state(x, n):
    k = 0
    while k < n:
        x[k : k + 2] += 1
        k += 1
    return x, k


@behaviours(38, "state that a local name shares", *on_each(5, 0))
def aliased_state(n):
    c = Counter(n)
    d = c
    count = 0
    while c.x > 0:
        d.x -= 1
        count += c.x
    return c.x, d.x, count, c is d


@behaviours(38, "an array that a local name shares", (np.arange(4.0), 3), (np.arange(1.0), 0))
def aliased_array(x, n):
    y = x
    while n > 0:
        y[0] += x[-1] + 1
        n -= 1
    return y is x, x


@behaviours(39, "an attribute is initialised in the loop", (3, 2.0), (0, 2.0), (1, np.ones(2)))
def attribute_made_in_loop(n, x):
    c = Counter()
    k = 0
    while k < n:
        c.last = x * k
        k += 1
    return c.last


@behaviours(40, "a local object is made in the loop", (3, 2.0), (0, 2.0), (2, np.ones(2)))
def object_made_in_loop(n, x):
    k = 0
    total = x
    while k < n:
        c = Counter(x)
        c.x = c.x * k
        total = total + c.x
        k += 1
    return total


@behaviours(41, "a test with effects is evaluated as often as in Python", *on_each(3, 0))
def asked_with_effects(n):
    def goes_on(k):
        print("asked", k > 0)
        return k > 0

    while goes_on(n):
        n -= 1
    return n


@behaviours(42, "a call in the test", (10.0, 0.5), (0.1, 0.5), (np.array([4.0, 3.0]), 1), (np.zeros(0), 1))
def call_in_test(x, limit):
    def norm(x):
        return np.sqrt(np.sum(np.square(x)))

    while norm(x) > limit:
        x = x / 2
    return x


@behaviours(43, "the test is known at first and not later", *on_each(5, 0, 2.5))
def becomes_symbolic(x):
    goes_on = True
    count = 0
    while goes_on:
        x = x - 1
        count += 1
        goes_on = x > 0
    return x, count


@behaviours(44, "loops one after the other", (5, 2), (0, 3), (2.5, 0.5), (np.array([2]), 1))
def successive(a, b):
    while a > 1:
        a = a - 1
    while b < 10:
        b = b + a + 1
    return a, b


@behaviours(45, "nested loops", (3, 2), (0, 3), (2, 0))
def nested(m, n):
    total = 0
    i = 0
    while i < m:
        j = 0
        while j < n:
            total += i * j + 1
            j += 1
        i += 1
    return total, i


@behaviours(46, "the inner loop changes the bound of the outer one", (5, 2), (0, 3), (9, 1))
def dependent_nested(m, n):
    i = 0
    turns = 0
    while i < m:
        j = 0
        while j < n and m > 2:
            m -= 1
            j += 1
            turns += 1
        i += 1
    return m, i, turns


@behaviours(47, "no turn at all", (0, 1.5), (-1, np.ones(3)), (0, np.zeros(0)))
def zero_turns(n, x):
    while n > 0:
        x = x * 2
        n -= 1
    return x, n


@behaviours(47, "no turn at all, and a name that the loop makes", (0, 1.5), (2, 1.5), (0, np.ones(3)))
def zero_turns_leave_a_name_unbound(n, x):
    while n > 0:
        y = x * 2
        n -= 1
    return y


@behaviours(48, "a guard against a loop without end", (1.0, 100), (0.0, 3), (np.array([3.0]), 7))
def guarded(x, limit):
    turns = 0
    while x != 0:
        x = x * 1.5
        turns += 1
        if turns > limit:
            raise RuntimeError(f"no end after {limit} turns")
    return x


@behaviours(49, "while True with a break", *on_each(5, 0, 7.25, np.array([2.5])))
def forever(x):
    n = 0
    while True:
        if x < 1:
            break
        x = x / 2
        n += 1
    return x, n


@behaviours(50, "a walrus in the test", *on_each(5, 0, 7.25))
def walrus_in_test(x):
    total = 0
    while (y := x - 1) > 0:
        total += y
        x = y
    return x, y, total


@behaviours(
    51,
    "the middle of a chained comparison in the test is evaluated once",
    *on_each(3, 0, 12),
)
def chained_test(n):
    def middle():
        nonlocal_count[0] += 1
        print("middle")
        return n

    nonlocal_count = [0]
    while 0 < middle() < 10:
        n -= 1
    return n, nonlocal_count[0]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("behaviour", behaviours.functions, ids=name_of)
def test_behaviour(behaviour: Behaviour, device: str) -> None:
    check(behaviour, device)
