"""Loops along long rows of memory of the kernel's own begin where lines of the cache do, and do what they did."""

import numpy as np
import pytest

from transpile.devices.loops import follow, peel, skew
from transpile.devices.loops.statement import Let


@pytest.fixture(autouse=True)
def anywhere(nothing_kept, monkeypatch):
    """Go row by row however few there are, and peel what is as long as a line of bytes."""
    for module, name, value in ((skew, "_LARGE", 0), (follow, "_RENEWED", 0), (peel, "_LONG", 64)):
        monkeypatch.setattr(module, name, value)


def field(shape, dtype=np.float64):
    return (np.sin(np.arange(float(np.prod(shape)))) * 50.0).reshape(shape).astype(dtype)


def is_peeled(found):
    """Whether the first turns of a loop are by themselves."""
    return any(isinstance(statement, Let) and statement.value.name == "lead" for statement in found)


def leaping(a, steps):
    now, last = a.copy(), a + a
    bend = np.zeros_like(a)
    for _ in range(steps):
        bend[1:-1, 1:-1] = now[2:, 1:-1] - now[:-2, 1:-1] + now[1:-1, 2:] - now[1:-1, :-2]
        last = last - bend + now
        now, last = last, now
    return now, last


def columns(a, steps):
    now, last = a.copy(), a + a
    bend = np.zeros_like(a)
    for _ in range(steps):
        bend[:, 3:-2] = now[:, 3:-2] - last[:, 3:-2] + now[:, 4:-1] - now[:, :-5]
        last = last - bend + now
        now, last = last, now
    return now, last


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16, np.complex128, np.uint8])
def test_rows_of_all_lengths(scheduled, dtype):
    for width in (5, 63, 64, 65, 66, 67, 127, 128, 129, 130, 131, 135, 200, 257):
        assert is_peeled(scheduled(leaping, field((7, width), dtype), 5, parallel=False))
    scheduled(leaping, field((2, 2), dtype), 5, parallel=False)


def test_where_turns_run_by_threads(scheduled):
    for width in (64, 130, 131):
        scheduled(leaping, field((9, width)), 4, parallel=True)


def test_rims_of_columns(scheduled):
    for width in (5, 64, 70, 133, 141):
        scheduled(columns, field((7, width)), 4, parallel=False)


def test_short_rows_are_left_as_they_are(scheduled):
    def narrow(a, steps):
        now, last = np.zeros((len(a), 40)), np.zeros((len(a), 40))
        now[:] = a
        bend = np.zeros_like(now)
        for _ in range(steps):
            bend[1:-1, 1:-1] = now[2:, 1:-1] - now[:-2, 1:-1] + now[1:-1, 2:] - now[1:-1, :-2]
            last = last - bend + now
            now, last = last, now
        return now, last

    assert not is_peeled(scheduled(narrow, field((300, 40)), 4, parallel=False))


def test_what_reads_little_is_left_as_it_is(scheduled):
    def light(a, steps):
        now = a.copy()
        for _ in range(steps):
            now[1:] = now[:-1] + 1.0
        return now

    assert not is_peeled(scheduled(light, field((40, 130)), 4, parallel=False))


def test_memory_of_others_begins_anywhere(scheduled):
    def given(a, b, steps):
        bend = np.zeros_like(a)
        for _ in range(steps):
            bend[1:-1, 1:-1] = a[2:, 1:-1] - a[:-2, 1:-1] + a[1:-1, 2:] - a[1:-1, :-2]
            b[:] = b - bend + a

    assert not is_peeled(scheduled(given, field((9, 130)), field((9, 130)) * 0.5, 4, parallel=False))


def test_places_that_are_looked_up_are_left_as_they_are(scheduled):
    def scattered(a, order, steps):
        now, last = a.copy(), a + a
        bend = np.zeros_like(a)
        for step in range(steps):
            bend[1:-1, 1:-1] = now[2:, 1:-1] - now[:-2, 1:-1] + now[1:-1, 2:] - now[1:-1, :-2]
            last = last - bend + now
            last[order[step], 1:] = (
                now[order[step], 1:] + last[0, 1:] - last[1, :-1] + bend[2, 1:] * last[3, 1:]
            )
            now, last = last, now
        return now, last

    scheduled(scattered, field((9, 130)), np.array([3, 1, 8, 0]), 4, parallel=False)


def test_functions_are_called_as_they_were(scheduled):
    def called(a, steps):
        now, last = a.copy(), a + a
        bend = np.zeros_like(a)
        for _ in range(steps):
            bend[1:-1, 1:-1] = np.cos(now[2:, 1:-1]) - now[:-2, 1:-1] + now[1:-1, 2:] - now[1:-1, :-2]
            last = last - np.sin(bend) + now
            now, last = last, now
        return now, last

    for width in (64, 130, 131):
        assert not is_peeled(scheduled(called, field((9, width)), 4, parallel=False))
