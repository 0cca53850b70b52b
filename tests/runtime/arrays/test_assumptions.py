"""What is known of the dims of arguments, what is assumed of them, and what cannot be."""

import numpy as np
import pytest

from transpile import convert
from transpile.runtime.arrays.assumptions import Assumptions
from transpile.runtime.graph.dim import Dim, quotient
from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import INT


@pytest.fixture
def known() -> tuple[Assumptions, Dim, Dim, Dim]:
    """Gives two sizes among the arguments, 5 and 7 on the call at hand, and one that is not known before the call runs."""
    block = Block()
    n, m = block.argument(INT, "n"), block.argument(INT, "m")
    assumptions = Assumptions(Graph("f", block))
    assumptions.bounds.sizes |= {n, m}
    assumptions.samples |= {n: 5, m: 7}
    return assumptions, *map(Dim.of_value, (n, m, Value(INT, "k")))  # type: ignore[return-value]


def test_what_is_proved_is_not_assumed(known):
    assumptions, n, m, _ = known
    assert assumptions.assume_nonnegative(n + m) and assumptions.speculate(n)
    assert assumptions.graph.assumptions == []


def test_what_holds_for_the_call_at_hand_is_assumed(known):
    assumptions, n, m, _ = known
    assert assumptions.speculate(m - n - 2)
    assert assumptions.graph.assumptions == [m - n - 2]
    assert not assumptions.speculate(n - m)


def test_nothing_is_assumed_of_what_only_the_run_knows(known):
    assumptions, n, _, k = known
    assert not assumptions.assume_nonnegative(k - n) and not assumptions.assume_equal(k, n)
    assert not assumptions.graph.assumptions and not assumptions.graph.equalities


def test_what_is_assumed_equal_is_the_same_from_then_on(known):
    assumptions, n, m, k = known
    assert not assumptions.same(n + 2, m)
    assert assumptions.assume_equal(n + 2, m)
    assert assumptions.same(n + 2, m) and assumptions.same(m + k, n + k + 2)
    assert len(assumptions.graph.equalities) == 1


def test_a_quotient_among_sizes_is_spoken_of_by_its_dividend(known):
    assumptions, n, m, _ = known
    values = [next(dim.values()) for dim in (n, m)]
    half = Op("floor_divide", (values[1], two()), (INT,), {}).results[0]
    # 7 // 2 - 5 + 2 is 0.
    assert assumptions.speculate(Dim.of_value(half) - n + 2)
    assert assumptions.graph.assumptions == [m - 2 * n + 4]
    assert not assumptions.speculate(Dim.of_value(half) - n + 1)
    assert assumptions.sample_of(m * Dim.of_value(half)) == 21


def test_polynomials_are_divided_where_nothing_is_left(known):
    _, n, m, k = known
    assert quotient((n + 2) * (m - k) * 3, (n + 2) * 3) == m - k
    assert quotient(n * m + n, m + 2) is None and quotient(3 * n, 2) is None
    assert quotient(n, n) == 1 and quotient(12, 4) == 3 and quotient(12, n) is None


def two():
    return Op("constant", (), (INT,), {"value": 2}).results[0]


def weighed(x, pair):
    if len(x) - 1 == 1:
        return float(np.dot(x, pair[:2]))
    total = 0.0
    for v in x:
        total += v
    return total


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_what_must_agree_on_a_way_not_taken_is_not_assumed(device: str) -> None:
    converted = convert(weighed, strict=True, device=device)
    pair = np.array([1.5, 2.0])
    for size in (5, 2, 3, 2, 1):
        x = np.arange(size) + 0.5
        assert converted(x, pair) == weighed(x, pair)
    assert converted.calls.refuted == 0
    assert not any(entry.deoptimised for entry in converted.calls.entries)
    assert "compiled whole" in converted.explain()


def failing(x, y):
    return np.dot(x, y)


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_calls_that_raise_keep_none_from_being_compiled_that_do_not(device: str) -> None:
    converted = convert(failing, device=device)
    for _ in range(6):
        with pytest.raises(ValueError, match="not aligned"):
            converted(np.ones(3), np.ones(4))
    assert not converted.calls.failures
    assert converted(np.ones(3), np.ones(3)) == 3
    assert converted.calls.entries


def test_time_that_calls_lose_which_raise_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    converted = convert(failing, device="host")
    monkeypatch.setattr("transpile.losses._FREE", 0.0)
    for _ in range(8):
        with pytest.raises(ValueError, match="not aligned"):
            converted(np.ones(3), np.ones(4))
    assert converted.calls.misses < 8
