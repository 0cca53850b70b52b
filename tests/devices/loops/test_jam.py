"""Several steps over the same elements are run at a time, and give what one after the other gives."""

import numpy as np
import pytest

from transpile.devices.loops.expression import Constant
from transpile.devices.loops.statement import For, Fused

TURNS = (0, 1, 2, 3, 4, 5, 8, 11)


def numbers(length, dtype=float):
    return (np.sin(np.arange(length) * 1.7) * 3.0).astype(dtype)


def jammed(program):
    """How many loops take several steps at a time."""
    return sum(
        isinstance(s, For) and getattr(s.step, "value", None) in (4, -4) and isinstance(s.body[-1], Fused)
        for s in program
    )


def blur(x, weights):
    count = len(x) - len(weights)
    return sum(weight * x[k : k + count] for k, weight in enumerate(weights))


def horner(x, c):
    y = np.zeros_like(x)
    for k in range(len(c) - 1, -1, -1):
        y = y * x + c[k]
    return y


@pytest.mark.parametrize("function", [blur, horner])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128, np.int16, np.int64])
def test_sums_and_polynomials(scheduled, function, dtype):
    for turns in TURNS[function is blur :]:
        for shape in ((40,), (1500,), (20, 7), (15, 90)):
            given = numbers(int(np.prod(shape)), dtype).reshape(shape)
            found = scheduled(function, given, numbers(turns, dtype))
            assert jammed(found) or turns < 3


def test_steps_up_and_down_from_anywhere(scheduled):
    def function(x, first, last):
        y = x * 0.5
        for k in range(first, last):
            y = y * 0.75 + k * x
        for k in range(last, first, -1):
            y -= x * k
        return y

    for first, last in ((-3, 4), (0, 0), (5, 2), (-9, -1), (1, 12)):
        assert jammed(scheduled(function, numbers(50), first, last)) == 2


def test_numbers_of_steps_that_are_known(scheduled):
    def function(x):
        y = x * 2.0
        for k in range(3, 23):
            y = y * 0.5 + k
        for k in range(-1, -20, -1):
            y = y * k - x
        return y

    found = scheduled(function, numbers(50))
    loops = [s for s in found if isinstance(s, For) and isinstance(s.stop, Constant)]
    steps = [(s.start.value, s.stop.value, s.step.value) for s in loops]
    assert steps == [(3, 23, 4), (-1, -17, -4), (-17, -20, -1)]


def test_several_sums_go_together(scheduled):
    def function(x, c):
        s, t = np.zeros_like(x), np.ones_like(x)
        for k in range(len(c)):
            s = s + c[k] * x
            t = t - s * x
        return s, t

    for turns in TURNS:
        found = scheduled(function, numbers(40), numbers(turns))
        assert jammed(found) == (turns != 1)


def test_arguments_are_stored_over(scheduled):
    def function(x, y, c):
        for k in range(len(c)):
            y += c[k] * x[k : k + len(y)]

    for turns in TURNS:
        found = scheduled(function, numbers(40), numbers(20), numbers(turns))
        assert jammed(found) == (turns != 1)


def test_steps_that_look_elsewhere_stay_in_order(scheduled):
    def neighbours(x, c):
        for k in range(len(c)):
            x[1:] += c[k] * x[:-1]

    def itself(x, c):
        for k in range(len(c)):
            x += c[k] * x[k]

    def factors(x, c):
        for k in range(len(c)):
            c[1:] += c[k] * x[: len(c) - 1]

    for function in (neighbours, itself, factors):
        for turns in TURNS[1:]:
            assert jammed(scheduled(function, numbers(40), numbers(turns))) == 0


def test_a_step_that_goes_further_than_the_one_before_is_by_itself(scheduled):
    def function(x, turns):
        for k in range(turns):
            x[:k] = x[:k] * 0.5 + 1.0
            x[k + 1 :] += 2.0

    for turns in TURNS:
        assert jammed(scheduled(function, numbers(20), turns)) == 0


def test_numbers_that_steps_find(scheduled):
    def function(x, c):
        y = np.zeros_like(x)
        for k in range(len(c) - 1):
            weight = c[k] - c[k + 1] if k != 2 else c[0] * k
            y = y + weight * (x - k)
        return y

    for turns in TURNS[1:]:
        scheduled(function, numbers(40), numbers(turns))


def test_what_takes_long_is_done_one_step_at_a_time(scheduled):
    def function(x, turns):
        y = np.zeros_like(x)
        for k in range(turns):
            y = y + x / (k + 1.0)
        return y

    assert jammed(scheduled(function, numbers(40), 7)) == 0


def test_truth_and_the_larger_of_two(scheduled):
    def dilated(x, turns):
        y = x[: len(x) - turns].copy()
        for k in range(1, turns):
            y = np.maximum(y, x[k : k + len(y)])
        return y

    def counted(x, turns):
        y = np.zeros(len(x) - turns, np.int64)
        for k in range(turns):
            y += x[k : k + len(y)] > 0.0
        return y

    for turns in TURNS:
        assert jammed(scheduled(dilated, numbers(40) > 0.0, turns)) == 1
        assert jammed(scheduled(dilated, numbers(40), turns)) == 0
        assert jammed(scheduled(counted, numbers(40), turns)) == 1


def test_overflow_is_told(scheduled):
    with pytest.warns(RuntimeWarning, match="overflow encountered in multiply"):
        scheduled(horner, numbers(40) * 1e200, numbers(11))
