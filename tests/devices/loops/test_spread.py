"""Loops are spread over threads where no turn has to do with what another one stores."""

import numpy as np
import pytest

import transpile
from transpile.devices.loops import spread
from transpile.devices.loops.schedule import schedule
from transpile.devices.loops.statement import For


@pytest.fixture
def any_density(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has loops be spread that wait for memory, too."""
    monkeypatch.setattr(spread, "_DENSE", 0)


def spread_in(program):
    """Return the loops that are spread, by the names of their indices, and the work of each turn."""
    found = [statement.spread for statement in program if getattr(statement, "spread", None)]
    return [(loop.index.name, str(loop.work)) for loop in found]


X = np.random.default_rng(0).random((12, 9))


def test_a_nest_is_spread_over_its_outermost_loop(scheduled):
    def function(x):
        y = np.empty_like(x[:, 1:])
        y[:] = np.exp(x[:, 1:])
        return y

    ((index, work),) = spread_in(scheduled(function, X))
    assert index == "i" and work == "48*x1 - 48"


def test_what_is_stored_over_what_the_next_turn_reads_is_not(scheduled, any_density):
    def function(x):
        x[:-1] = x[1:] * 2.0

    assert spread_in(scheduled(function, X)) == []


def test_what_all_turns_store_is_not(scheduled, any_density):
    def function(x):
        y = np.zeros(x.shape[1])
        for i in range(x.shape[0]):
            y += x[i]
        return y

    program = scheduled(function, X)
    assert {loop.index.name for loop in program if isinstance(loop, For) and loop.spread} <= {"first"}


def test_pieces_of_what_all_turns_store_are_spread(scheduled, any_density):
    def function(x, weights):
        y = np.zeros(x.shape[0])
        for k in range(40):
            weight = weights[k] * 2.0
            y = y * weight + x
        return y

    work = dict(spread_in(scheduled(function, X[:, 0].copy(), np.ones(40))))
    # A piece is as long as it is known to be.
    assert int(work["first"]) > 16 * 1024


def test_a_sum_is_never_parted_but_its_results_are(scheduled, any_density):
    def function(x):
        return x.sum(), x.sum(axis=1), (x * x).sum(axis=0)

    program = scheduled(function, X)
    assert [index for index, _ in spread_in(program)] == ["i", "j"]


def test_a_loop_of_the_users_is_spread_where_its_turns_are_their_own(scheduled, any_density):
    def function(x):
        y = np.zeros(x.shape[0])
        for i in range(x.shape[0]):
            total = 0.0
            for j in range(x.shape[1]):
                total += x[i, j] * j
            y[i] = total
        return y

    assert any(loop.spread for loop in scheduled(function, X) if isinstance(loop, For))


def test_a_loop_that_goes_on_with_what_it_has_found_is_not(scheduled, any_density):
    def function(x):
        y = np.zeros(x.shape[0])
        level = 0.5
        for i in range(x.shape[0]):
            level = level * 0.5 + x[i, 0]
            y[i] = level
        return y, level

    assert not any(loop.spread for loop in scheduled(function, X) if isinstance(loop, For))


def test_a_loop_that_may_be_left_is_not(scheduled, any_density):
    def function(x, k):
        y = np.zeros(len(k))
        for i in range(len(k)):
            y[i] = x[k[i], 0]
        return y

    assert not any(loop.spread for loop in scheduled(function, X, np.arange(5)) if isinstance(loop, For))


def test_a_loop_that_calls_a_library_is_not(scheduled, any_density):
    def function(x, y):
        out = np.zeros(len(x))
        for i in range(len(x)):
            level = 0.5
            for j in range(x.shape[1]):
                level = level * 0.5 + x[i, j]
            out[i] = np.dot(x[i], y) + level
        return out

    assert not any(s.spread for s in scheduled(function, X, X[0]) if isinstance(s, For))


def test_what_is_picked_by_places_is_and_what_is_stored_by_places_is_not(scheduled, any_density):
    def picked(x, k):
        return np.take(x[:, 0], k, mode="clip") * 2.0

    def stored(x, k):
        x[k, 0] = 1.0

    k = np.array([3, 1, 3])
    assert spread_in(scheduled(picked, X, k))
    assert spread_in(scheduled(stored, X, k)) == []


def test_loops_inside_of_two_are_left_alone(scheduled, any_density):
    def function(x):
        for i in range(1, x.shape[0]):
            for j in range(1, x.shape[1]):
                x[i, j:] -= x[i - 1, j - 1] * x[0, j:]

    assert spread_in(scheduled(function, X)) == []


def test_a_loop_that_waits_for_memory_is_left_alone(scheduled):
    def waiting(x, y):
        return x + y

    def computing(x, y):
        return np.exp(x) + y

    def stencil(x, y):
        return x[1:-1] * 0.5 + y[1:-1] * (x[2:] - 2.0 * x[1:-1] + x[:-2]) - 0.1 * x[1:-1]

    assert spread_in(scheduled(waiting, X, X)) == []
    assert spread_in(scheduled(computing, X, X)) != [] != spread_in(scheduled(stencil, X, X))


@pytest.mark.parametrize("parallel", [True, False])
def test_nothing_is_where_it_is_not_wanted(parallel):
    graph = transpile.convert(lambda x: np.exp(x), strict=True, parallel=parallel).graph(X)
    assert (
        any(statement.spread for statement in schedule(graph).body if hasattr(statement, "spread"))
        is parallel
    )
