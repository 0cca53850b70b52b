"""What is stored inside memory that is filled, and read at the same place once, is never stored; and nothing else is left out."""

import itertools
import warnings

import numpy as np
import pytest

import transpile
from transpile.devices.loops import follow, skew, stages
from transpile.devices.loops.accesses import accesses
from transpile.devices.loops.buffer import Buffer
from transpile.devices.loops.statement import For

SHAPES = ((0, 0), (0, 9), (2, 2), (3, 40), (4, 33), (5, 5), (9, 64), (40, 3), (23, 33))


@pytest.fixture(autouse=True, params=["all", "one"])
def anywhere(nothing_kept, monkeypatch, request):
    """Go row by row however small arrays are, with several turns together, or one."""
    for module, name, value in (
        (skew, "_LARGE", 1 << 60 if request.param == "one" else 0),
        (follow, "_LARGE", 0),
        (follow, "_LINES", 2),
        (follow, "_LARGER", 0),
        (follow, "_RENEWED", 0),
        (stages, "_LONG", 2),
        (stages, "_LINE", 16),
    ):
        monkeypatch.setattr(module, name, value)


def field(shape, dtype=np.float64):
    return np.sin(np.arange(float(np.prod(shape)))).reshape(shape).astype(dtype)


def in_rows(found, name):
    """Whether a loop over rows uses memory of this name."""
    rows = [statement for statement in found if isinstance(statement, For) and statement.in_order]
    assert rows
    return any(
        isinstance(part, Buffer) and part.name.rstrip("_0123456789") == name for part in accesses(*rows).uses
    )


def curved(p, out):
    out[1:-1, 2:-2] = p[:-2, 2:-2] + p[2:, 2:-2] - 4.0 * p[1:-1, 2:-2]
    out[1:-1, 2:-2] += p[1:-1, 1:-3] + p[1:-1, 3:-1] * p[1:-1, 4:]
    return out


def waves(a, steps, rim):
    old, now = a * 0.5, a.copy()
    bend = np.full(a.shape, rim)
    for _ in range(steps):
        curved(now, bend)
        new = (2.0 * now - old + 0.1 * bend) * 0.99
        old = now * 0.99
        now = new
    return old, now


def anew(a, steps, rim):
    now, last = a.copy(), a * 0.25
    for _ in range(steps):
        bend = np.full(a.shape, rim)
        bend[1:-1, 2:-1] = now[:-2, 2:-1] - now[2:, 1:-2] * 0.5
        last = now * 0.5 - bend * last
        now, last = last, now
    return now, last


def zeros(a, steps, rim):
    now, last = a.copy(), a * 0.25
    for _ in range(steps):
        bend = np.zeros_like(a)
        bend[1:-1, 1:-1] = now[:-2, 1:-1] + now[2:, 1:-1] - 2.0 * now[1:-1, 1:-1]
        last = now + 0.1 * bend * bend + rim * last
        now, last = last, now
    return now, last


def along(a, steps, rim):
    now, last = a.copy(), a * 0.25
    bend = np.full(a.shape, rim)
    for step in range(steps):
        bend[:, 1:-1] = now[:, 2:] - now[:, :-2]
        last = last + bend * step
        now, last = last, now
    return now, last


def across(a, steps, rim):
    now, last = a.copy(), a * 0.25
    bend = np.full(a.shape, rim)
    for step in range(steps):
        bend[3:] = now[3:] - now[:-3]
        last = last + bend * step
        now, last = last, now
    return now, last


def followed(a, steps, rim):
    bend = np.full(a.shape, rim)
    now, last = a.copy(), a * 0.25
    for _ in range(steps):
        bend[1:-1, 1:-1] = now[:-2, 1:-1] - now[2:, 1:-1]
        last = np.where(bend > 0.0, last * bend, now)
        now = now + last
    return now, last


CONTRACTED = (waves, anew, zeros, along, across)


def in_place(a, steps, rim):
    bend = np.full(a.shape, rim)
    for _ in range(steps):
        bend[1:-1, 1:-1] = a[:-2, 1:-1] + a[2:, 1:-1]
        a += 0.1 * bend


def beside(a, steps, rim):
    now = a.copy()
    bend = np.full(a.shape, rim)
    for _ in range(steps):
        bend[1:-1, 1:-1] = now[:-2, 1:-1] - now[2:, 1:-1]
        now[:-1] = now[1:] - 0.5 * bend[1:]
    return now


def twice(a, steps, rim):
    now, more = a.copy(), a.copy()
    bend = np.full(a.shape, rim)
    for _ in range(steps):
        bend[1:-1, 1:-1] = now[:-2, 1:-1] - now[2:, 1:-1]
        more[1:-1, 1:-1] -= bend[2:, 1:-1]
        now = now * 0.5 - bend
    return now, more


def returned(a, steps, rim):
    now = a.copy()
    bend = np.full(a.shape, rim)
    for _ in range(steps):
        bend[1:-1, 1:-1] = now[:-2, 1:-1] - now[2:, 1:-1]
        now = now * 0.5 - bend
    return now, bend


def turned(a, steps, rim):
    now = a.copy()
    bend = np.full(a.T.shape, rim)
    for _ in range(steps):
        bend[1:-1, 1:-1] = now.T[:-2, 1:-1] - now.T[2:, 1:-1]
        now = now * 0.5 - bend.T
    return now


def varied(a, steps, rim):
    now = a.copy()
    bend = np.full(a.shape, rim)
    for step in range(steps):
        bend[1:-1, 1:-1] = now[:-2, 1:-1] - now[2:, 1:-1]
        now = now * 0.5 - bend
        bend[0] = step
    return now


KEPT = (in_place, beside, twice, returned, varied, followed)


@pytest.mark.parametrize("function", CONTRACTED)
@pytest.mark.parametrize("parallel", [True, False])
def test_nothing_is_stored_that_is_read_once(scheduled, function, parallel):
    for steps, rim in ((0, 0.0), (1, 1.5), (4, -0.0), (9, 0.25)):
        found = scheduled(function, field((23, 40)), steps, rim, parallel=parallel)
        assert not in_rows(found, "bend")


@pytest.mark.parametrize("function", (*CONTRACTED, *KEPT, turned))
def test_sizes(scheduled, function):
    for shape, steps in itertools.product(SHAPES, (1, 10)):
        if min(shape) >= 4 or function not in (across, waves, varied):
            scheduled(function, field(shape), steps, 0.5)
    scheduled(function, field((64, 66))[::2, ::-1], 3, 0.5)
    scheduled(function, field((40, 23)).T, 3, 0.5)


@pytest.mark.parametrize("function", KEPT)
def test_what_else_is_read_is_stored(scheduled, function):
    assert in_rows(scheduled(function, field((23, 40)), 4, 0.25, parallel=False), "bend")


def test_three_axes(scheduled):
    def solid(a, steps):
        now, last = a.copy(), a * 0.25
        bend = np.zeros_like(a)
        for _ in range(steps):
            bend[1:-1, 1:-1, 2:] = now[2:, 1:-1, 2:] - now[:-2, 1:-1, 1:-1] * now[1:-1, 2:, :-2]
            last = last * 0.5 + bend
            now, last = last, now
        return now, last

    for shape in ((9, 8, 33), (2, 2, 2), (3, 5, 4), (0, 4, 4)):
        for steps in (1, 5):
            scheduled(solid, field(shape), steps, parallel=False)
    assert not in_rows(scheduled(solid, field((9, 8, 33)), 3, parallel=False), "bend")


def test_other_numbers(scheduled):
    for dtype in (np.float32, np.int16, np.complex128, np.bool_):

        def function(a, steps):
            now, last = a.copy(), a.copy()
            bend = np.ones_like(a)
            for _ in range(steps):
                bend[1:-1, 1:-1] = now[2:, 1:-1] * now[1:-1, 2:]
                last = last * bend
                now, last = last, now
            return now, last

        for steps in (1, 4):
            assert not in_rows(scheduled(function, field((23, 40), dtype), steps, parallel=False), "bend")


def test_numbers_that_are_found_before_each_element_stay_before(scheduled):
    def both(a, steps):
        now, last = a.copy(), a * 0.5
        bend = np.zeros_like(a)
        for _ in range(steps):
            bend[1:-1, 1:-1] = now[2:, 1:-1] - now[1:-1, 2:]
            part = np.cos(last) * 0.5
            last = part + bend
            now = part * now
        return now, last

    for steps in (1, 4, 9):
        scheduled(both, field((23, 40)), steps)
        scheduled(both, field((23, 40)), steps, parallel=False)


def test_errors_are_told_of_as_by_numpy():
    def function(a, steps):
        now, last = a.copy(), a * 2.0
        bend = np.zeros_like(a)
        for _ in range(steps):
            bend[1:-1, 1:-1] = now[2:, 1:-1] - now[:-2, 1:-1]
            last = last * 2.0 + bend * now
            now, last = last, now
        return now, last

    for place in ((0, 5), (7, 0), (12, 20), (22, 39)):
        for number in (np.inf, 1e308):
            a = field((23, 40))
            a[place] = number
            told = []
            for way in (function, transpile.convert(function, strict=True)):
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    told.append(
                        (
                            [part.tobytes() for part in way(a.copy(), 4)],
                            sorted(str(w.message) for w in caught),
                        )
                    )
            assert told[0] == told[1]
            with np.errstate(all="raise"):
                for way in (function, transpile.convert(function)):
                    with pytest.raises(FloatingPointError):
                        way(a.copy(), 4)


def test_what_was_done_before_an_exception_is_there():
    def function(a, steps, record):
        old, now = a, a * 0.5
        bend = np.zeros_like(a)
        for step in range(steps):
            bend[1:-1, 1:-1] = now[2:, 1:-1] - now[:-2, 1:-1]
            old[:] = now + bend * old
            old, now = now, old
            record[step] = now[3]

    for steps in (3, 7):
        outcomes = []
        for way in (function, transpile.convert(function)):
            a, record = field((23, 40)), np.zeros((5, 40))
            raised = None
            try:
                way(a, steps, record)
            except IndexError as error:
                raised = str(error)
            outcomes.append((a.tobytes(), record.tobytes(), raised))
        assert outcomes[0] == outcomes[1]


def test_arrays_that_are_one(scheduled):
    def function(a, b, steps):
        bend = np.zeros_like(a)
        for _ in range(steps):
            bend[1:-1, 1:-1] = a[2:, 1:-1] - a[:-2, 1:-1]
            b[:] = a * 0.5 + bend

    a = field((23, 40))
    scheduled(function, a, a.copy(), 3)
    for given in ("same", "shifted"):
        outcomes = []
        for way in (function, transpile.convert(function)):
            whole = field((24, 40))
            one, other = whole[:-1], whole[:-1] if given == "same" else whole[1:]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", transpile.FallbackWarning)
                way(one, other, 3)
            outcomes.append(whole.tobytes())
        assert outcomes[0] == outcomes[1]
