"""Programs that use what libraries make: methods of dataclasses, copies, comparisons of tuples, sentinels; and jumps out of `finally`."""

from __future__ import annotations

import copy
from dataclasses import astuple, dataclass, field, replace

import numpy as np
import pytest

import transpile

from .comparison import call, compare
from .programs import Program, Programs, check, name_of, noise

programs = Programs()


@dataclass(order=True)
class Step:
    size: float
    order: int = 1


@dataclass(frozen=True)
class Range:
    low: float
    high: float


class Missing:
    pass


@programs(lambda: (noise(6),))
def compares_dataclasses(x):
    one, other = Step(x[0]), Step(x[1], 2)
    return one == other, one == Step(x[0]), one < other, one >= other, Range(x[0], 1.0) == Range(x[0], 1.0)


@programs(lambda: (noise(6),))
def takes_dataclasses_apart(x):
    return astuple(Step(x[0], 3)), replace(Step(x[1]), order=2).order


@programs(lambda: (noise(6), 2, 3), lambda: (np.full(3, np.nan), -1, 0))
def compares_tuples(x, i, j):
    count = 0
    for a in range(len(x)):
        for b in range(len(x)):
            if (a, b) != (i, j) and (x[a], b) < (x[i], a):
                count += 1
    same = (x[0], 1) == (x[0], 1), [i, j] >= [i], (i, (j, x[0])) == (i, (3, x[0])), (i,) == (i, j)
    return count, same


@programs(lambda: (noise(4), [1, 2.5, (3, 4)], {"a": noise(3)}))
def copies(x, items, table):
    twice = [x, x]
    deep, flat, other = copy.deepcopy(twice), copy.copy(items), copy.deepcopy(table)
    deep[0][0] = 5.0
    other["a"][1] = 7.0
    flat[0] = 9
    return deep, flat, other, copy.deepcopy(x[0]), copy.copy(x)


@dataclass
class Followed:
    x: float
    weights: np.ndarray = field(default_factory=lambda: np.random.rand(2))
    place: np.ndarray = field(default_factory=lambda: np.zeros(2))
    path: list = field(default_factory=list)
    sums: list = field(default_factory=list, init=False)
    scale: float = field(default=0.5, kw_only=True)

    def __post_init__(self):
        self.sums.append(self.x + self.weights[0])

    def step(self):
        self.x *= 0.9
        self.place += self.weights
        self.path.append((self.x, self.place[0]))
        self.sums.append(self.place.sum() * self.scale)


@programs(lambda: (noise(3), 4), lambda: (noise(3), 0))
def calls_default_factories(x, n):
    np.random.seed(3)
    one, other = Followed(float(x[0]), scale=2.0), Followed(float(x[1]), path=[(0.0, 0.0)])
    for _ in range(n):
        one.step()
        other.step()
    return np.array(one.path), other.path, one.sums, other.place, one.weights


@programs(lambda: (5,), lambda: (2,))
def calls_default_factories_in_a_loop(n):
    np.random.seed(n)
    things = []
    for i in range(n):
        things.append(Followed(float(i)))
    return sum(thing.weights[1] for thing in things), things[-1].sums[0]


@programs(lambda: (7, 3), lambda: (0, 3))
def reads_displays_at_places_of_run_time(n, k):
    total = 0.0
    for i in range(n):
        dx, dy = [(0, 1), (1, 0), (0, -1), (-1, 0)][(i * k) % 4]
        total += 3 * dx - i * dy + (5, 7, 9)[i % 3] + [1.0, 2.0, 4.0][-(i % 3)]
    table = dict(all=[], even=[])
    for i in range(n):
        table["all"].append(i)
        if i % 2 == 0:
            table["even"].append(i * 0.5)
    return total, table


@programs(lambda: (b"\x01\x02\x03", noise(3)))
def reads_integers_from_bytes(data, x):
    return int.from_bytes(data, "little") * x[0], bytes.fromhex("0aff")[1]


@programs(lambda: (noise(9), 2), lambda: (noise(9), 0))
def raises_unless_it_gives_an_array(x, n):
    if n > 1:
        scaled, pair = x * n, (x + 1, n)
    else:
        raise ValueError(n)
    return scaled + pair[0], pair[1]


@programs(lambda: (noise(9), 0.5, 1.0), lambda: (noise(9), 2.0, 1.0))
def takes_the_way_out_of_finally(x, low, high):
    for k in range(len(x)):
        try:
            if low > high:
                break
        finally:
            x[k] += 1.0
            if x[k] > 2.0:
                continue
        x[k] *= 2.0
    return x.sum()


@programs(lambda: (noise(9),), lambda: (-np.ones(3),))
def leaves_loops_in_finally(x):
    total = 0.0
    for i in range(len(x)):
        try:
            if x[i] < 0:
                continue
            total += x[i]
        finally:
            if total > 2.0:
                break
            if i == 3:
                continue
        total += 10.0
    return total


@programs(lambda: (noise(9),), lambda: (-np.ones(3),))
def takes_a_return_back(x):
    for i in range(len(x)):
        try:
            return i, x[i]
        finally:
            if x[i] < 0.5:
                continue
    return -1, 0.0


@programs(lambda: (noise(5),), lambda: (-np.ones(3),))
def keeps_a_return_over_a_loop_in_finally(x):
    try:
        return x.sum()
    finally:
        for i in range(len(x)):
            if x[i] > 1e3:
                return 0.0


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_converted_does_what_it_did(program: Program, device: str) -> None:
    check(program, device)


def of_a_class(x):
    return x.sum() if getattr(Holder, "__kinds__")["a"] is SENTINEL else 0.0


SENTINEL = Missing()


class Holder:
    __kinds__ = {"a": SENTINEL}


def test_an_object_is_itself_by_whatever_way_it_is_met(monkeypatch: pytest.MonkeyPatch) -> None:
    converted = transpile.convert(of_a_class, strict=True)
    for other in (SENTINEL, Missing(), SENTINEL):
        monkeypatch.setitem(globals(), "SENTINEL", other)
        compare(call(of_a_class, (np.ones(3),)), call(converted, (np.ones(3),)))


class Linked:
    def __init__(self, value, parent=None):
        self.value, self.parent, self.kids = value, parent, []
        self.itself = self


def makes_a_family(x, root):
    child = Linked(x[0] * 2, root)
    root.kids.append(child)
    one, other = Linked(x[1], child), Linked(x[2])
    child.kids = [one, other]
    other.parent = one
    return child, {"one": one, "others": [other, other.parent]}


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_objects_that_lead_back_to_themselves_are_returned(device: str) -> None:
    converted = transpile.convert(makes_a_family, strict=True, device=device)
    for numbers in (np.arange(3.0), np.array([5.0, 4.0, 3.0])):
        root = Linked(1.0)
        child, held = converted(numbers, root)
        one, others = held["one"], held["others"]
        assert root.kids == [child]
        assert child.parent is root
        assert child.kids == [one, others[0]]
        assert one.parent is child
        assert others[0].parent is others[1] is one
        assert all(thing.itself is thing for thing in (child, one, others[0]))
        assert [thing.value for thing in (child, *child.kids)] == [numbers[0] * 2, *numbers[1:]]
