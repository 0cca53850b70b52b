"""Loops of steps that go along memory run over a few lines of it at a time."""

import numpy as np

from transpile.devices.loops.statement import For, If


def depth(program):
    """How many loops of steps stand around the deepest nest."""

    def of(body):
        return max((1 + of(s.body) if isinstance(s, For) else 0 for s in body), default=0)

    return of(program.program.body)


def test_a_recurrence_along_rows_runs_over_some_rows_at_a_time(scheduled):
    def function(x):
        y = np.empty(x.shape)
        y[:, 0] = x[:, 0]
        for k in range(1, x.shape[1]):
            y[:, k] = y[:, k - 1] * 0.5 + x[:, k]
        return y

    random = np.random.default_rng(0)
    for shape in ((100, 9), (32, 5), (33, 2), (0, 3)):
        assert depth(scheduled(function, random.random(shape))) == 2


def test_steps_backwards_and_several_nests_stay_in_order(scheduled):
    def function(x):
        y, z = np.zeros(x.shape), np.zeros(x.shape)
        for k in range(x.shape[1] - 2, -1, -1):
            y[:, k] = y[:, k + 1] + x[:, k]
            z[:, k] = y[:, k] * x[:, k + 1] - z[:, k + 1]
        return y, z

    assert depth(scheduled(function, np.random.default_rng(0).random((70, 12)))) == 2


def test_planes_run_one_after_the_other(scheduled):
    def function(x):
        for k in range(1, x.shape[2]):
            x[1:, :, k] += x[1:, :, k - 1]
            x[1:, ::2, k] -= 1.0

    scheduled(function, np.random.default_rng(0).random((9, 8, 7)))


def test_steps_that_look_at_other_lines_keep_their_order(scheduled):
    def function(x):
        for k in range(1, x.shape[1]):
            x[1:, k] = x[:-1, k - 1] + x[1:, k]

    assert depth(scheduled(function, np.random.default_rng(0).random((80, 9)))) == 1


def test_steps_that_go_across_memory_stay_as_they_are(scheduled):
    def function(x):
        for k in range(1, x.shape[0]):
            x[k] += x[k - 1]

    assert depth(scheduled(function, np.random.default_rng(0).random((80, 9)))) == 1


def test_what_steps_read_at_the_same_place_of_every_line_is_seen(scheduled):
    def function(x):
        for k in range(1, x.shape[1]):
            x[:, k] = x[:, k] * x[3, k - 1]

    assert depth(scheduled(function, np.random.default_rng(0).random((80, 9)))) == 1


def test_steps_over_the_same_elements_run_piece_by_piece(scheduled):
    def function(x, weights):
        total = np.zeros(x.shape)
        for k in range(20, 0, -1):
            total = k * weights[k] / (x + total)
        return total

    weights = np.linspace(0.5, 1.5, 21)
    for n in (0, 2, 1024, 2500):
        assert depth(scheduled(function, np.linspace(1.0, 2.0, n), weights)) == 2


def test_steps_over_rows_run_row_by_row_where_rows_are_long(scheduled):
    def function(x, weights):
        width = x.shape[1] - len(weights) + 1
        total = np.zeros((x.shape[0], width))
        for k, weight in enumerate(weights):
            total += weight * x[:, k : k + width]
        return total

    for width in (70, 20):
        found = scheduled(function, np.random.default_rng(1).random((9, width)), np.linspace(0.0, 1.0, 7))
        (choice,) = (statement for statement in found if isinstance(statement, If))
        (tiles,), (steps,) = choice.then, choice.otherwise
        assert isinstance(tiles.body[0], For) and not isinstance(steps.body[0], For)


def test_steps_that_read_other_elements_are_not_run_piece_by_piece(scheduled):
    def neighbours(x):
        y = np.zeros(x.shape)
        for _ in range(20):
            y = y[::-1] + x
        return y

    def total(x):
        y = np.zeros(x.shape)
        for _ in range(20):
            y += x * y[3]
        return y

    def number(x):
        y = x + 1.0
        for k in range(20):
            y *= 0.5 * y[k]
        return y

    for function in (neighbours, total, number):
        assert depth(scheduled(function, np.linspace(0.0, 1.0, 30))) <= 1
