"""What a function has made and stored where it was handed something is followed in loops and branches, as what its names hold is."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from transpile import convert
from transpile.runtime.operators import expected, traced_loops

X = np.random.default_rng(1).random((10, 3))
KEPT: Any = None


class Model:
    """Is handed in."""

    kept: Any
    last: Any


class Inner:
    """Is made by what is called."""


def appends(self, x):
    self.kept = []
    for k in range(x.shape[0]):
        self.kept.append(x[k, 0] * 2)


def appends_rows(self, x):
    self.kept = []
    for row in x:
        self.kept.append(row * 2)
    self.kept = np.array(self.kept)


def appends_to_lists_in_a_list(self, x):
    self.kept = [[], []]
    for k in range(x.shape[0]):
        self.kept[0].append(x[k, 0])
        self.kept[1].append(x[k, 1])


def appends_where(self, x):
    self.kept = []
    for k in range(x.shape[0]):
        if x[k, 0] > 0.5:
            self.kept.append(x[k, 0])


def pops_while(self, x):
    self.kept = [0.5]
    while self.kept[-1] < 3:
        self.kept.append(self.kept.pop() + x[0, 0])


def adds_to_items(self, x):
    self.kept = {"sum": 0.0, "turns": 0}
    for k in range(x.shape[0]):
        self.kept["sum"] += x[k, 0]
        self.kept["turns"] += 1


def adds_to_attributes(self, x):
    self.kept = Inner()
    self.kept.sum = 0.0
    for k in range(x.shape[0]):
        self.kept.sum += x[k, 0]
    self.kept = self.kept.sum


def adds_to_an_array(self, x):
    self.kept = [np.zeros(3)]
    for k in range(x.shape[0]):
        self.kept[0] = self.kept[0] + x[k]


def appends_to_a_global(self, x):
    global KEPT
    KEPT = []
    for k in range(x.shape[0]):
        KEPT.append(x[k, 0])
    self.kept = KEPT


def learns(self, x):
    self.weights = np.zeros(x.shape[1])
    self.kept = []
    for _ in range(5):
        errors = 0
        for row in x:
            update = 0.1 * (1 - (row @ self.weights > 0.5))
            self.weights += update * row
            errors += int(update != 0.0)
        self.kept.append(errors)


def changes_one_of_many(self, x):
    table = [("a", 1, True)] * 500
    table.append(("b", [0.0, 1.0], None))
    for k in range(x.shape[0]):
        if x[k, 0] > 0.5:
            table[500][1][0] = x[k, 0]
        else:
            table[500][1][1] += 1.0
    self.kept = table[500][1][0], table[500][1][1], len(table)


def swaps_by_key(self, x):
    self.kept = {"one": 1.0, "other": 2.0}
    if x[0, 0] > 0.1:
        self.kept["one"], self.kept["other"] = self.kept["other"], self.kept["one"]
    if x[1, 0] > 0.1:
        last = self.kept.pop("one")
        self.kept["one"] = last


PROGRAMS: list[Callable[..., None]] = [
    appends, appends_rows, appends_to_lists_in_a_list, appends_where, pops_while, adds_to_items, adds_to_attributes, adds_to_an_array,
    appends_to_a_global, learns, changes_one_of_many, swaps_by_key,
]  # fmt: skip


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_what_is_stored_outside_is_followed(program: Callable[..., None], device: str) -> None:
    ours, plain = Model(), Model()
    convert(program, strict=True, device=device)(ours, X)
    program(plain, X)
    np.testing.assert_equal(vars(ours), vars(plain))


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("handed", [Counter("aab"), OrderedDict(a=1)], ids=["Counter", "OrderedDict"])
def test_a_kind_of_dictionary_that_is_handed_in_is_handed_on(handed: Any, device: str) -> None:
    def chosen(table, x):
        found, total = None, 0.0
        if x[0, 0] > 0:
            found = table
        for value in x[0]:
            if value > 0:
                total += value
        return found is table, total

    assert convert(chosen, strict=True, device=device)(handed, X) == chosen(handed, X)


class Sum:
    def __init__(self) -> None:
        self.total = 0


def nested(n):
    found, seen = Sum(), [0.0]
    for i in range(n):
        for j in range(i):
            found.total += i * j
            seen[0] = found.total / 2
    return found.total, seen


def deeply_nested(n):
    found = Sum()
    for i in range(n):
        for j in range(i):
            for k in range(j):
                for m in range(k):
                    found.total += i * j * k * m
    return found.total


def turns_traced(function: Any, monkeypatch: pytest.MonkeyPatch) -> int:
    turns = []
    begin = traced_loops.Loop._begin
    with monkeypatch.context() as patched:
        patched.setattr(
            traced_loops.Loop, "_begin", lambda loop, frame: turns.append(loop) or begin(loop, frame)
        )
        converted = convert(function, device="host", strict=True)
        assert converted(7) == function(7)
    return len(turns)


def test_what_a_loop_is_found_to_change_is_widened_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    # Each loop is traced once to find what it changes, and once more with that carried; the inner one once more with the outer one, when all is known.
    assert turns_traced(nested, monkeypatch) == 2 + 2 + 1


def test_loops_in_loops_are_traced_once_more_for_each_loop_around_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert turns_traced(deeply_nested, monkeypatch) == 2 + 3 + 4 + 5


def test_lists_that_grow_are_carried_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def gathered(n):
        found, seen = [], []
        for i in range(n):
            found.append(i * 0.5)
            seen.append(i)
        return found, seen

    # To find that the one grows, and the other, that their room does, and that this is all.
    assert turns_traced(gathered, monkeypatch) == 4


@pytest.mark.parametrize("function", [nested, deeply_nested])
def test_what_is_expected_and_does_not_change_is_not_carried(
    function: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Beside:
        pass

    def beside(n):
        other = Beside()
        other.kept, other.names = 3, [1, 2]
        return function(n), other.kept, other.names

    function.__globals__.setdefault("Beside", Beside)
    plain = str(convert(beside, device="host").graph(7))
    right = expected.expect
    wrong = []

    def expect(heap: Any, known: Any) -> Any:
        more = [(t, key) for t in heap.things if isinstance(t, (Sum, Beside)) for key in vars(t)]
        wrong.append(len(more) > len(known))
        return right(heap, more)

    monkeypatch.setattr(expected, "expect", expect)
    assert str(convert(beside, device="host").graph(7)) == plain
    assert any(wrong)
