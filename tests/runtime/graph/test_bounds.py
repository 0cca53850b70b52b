"""What is proved of integers: a dim is looked into once, however many ways lead to it."""

import pytest

from transpile.runtime.graph.bounds import Bounds
from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT


class Counted(Bounds):
    """Counts what is looked into."""

    looks = 0

    def _prove(self, dim: Dim, depth: int) -> bool:
        self.looks += 1
        return super()._prove(dim, depth)


def chain(count: int) -> tuple[Counted, list[Dim]]:
    """Return numbers of which each is at most the one before, and at most the one before that."""
    assumptions: list[DimLike] = []
    dims = [Dim.of_value(Value(INT, f"n{place}")) for place in range(count)]
    for place in range(1, count):
        assumptions += [dims[earlier] - dims[place] for earlier in range(max(0, place - 3), place)]
    return Counted(assumptions), dims


def test_what_follows_is_proved() -> None:
    bounds, dims = chain(9)
    assert bounds.nonnegative(dims[0] - dims[8])
    assert bounds.nonnegative(2 * dims[0] - dims[8] - dims[5])


def test_what_does_not_follow_is_not_looked_into_again() -> None:
    bounds, dims = chain(9)
    assert not bounds.nonnegative(dims[8] - dims[0])
    assert not bounds.nonnegative(dims[8] + dims[7] - dims[0] - dims[1])
    assert bounds.looks < 100


def test_a_proof_gives_up_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("transpile.runtime.graph.bounds._STEPS", 10)
    bounds, dims = chain(9)
    assert not bounds.nonnegative(dims[8] + dims[7] - dims[0] - dims[1])
    assert bounds.looks <= 10
    assert bounds.nonnegative(dims[0] - dims[3])


def test_nothing_is_remembered_that_may_be_proved_later() -> None:
    bounds, dims = chain(3)
    assert not bounds.nonnegative(dims[2])
    bounds.assumptions.append(dims[2] - 1)
    assert bounds.nonnegative(dims[2])
    assert bounds.nonnegative(dims[0])


def test_what_depends_on_each_other_in_many_ways_is_soon_given_up() -> None:
    values = [Value(INT, f"v{i}") for i in range(8)]
    bounds = Counted([])
    bounds.facts = [
        Dim.of_value(one) - Dim.of_value(other) + i
        for i, one in enumerate(values)
        for other in values
        if one is not other
    ]
    assert not bounds.nonnegative(Dim.of_value(values[0]) - Dim.of_value(values[1]) - 10)
    assert bounds.looks <= 120


def test_what_does_not_hold_on_a_call_that_is_known_is_not_looked_into() -> None:
    bounds, dims = chain(9)
    numbers = {value: 20 - place for place, dim in enumerate(dims) for value in dim.values()}
    bounds.sample = numbers.get
    assert not bounds.nonnegative(dims[8] - dims[0])
    assert bounds.looks == 0
    assert bounds.nonnegative(dims[0] - dims[8])


def test_where_a_branch_goes_otherwise_that_call_says_nothing() -> None:
    bounds, dims = chain(2)
    numbers = {value: 20 - place for place, dim in enumerate(dims) for value in dim.values()}
    bounds.sample = numbers.get
    with bounds.knowing([dims[1] - 30]):
        assert bounds.nonnegative(dims[0] - 30)
    assert not bounds.nonnegative(dims[0] - 30)
