"""`for`: behaviours 52 to 75."""

from __future__ import annotations

import numpy as np
import pytest

from .harness import DEVICES, Behaviour, Behaviours, arrays, check, name_of, on_each, sizes

behaviours = Behaviours()


class Countdown:
    """An iterator of a user."""

    def __init__(self, start):
        self.left = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.left <= 0:
            raise StopIteration
        self.left -= 1
        return self.left


class Squares:
    """What makes its iterator anew, and is a sequence of old."""

    def __init__(self, n):
        self.n = n

    def __getitem__(self, k):
        if k >= self.n:
            raise IndexError(k)
        return k * k


@behaviours(
    52,
    "over an array of one axis",
    *arrays(),
    *on_each(np.arange(3), np.array([1, 2], np.int8), np.array([True, False])),
)
def over_elements(x):
    total = 0
    for value in x:
        total = total + value
    return total


@behaviours(
    53,
    "over the rows of an array of two axes",
    *on_each(np.arange(6.0).reshape(2, 3), np.ones((1, 2)), np.ones((0, 2)), np.ones((2, 0))),
)
def over_rows(a):
    total = 0.0
    for row in a:
        total = total + row.sum()
        row[:1] = -1
    return total, a


@behaviours(54, "over an array without axes", *on_each(np.array(1.5), np.float64(2), 3))
def over_no_axes(x):
    total = 0
    for value in x:
        total += value
    return total


@behaviours(55, "over nothing", *on_each(np.zeros(0), np.zeros((0, 2)), [], (), {}, ""))
def over_nothing(things):
    count = 0
    for _ in things:
        count += 1
    return count


@behaviours(56, "over a range that is known", *sizes())
def over_known_range(x):
    for k in range(1, 6, 2):
        x = x + k
    return x, k


@behaviours(
    57, "over a range with a bound of run time", (4, 1.0), (0, 1.0), (-2, np.ones(2)), (3, np.zeros(0))
)
def over_range(n, x):
    for k in range(n):
        x = x * 2 + k
    return x


@behaviours(58, "a negative step", (4, 0), (0, 4), (5, -2))
def negative_step(start, stop):
    seen = 0
    for k in range(start, stop, -2):
        seen = seen * 10 + k
    return seen


@behaviours(59, "the sign of the step is known at run time", (0, 5, 2), (5, 0, -2), (0, 5, -1), (3, 3, 1))
def sign_of_step(start, stop, step):
    seen = 0
    for k in range(start, stop, step):
        seen = seen * 10 + k
    return seen


@behaviours(60, "a step of zero", (0, 5, 0), (0, 5, 1))
def zero_step(start, stop, step):
    total = 0
    for k in range(start, stop, step):
        total += k
    return total


@behaviours(
    61,
    "a tuple is unpacked",
    *on_each(np.arange(6.0).reshape(3, 2), np.ones((0, 2)), np.ones((1, 2)), [(1, 2), (3, 4)]),
)
def unpacked(pairs):
    total = 0
    for a, b in pairs:
        total = total + a * 10 + b
    return total


@behaviours(61, "nested tuples are unpacked", (np.arange(3.0), np.ones(3)), (np.zeros(0), np.ones(2)))
def unpacked_deep(x, y):
    total = 0
    for i, (a, b) in enumerate(zip(x, y)):
        total = total + i * a + b
    return total


@behaviours(
    62,
    "a starred target",
    *on_each(np.arange(6.0).reshape(2, 3), np.ones((1, 2)), [(1, 2, 3), (4, 5, 6)]),
)
def starred(rows):
    total = 0
    for first, *rest in rows:
        total = total + first * len(rest) + sum(rest)
    return total, rest


@behaviours(63, "enumerate", *arrays(2), *arrays(0))
def enumerated(x, start):
    total = 0.0
    for i, value in enumerate(x, start):
        total += i * value
    for i, k in enumerate(range(start)):
        total += i * k
    return total


@behaviours(
    64,
    "zip",
    (np.arange(3.0), np.ones(3)),
    (np.arange(4.0), np.ones(2)),
    (np.zeros(0), np.ones(2)),
    (np.ones(1), np.ones(1)),
)
def zipped(x, y):
    total = 0.0
    for a, b, c in zip(x, y, range(10)):
        total += a * b + c
    return total


@behaviours(64, "zip of lists, strict", (np.arange(3.0), 2.0), (np.zeros(0), 1))
def zipped_strictly(x, y):
    total = y
    for a, b in zip([x, x + 1], (1, 2), strict=True):
        total = total + a * b
    return total


@behaviours(65, "reversed", *arrays(3), *arrays(0))
def backwards(x, n):
    seen = 0.0
    for value in reversed(x):
        seen = seen * 0.5 + value
    for k in reversed(range(n)):
        seen += k
    for value in reversed([seen, x]):
        seen = seen + value
    return seen


@behaviours(
    66, "ndindex", *on_each(np.arange(6.0).reshape(2, 3), np.ones((1, 2)), np.ones((0, 2)), np.arange(3))
)
def over_ndindex(a):
    total = 0
    for place in np.ndindex(a.shape):
        total += a[place] * (1 + sum(place))
    return total


@behaviours(66, "ndindex of numbers", (2, 3), (0, 3), (1, 1))
def over_ndindex_of_numbers(m, n):
    total = 0
    for i, j in np.ndindex(m, n):
        total += i * 10 + j
    return total


@behaviours(
    66, "ndenumerate", *on_each(np.arange(6.0).reshape(2, 3), np.ones((1, 2)), np.ones((0, 2)), np.arange(3))
)
def over_ndenumerate(a):
    total = 0
    for place, value in np.ndenumerate(a):
        total = total + value * place[0]
    return total


@behaviours(66, "nditer", *on_each(np.arange(6.0).reshape(2, 3), np.ones((1, 2)), np.arange(3)))
def over_nditer(a):
    total = 0
    for value in np.nditer(a):
        total = total + value * 2
    return total


@behaviours(67, "over a dictionary", (1.5, 2), (np.ones(2), 3), (np.zeros(0), 0))
def over_dictionary(x, k):
    parts = {"a": x, "b": k, "c": 2.5}
    total = 0
    for name in parts:
        total = total + parts[name]
    for name, value in parts.items():
        total = total + value * len(name)
    for value in parts.values():
        total = total - value
    return total, list(parts)


@behaviours(
    67,
    "over a dictionary that is handed in",
    ({"a": 1.5, "b": 2}, 2.0),
    ({"a": np.ones(2)}, 1),
    ({}, 3),
)
def over_given_dictionary(parts, x):
    for name, value in parts.items():
        x = x + value * len(name)
    for name in sorted(parts, reverse=True):
        x = x * 2 + parts[name]
    return x


@behaviours(68, "over a generator, with a break", *sizes(3), *sizes(100))
def over_generator(x, limit):
    total = x
    for k in (k * k for k in range(6)):
        if k > limit:
            break
        total = total + k
    return total


@behaviours(69, "the iterate is used after the loop", *on_each(np.arange(3.0), np.array([2.5])), (range(4),))
def iterate_after_loop(x):
    total = 0
    for value in x:
        total += value
    return value, total


@behaviours(70, "the iterate was there before, and nothing is run over", *arrays(5), *arrays(2.5))
def iterate_before_loop(x, value):
    for value in x:
        pass
    return value


@behaviours(71, "the body changes the iterate", (4, 1.5), (0, 1.5), (3, np.ones(2)))
def iterate_altered(n, x):
    for k in range(n):
        k = k * 2
        x = x + k
    return x


@behaviours(72, "the iterate is unbound after nothing", *arrays())
def iterate_unbound(x):
    for value in x:
        pass
    return value


@behaviours(72, "the iterate of a range is unbound after nothing", *on_each(0, 3, -1))
def iterate_of_range_unbound(n):
    for k in range(n):
        pass
    return k


@behaviours(
    73,
    "the body changes the array that is run over",
    *on_each(np.arange(5.0), np.array([1.5]), np.zeros(0), np.arange(4)),
)
def array_modified(x):
    total = 0
    i = 0
    for value in x:
        x[-1] += 1
        x[i // 2] = -1
        total = total + value
        i += 1
    return total, x


@behaviours(
    74,
    "over a list of arrays of unequal shapes",
    (np.ones(3), np.ones((2, 2))),
    (np.zeros(0), np.ones(1)),
    (1.5, np.ones(2)),
)
def over_unequal(x, y):
    total = 0
    for thing in [x, y, 2]:
        total = total + np.sum(thing * 2)
    return total


@behaviours(75, "over an iterator of a user's class", *on_each(4, 0, -1), gaps="S132-too-long")
def over_countdown(n):
    total = 0
    for k in Countdown(n):
        total += k
    return total


@behaviours(75, "over an iterator of a user's class, of known length", *sizes())
def over_known_countdown(x):
    for k in Countdown(3):
        x = x + k
    return x


@behaviours(75, "over a sequence of old", *sizes())
def over_old_sequence(x):
    for square in Squares(4):
        x = x + square
    return x


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("behaviour", behaviours.functions, ids=name_of)
def test_behaviour(behaviour: Behaviour, device: str) -> None:
    check(behaviour, device)
