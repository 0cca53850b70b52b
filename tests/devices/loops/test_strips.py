"""Nests before and behind a loop over pieces of memory run a piece at a time with it, and what they store for each other alone is a piece."""

import numpy as np
import pytest

import transpile
from transpile.devices.loops.statement import Allocate, For, Fused, Nest

LENGTHS = (0, 2, 1023, 1024, 1025, 3000)


def numbers(length, dtype=float):
    random = np.random.default_rng(length)
    return random.uniform(1.0, 2.0, length).astype(dtype), random.uniform(0.5, 1.5, length).astype(dtype)


def pieces(program):
    """Return how many statements of each loop over pieces are nests or loops, and how many arrays of a piece there are."""
    inside = [
        sum(isinstance(inner, (Nest, Fused, For)) for inner in statement.body)
        for statement in program
        if isinstance(statement, For) and statement.is_apart
    ]
    return inside, sum(isinstance(s, Allocate) and s.buffer.source == "scratch" for s in program)


def fraction(a, x):
    """A continued fraction, between what it starts from and what becomes of it."""
    b = np.sqrt(a + x)
    f = np.zeros_like(x)
    for k in range(20, 0, -1):
        f = k * (a - k) / (b + 2 * k + f)
    return b * f + a


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
def test_what_goes_with_a_loop_over_pieces_is_run_with_it(scheduled, dtype):
    for length in LENGTHS:
        program = scheduled(fraction, *numbers(length, dtype))
        ((members,), short) = pieces(program)
        assert members >= 3 and short == 2 and program.made == 0


def test_views_and_strides_are_read_as_they_lie(scheduled):
    a, x = numbers(6001)
    pieces_of = [pieces(scheduled(fraction, *given)) for given in ((a[::2], x[::-2]), (a[1:], x[:-1]))]
    assert all(short == 2 for _, short in pieces_of)


def test_loops_in_a_row_are_one(scheduled):
    def function(a, x):
        f = np.zeros_like(x)
        for k in range(40):
            f = f * x / 2.0 + k
        g = np.exp(f / 1e6) + a
        for k in range(30):
            g = g / a - k
        return f * g

    for length in LENGTHS:
        ((_,), short) = pieces(scheduled(function, *numbers(length)))
        assert short == 2


def test_what_is_wanted_later_is_kept(scheduled):
    def function(a, x):
        b = a * x
        f = np.zeros_like(x)
        for k in range(40):
            f = f * b + k
        y = f - b
        return y, b[::-1].copy(), f.sum()

    for length in LENGTHS[1:]:
        scheduled(function, *numbers(length))


def test_what_looks_at_neighbours_is_not(scheduled):
    def function(a, x):
        b = np.sqrt(a + x)
        f = np.zeros_like(x)
        for k in range(40):
            f = f * b + k
        g = np.empty_like(f)
        g[:-1] = f[1:] - f[:-1]
        g[-1] = f[0]
        return g

    for length in LENGTHS[1:]:
        scheduled(function, *numbers(length))


def test_what_is_stored_over_arguments_is_in_order(scheduled):
    def function(a, x):
        a += x
        for k in range(40):
            x *= a
            x -= k * a
        a[:] = a * x + 1.0
        return a[3] + x[2]

    for length in LENGTHS[2:]:
        scheduled(function, *numbers(length))


def test_a_number_that_is_read_between_is_what_it_was(scheduled):
    def function(a, x):
        b = a * x
        first = b[0]
        f = np.zeros_like(x)
        for _ in range(40):
            f = f * b + first
        last = f[-1]
        return f * b + last

    for length in LENGTHS[1:]:
        scheduled(function, *numbers(length))


def test_a_call_that_is_left_between_is_made_by_the_original(scheduled):
    def function(a, x, k):
        a *= 2.0
        if k < 0:
            raise ValueError("k")
        for j in range(40):
            x *= a
            x += j
        return a + x

    scheduled(function, *numbers(2000), 3)
    a, x = numbers(2000)
    with pytest.raises(ValueError, match="k"):
        transpile.convert(function, strict=True)(a, x, -1)
    assert np.array_equal(a, numbers(2000)[0] * 2.0)


def test_turns_of_a_loop_around_have_their_own(scheduled):
    def function(a, x):
        total = np.zeros_like(a)
        for turn in range(3):
            b = np.sqrt(a + turn)
            f = np.zeros_like(x)
            for k in range(40):
                f = f * b / 3.0 + k
            total += f * b
        return total

    for length in LENGTHS:
        scheduled(function, *numbers(length))


def test_threads_have_pieces_of_their_own(scheduled):
    def function(a, x):
        b = np.exp(a - x)
        f = np.zeros_like(x)
        for k in range(60, 0, -1):
            f = k * (a - k) / (b + 2 * k + f)
        return np.log(b * f * f) + a

    program = scheduled(function, *numbers(200_001))
    ((spread,), (_, short)) = (
        [s.spread for s in program if isinstance(s, For) and s.is_apart],
        pieces(program),
    )
    assert spread is not None and short == 2
