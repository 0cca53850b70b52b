"""Loops of steps that go along memory run over a few lines of it at a time."""

import numpy as np

from transpile.devices.loops.statement import For


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
