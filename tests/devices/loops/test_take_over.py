"""What a turn of a loop makes lies in memory that it is the last to read, and nobody's values are lost."""

import numpy as np
import pytest

FIELD = np.sin(np.arange(9.0 * 11.0)).reshape(9, 11)


def made(found):
    """How many arrays a kernel makes."""
    return found.made


def bend(u):
    found = np.zeros_like(u)
    found[1:-1, 1:-1] = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
    return found


def leapfrog(u, steps):
    old = u.copy()
    now = u * 0.5
    for _ in range(steps):
        new = 2.0 * now - old + 0.1 * bend(now)
        old = now
        now = new
    return now, old


def damped(u, steps):
    old = np.zeros_like(u)
    now = u + 1.0
    for _ in range(steps):
        turned = bend(now)
        new = (2.0 * now - old + turned) * 0.5
        old = now * 0.25
        now = new
    return float(now.sum() - old.sum())


def until(u, most):
    old = u * 1.0
    now = u * 0.5
    count = 0
    while now[3, 4] < most and count < 20:
        new = 2.0 * now - old + 0.1 * bend(now)
        new[2, 3] += 1.0
        old, now = now, new
        count += 1
    return now, count


@pytest.mark.parametrize("steps", [0, 1, 2, 5])
def test_states_of_three_levels_lie_in_two_arrays(scheduled, steps):
    # What the stencil gives lies nowhere: its reader computes it.
    assert made(scheduled(leapfrog, FIELD, steps)) == 3


@pytest.mark.parametrize("steps", [0, 1, 4])
def test_each_old_state_is_taken_over_by_what_may_lie_there(scheduled, steps):
    assert made(scheduled(damped, FIELD, steps)) == 3


@pytest.mark.parametrize("most", [-9.0, 3.0, 1e9])
def test_loops_on_a_test_take_over(scheduled, most):
    assert made(scheduled(until, FIELD, most)) == 3


def test_the_callers_arrays_stay_as_they_are(scheduled):
    def handed_in(old, now, steps):
        for _ in range(steps):
            new = 2.0 * now - old
            old = now
            now = new
        return now

    scheduled(handed_in, FIELD, FIELD * 0.5, 4)
    scheduled(handed_in, FIELD, FIELD * 0.5, 1)


def test_what_is_wanted_later_stays_as_it_is(scheduled):
    def first(u, steps):
        start = u * 2.0
        old, now = start, u * 0.5
        for _ in range(steps):
            new = 2.0 * now - old
            old = now
            now = new
        return now.sum() + start.sum()

    def read_later(u, steps):
        old, now = u * 2.0, u * 0.5
        total = 0.0
        for _ in range(steps):
            new = 2.0 * now - old
            total += (old[::-1] * new).sum()
            old = now
            now = new
        return now, total

    def read_beside(u, steps):
        old, now = u * 2.0, u * 0.5
        for _ in range(steps):
            new = 2.0 * now - old[:, ::-1]
            old = now
            now = new
        return now

    def both(u, steps):
        old = now = u * 2.0
        for _ in range(steps):
            new = 2.0 * now - 0.5 * old
            old = now
            now = new
        return now - old

    def kept(u, steps):
        old, now, last = u * 2.0, u * 0.5, u * 0.0
        for _ in range(steps):
            new = 2.0 * now - 0.5 * old
            last = old
            old = now
            now = new
        return now, old, last

    def at_times(u, steps):
        old, now = u * 2.0, u * 0.5
        for step in range(steps):
            new = 2.0 * now - 0.5 * old
            if step % 2:
                new = old
            old = now
            now = new
        return now - old

    for function in (first, read_later, read_beside, both, kept, at_times):
        for steps in (0, 1, 2, 3, 6):
            scheduled(function, FIELD, steps)


def test_loops_inside_loops_take_over(scheduled):
    def again(u, times, steps):
        total = 0.0
        for time in range(times):
            old, now = u * time, u * 0.5
            for _ in range(steps):
                new = 2.0 * now - old + 0.1 * bend(now)
                old = now
                now = new
            total += now.sum()
        return total

    def carried_on(u, times, steps):
        old, now = u * 2.0, u * 0.5
        for _ in range(times):
            for _ in range(steps):
                new = 2.0 * now - old + 0.1 * bend(now)
                old = now
                now = new
            now = now * 0.5
        return now - old

    for function in (again, carried_on):
        for times, steps in ((0, 2), (1, 1), (2, 3), (3, 0)):
            scheduled(function, FIELD, times, steps)
