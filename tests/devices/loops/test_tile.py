"""Loops of steps that go along memory run over a few lines of it at a time."""

import numpy as np

from transpile.devices.loops.statement import For, Fused, If, Nest


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
        tiles, steps = (
            [inner for s in way if isinstance(s, For) for inner in s.body]
            for way in (choice.then, choice.otherwise)
        )
        assert any(isinstance(inner, For) for inner in tiles)
        assert steps and not any(isinstance(inner, For) for inner in steps)


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


def begins(program):
    """Whether what a loop of steps starts from is computed in the loop over pieces around it."""
    nests = (Nest, Fused)
    return any(
        isinstance(s, For) and isinstance(s.body[-1], For) and any(isinstance(p, nests) for p in s.body)
        for s in program
    )


def test_what_steps_start_from_is_computed_piece_by_piece_as_well(scheduled):
    def fraction(a, x, turns):
        f = np.zeros_like(x)
        for k in range(turns, 0, -1):
            f = k * (a - k) / (x + 2 * k + 1 - a + f)
        return f

    def weighted(x, weights):
        return sum(weight * x[k : k + 8, :] for k, weight in enumerate(weights))

    for n in (0, 2, 1023, 1024, 2500):
        for turns in (0, 9):
            x = np.linspace(1.0, 2.0, n)
            assert depth(scheduled(fraction, x + 0.25, x, turns)) == 2
    for width in (3, 70, 300):
        x = np.random.default_rng(2).random((12, width))
        assert begins(scheduled(weighted, x, np.linspace(0.5, 1.0, 5)))


def test_what_steps_start_from_stays_where_they_read_other_elements_of_it(scheduled):
    def shifted(x, weights):
        y, z = np.zeros(x.shape), np.zeros(x.shape)
        y[:] = x * 2.0
        for weight in weights:
            z[1:-1] = z[1:-1] + weight * (y[2:] - y[:-2])
        return y, z

    def between(x, weights):
        y = x * 2.0
        total = y.sum()
        for weight in weights:
            y += weight * total
        return y

    weights = np.linspace(0.5, 1.0, 5)
    for function in (shifted, between):
        assert not begins(scheduled(function, np.linspace(1.0, 2.0, 3000), weights))


def test_steps_whose_numbers_leave_64_bits_go_the_plain_way(scheduled):
    def function(x, start):
        y = np.zeros_like(x)
        for k in range(start, start + 3):
            y = y + x * float(2 * k)
        return y

    for start in (5, 2**62 - 2):
        assert depth(scheduled(function, np.linspace(0.0, 1.0, 2500), start)) == 2


def test_steps_with_branches_on_numbers_run_a_few_lines_at_a_time(scheduled):
    def filtered(x, b, a):
        y = np.zeros_like(x)
        for n in range(x.shape[1]):
            y[:, n] = b[0] * x[:, n]
            if n >= 1:
                y[:, n] += b[1] * x[:, n - 1] - a[1] * y[:, n - 1]
            if n >= 2:
                y[:, n] += b[2] * x[:, n - 2] - a[2] * y[:, n - 2]
        return y

    def switched(x):
        y = np.zeros_like(x)
        for k in range(1, x.shape[1]):
            if k % 3:
                y[:, k] = y[:, k - 1] + x[:, k]
            else:
                y[:, k] = x[:, k] - y[:, k - 1] * 0.5
        return y

    random = np.random.default_rng(4)
    b, a = np.array([0.2, 0.3, 0.1]), np.array([1.0, -0.5, 0.2])
    for shape in ((100, 9), (32, 5), (33, 2), (3, 1), (0, 3)):
        x = random.random(shape)
        if shape[1] > 1:
            assert depth(scheduled(filtered, x, b, a)) == 2
            assert depth(scheduled(switched, x)) == 2
        else:
            scheduled(filtered, x, b, a)


def test_steps_whose_branches_look_at_what_is_stored_stay_in_order(scheduled):
    def function(x):
        for k in range(1, x.shape[1]):
            if x[3, k - 1] > 0.5:
                x[:, k] += x[:, k - 1]
            else:
                x[:, k] -= x[:, k - 1]

    assert depth(scheduled(function, np.random.default_rng(5).random((80, 9)))) == 1


def test_steps_over_rows_that_run_time_names_find_what_others_have_stored(scheduled):
    def function(x, rows):
        for k in range(len(rows)):
            x[rows[k]] = x[rows[k]] * 0.5 + x[rows[k - 1]]
        return x

    random = np.random.default_rng(6)
    scheduled(function, random.random((7, 300)), random.integers(0, 7, 20))
    scheduled(function, random.random((300, 7)), random.integers(0, 300, 20))
