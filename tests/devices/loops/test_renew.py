"""Memory that is made before a loop, of which a turn wants nothing that an earlier one stored, is a ring of rows; all else is kept."""

import numpy as np
import pytest

from transpile.devices.loops import follow
from transpile.devices.loops.statement import Allocate

WIDE = np.sin(np.arange(23.0 * 31.0)).reshape(23, 31)


@pytest.fixture(autouse=True)
def anywhere(monkeypatch):
    """Keep a few rows wherever rows are long."""
    monkeypatch.setattr(follow, "_RENEWED", 0)


def rings(found):
    """The lengths of rings: how many rows are kept where rows are long."""
    return [s.buffer.dims[0] for s in found if isinstance(s, Allocate) and isinstance(s.buffer.dims[0], int)]


def rims_are_read(u, steps, rim):
    bend = np.full(u.shape, rim)
    for _ in range(steps):
        bend[1:-1, 1:-1] = u[2:, 1:-1] + u[:-2, 1:-1] - 2.0 * u[1:-1, 1:-1]
        bend[1:-1, 1:-1] += u[1:-1, 2:] + u[1:-1, :-2] - 2.0 * u[1:-1, 1:-1]
        u += 0.1 * bend


def rims_are_not_read(u, steps):
    bend = np.empty_like(u)
    for _ in range(steps):
        bend[1:-1, 1:-1] = u[2:, 1:-1] + u[:-2, 1:-1] - 2.0 * u[1:-1, 1:-1]
        u[1:-1, 1:-1] += 0.1 * bend[1:-1, 1:-1]


def zeros_are_not_read(u, steps):
    bend = np.zeros_like(u)
    count = 0
    while count < steps:
        bend[1:-1, 2:-2] = u[2:, 2:-2] + u[:-2, 2:-2] - 2.0 * u[1:-1, 3:-1]
        u[2:-2, 3:-3] += 0.1 * bend[2:-2, 3:-3] + 0.05 * bend[3:-1, 3:-3]
        count += 1
    return count


@pytest.mark.parametrize("steps", [0, 1, 4])
def test_rims_that_are_read_are_stored_anew(scheduled, steps):
    for rim in (0.0, 1.5):
        assert rings(scheduled(rims_are_read, WIDE.copy(), steps, rim)) == [16]
    scheduled(rims_are_read, WIDE[:, :5].copy(), steps, 2.0)
    scheduled(rims_are_read, WIDE[:3].copy(), steps, 2.0)


@pytest.mark.parametrize("steps", [0, 1, 4])
def test_where_nothing_else_is_read_nothing_is_stored_before(scheduled, steps):
    assert rings(scheduled(rims_are_not_read, WIDE.copy(), steps)) == [16]
    assert rings(scheduled(zeros_are_not_read, WIDE.copy(), steps)) == [2]


def test_rims_of_the_second_of_two_arrays(scheduled):
    def staggered(p, steps):
        vx = np.zeros_like(p)
        for _ in range(steps):
            flow = np.zeros_like(p)
            vx[:, 1:] -= 0.5 * (p[:, 1:] - p[:, :-1])
            flow[:, :-1] = vx[:, 1:] - vx[:, :-1]
            p -= 0.5 * flow
        return vx

    scheduled(staggered, WIDE.copy(), 3)


def history(u, steps):
    kept = np.zeros((9, *u.shape))
    total = np.zeros_like(u)
    for step in range(steps):
        kept[step, 1:-1] = u[2:] + u[:-2] * step
        total[1:-1] += kept[0, 1:-1] + kept[step, 1:-1]
        u += 0.1 * total
    return total


def wanted_after(u, steps):
    bend = np.zeros_like(u)
    for _ in range(steps):
        bend[1:-1, 1:-1] = u[2:, 1:-1] + u[:-2, 1:-1]
        u += 0.1 * bend
    return bend


def wanted_next_turn(u, steps):
    bend = np.zeros_like(u)
    for _ in range(steps):
        u += 0.1 * bend
        bend[1:-1, 1:-1] = u[2:, 1:-1] + u[:-2, 1:-1]


def adds_up(u, steps):
    bend = np.zeros_like(u)
    for _ in range(steps):
        bend[1:-1, 1:-1] += u[2:, 1:-1] + u[:-2, 1:-1]
        u += 0.1 * bend


def at_times(u, steps):
    bend = np.zeros_like(u)
    for step in range(steps):
        if step % 2 == 0:
            bend[1:-1, 1:-1] = u[2:, 1:-1] + u[:-2, 1:-1]
        u += 0.1 * bend


def other_parts(u, steps):
    bend = np.zeros_like(u)
    for _ in range(steps):
        bend[1:-1, 1:-1] = u[2:, 1:-1] + u[:-2, 1:-1]
        u += 0.1 * bend
        bend[:, 0] = u[:, 1]


def parts_that_move(u, steps):
    bend = np.zeros_like(u)
    for step in range(steps):
        bend[1 + step : -1, 1:-1] = u[2 + step :, 1:-1] + u[: -2 - step, 1:-1]
        u += 0.1 * bend


def not_all_alike(u, steps):
    bend = u * 0.5
    for _ in range(steps):
        bend[1:-1, 1:-1] = u[2:, 1:-1] + u[:-2, 1:-1]
        u += 0.1 * bend


def filled_again(u, times, steps):
    total = 0.0
    for time in range(times):
        bend = np.full_like(u, float(time))
        for _ in range(steps):
            bend[1:-1, 1:-1] = u[2:, 1:-1] + u[:-2, 1:-1]
            u += 0.1 * bend
        total += u[0, 0]
    return total


@pytest.mark.parametrize(
    "function",
    [
        history,
        wanted_after,
        wanted_next_turn,
        adds_up,
        at_times,
        other_parts,
        parts_that_move,
        not_all_alike,
    ],
)
def test_what_is_wanted_is_kept(scheduled, function):
    for steps in (0, 1, 2, 5):
        scheduled(function, WIDE.copy(), steps)


def test_what_an_outer_loop_makes_is_made_anew_in_an_inner_one(scheduled):
    for times, steps in ((0, 1), (1, 2), (3, 3)):
        scheduled(filled_again, WIDE.copy(), times, steps)
