"""Turns of a loop over time that run together, each some rows behind the one before, give what NumPy gives."""

import itertools
import warnings

import numpy as np
import pytest

import transpile
from transpile.devices.loops import follow, skew, stages
from transpile.devices.loops.statement import For

from .test_follow import residuals

STEPS = (0, 1, 2, 7, 8, 9, 17)
SHAPES = ((2, 40), (3, 33), (4, 40), (9, 64), (23, 33), (60, 70))


@pytest.fixture(autouse=True, params=["all", "few", "one", "none"])
def anywhere(nothing_kept, monkeypatch, request):
    """Run so many turns together, however small arrays are, or none over rows."""
    how = request.param
    for module, name, value in (
        (skew, "_LARGE", 1 << 60 if how == "one" else 0),
        (skew, "_NEAR", 4000 if how == "few" else 1 << 22),
        (follow, "_LARGE", 0),
        (follow, "_LINES", 2),
        (follow, "_LARGER", 0),
        (follow, "_RENEWED", 0),
        (stages, "_LONG", 1 << 20 if how == "none" else 2),
        (stages, "_LINE", 16),
    ):
        monkeypatch.setattr(module, name, value)


def field(shape, dtype=np.float64):
    return np.sin(np.arange(float(np.prod(shape)))).reshape(shape).astype(dtype)


def runs_together(found):
    """Whether turns run together: there is a loop over them in one over rows."""
    loops = [statement for statement in found if isinstance(statement, For)]
    return any(
        loop.in_order and any(isinstance(inner, For) and inner.index.name == "turn" for inner in loop.body)
        for loop in loops
    )


def in_place(a, steps):
    for _ in range(steps):
        a[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])


def upwards(a, steps):
    for _ in range(steps):
        a[:-2] = 0.5 * (a[2:] + a[:-2])


def downwards(a, steps):
    for _ in range(steps):
        a[2:] = 0.5 * a[2:] + a[:-2]


def exchanged(a, steps):
    u, v = a.copy(), a.copy()
    for _ in range(steps):
        v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        u, v = v, u
    return u, v


def three_in_turn(a, steps):
    old, now, new = a.copy(), a * 0.5, np.zeros_like(a)
    for _ in range(steps):
        new[1:-1] = 2.0 * now[1:-1] - old[1:-1] + 0.1 * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        old, now, new = now, new, old
    return old, now, new


def made_anew(a, steps):
    old, now = np.zeros_like(a), a.copy()
    for _ in range(steps):
        new = 2.0 * now - old
        new[1:-1] += 0.1 * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        old, now = now, new
    return old, now


def numbers(a, steps):
    t, factor, found = 0.0, 1.0, np.zeros(steps)
    for step in range(steps):
        factor = np.cos(t) * factor + 0.01 * step
        a[1:-1] = 0.3 * (a[:-2] + a[2:]) * factor
        found[step] = factor + t
        t += 0.1
    return t, factor, found


def branches(a, steps):
    for step in range(2, steps):
        change = 0.1 * (a[2:] - a[:-2])
        if step % 3 == 0:
            change += 0.25
        a[1:-1] += change


def means(a, steps):
    found = np.empty((2, steps), a.dtype)
    for step in range(steps):
        a[1:-1] += 0.1 * (a[2:] - a[:-2])
        found[0, step] = a.mean()
        a *= 0.99
        found[1, step] = a.sum() + step
    return found


def sums_of_exchanged(a, steps):
    u, v = a.copy(), a.copy()
    found = np.zeros(steps)
    for step in range(steps):
        v[1:-1] = 0.5 * (u[:-2] + u[2:])
        found[step] = v.sum()
        u, v = v, u
    return u, v, found


def places(a, steps):
    rows, columns = a.shape
    record = np.zeros((steps, columns))
    first = np.zeros(steps)
    for step in range(steps):
        a[1:-1] += 0.1 * (a[2:] - a[:-2])
        a[rows // 2, 3] += np.sin(0.3 * step)
        record[step] = a[rows - 1] * 2.0
        first[step] = a[0, columns - 1]
    return record, first


def rims(a, steps):
    for step in range(steps):
        before = a.copy()
        a[1:-1, 1:-1] = 0.25 * (before[2:, 1:-1] + before[:-2, 1:-1] + before[1:-1, 2:] + before[1:-1, :-2])
        a[0] = 1.0 + step
        a[-1] = a[-2]
        a[:, 0] = a[:, 1]
        a[:, -1] = 2.0


def fluxes(a, steps):
    for _ in range(steps):
        flow = np.zeros((a.shape[0] + 1, a.shape[1]))
        flow[1:-1] = a[1:] - a[:-1]
        a += 0.1 * (flow[1:] - flow[:-1])


ALL = (
    in_place,
    upwards,
    downwards,
    exchanged,
    three_in_turn,
    made_anew,
    numbers,
    branches,
    means,
    residuals,
    sums_of_exchanged,
    places,
    rims,
    fluxes,
)


def gives_the_same(function, arrays, *others):
    """Compare what a function gives, and leaves in an array, with what NumPy does, for each of some arrays."""
    converted = transpile.convert(function, strict=True)
    for array, *more in itertools.product(arrays, *others):
        plain, compiled = array.copy(order="K"), array.copy(order="K")
        expected, found = function(plain, *more), converted(compiled, *more)
        given = expected if isinstance(expected, tuple) else (expected,)
        taken = found if isinstance(found, tuple) else (found,)
        for one, other in zip((*given, plain), (*taken, compiled), strict=True):
            assert np.asarray(one).tobytes() == np.asarray(other).tobytes(), (array.shape, more)


@pytest.mark.parametrize("function", ALL)
def test_turns_run_together(scheduled, function):
    assert runs_together(scheduled(function, field((23, 33)), 9))
    gives_the_same(function, map(field, SHAPES), STEPS)


@pytest.mark.parametrize("function", [in_place, means])
def test_other_dtypes(scheduled, function):
    for dtype in (np.float32, np.complex128):
        found = scheduled(function, field((23, 33), dtype), 9)
        assert runs_together(found) == (function is in_place or dtype == np.float32)
        gives_the_same(function, [field(shape, dtype) for shape in SHAPES], (0, 9))


def aliases(a, b, steps):
    for _ in range(steps):
        a[1:-1] = 0.5 * (b[2:] + b[:-2])
        b[1:-1] = 0.25 * (a[2:] + a[:-2])


def overlapping(a, steps):
    b = a[1:]
    for _ in range(steps):
        a[1:-1] = 0.5 * (a[2:] + a[:-2])
        b[1:-1] = 0.25 * (b[2:] + b[:-2])


def test_arrays_that_share_memory(scheduled):
    for steps in (1, 9):
        a = field((9, 40))
        scheduled(aliases, a, field((9, 40)) * 0.5, steps)
        scheduled(aliases, a, a, steps)
        scheduled(overlapping, a, steps)


def test_other_layouts(scheduled):
    for a in (np.asfortranarray(field((9, 40))), field((9, 80))[:, ::2], field((9, 40))[::-1]):
        for function in (in_place, means, exchanged):
            scheduled(function, a, 9)


def planes(a, steps):
    found = np.zeros(steps)
    for step in range(steps):
        a[1:-1, 1:-1, 1:-1] += 0.1 * (
            a[2:, 1:-1, 1:-1] + a[:-2, 1:-1, 1:-1] + a[1:-1, 2:, 1:-1] - 3.0 * a[1:-1, 1:-1, :-2]
        )
        found[step] = a.sum()
    return found


def test_planes_of_three_axes(scheduled):
    assert runs_together(scheduled(planes, field((9, 5, 17)), 9))
    gives_the_same(planes, map(field, ((3, 4, 20), (9, 5, 17), (2, 3, 16))), STEPS)


def shifted_by_time(a, steps):
    for step in range(steps):
        a[1:-1] = 0.5 * (a[2:] + a[:-2])
        a[step, 3] += 1.0


def looked_at_everywhere(a, steps):
    found = np.zeros(steps)
    for step in range(steps):
        a[1:-1] = 0.5 * (a[2:] + a[:-2])
        found[step] = a.max() + a.T[2].sum()
    return found


def until(a, steps):
    turns = 0
    for _ in range(steps):
        a[1:-1] = 0.5 * (a[2:] + a[:-2])
        turns += 1
        if a[2, 3] < 0.5:
            break
    return turns


def raises(a, steps):
    for step in range(steps):
        a[1:-1] = 0.5 * (a[2:] + a[:-2])
        if step == 20:
            raise ValueError(step)


def turned(a, steps):
    for _ in range(steps):
        a[1:-1, 1:-1] = 0.5 * (a[2:, 1:-1] + a.T[1:-1, 1:-1])


def of_the_turn_before(a, steps):
    most = 1.0
    for _ in range(steps):
        a[1:-1] = 0.5 * (a[2:] + a[:-2]) / most
        most = 1.0 + abs(a[2, 3])
    return most


@pytest.mark.parametrize(
    "function", [shifted_by_time, looked_at_everywhere, until, raises, turned, of_the_turn_before]
)
def test_turns_that_have_to_wait_run_one_after_the_other(scheduled, function):
    assert not runs_together(scheduled(function, field((20, 20)), 9))
    gives_the_same(function, [field((20, 20))], STEPS[1:])


def used_later(a, steps):
    total = 0.0
    for step in range(steps):
        a[1:-1] = 0.5 * (a[2:] + a[:-2])
        here = a[2, 3]
        a[3, 3] = here + 1.0
        if step % 2:
            total += here
    return total


def test_numbers_of_a_row_that_are_wanted_elsewhere():
    gives_the_same(used_later, [field((9, 40))], STEPS)


def test_integers_give_what_numpy_gives():
    def step(a, steps):
        found = np.zeros(steps, np.int64)
        for k in range(steps):
            new = (a[:-2] + a[2:] + k) & 63
            found[k] = new.max() * 3 + np.count_nonzero(new == 3)
            a[1:-1] = new
        return found

    gives_the_same(step, [np.arange(9 * 40).reshape(9, 40) % 11], STEPS)


def test_warnings_are_those_of_numpy():
    def step(a, steps):
        for _ in range(steps):
            a[1:-1] = 1e60 * (a[2:] * a[:-2])

    texts = []
    for function in (step, transpile.convert(step, strict=True)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            function(field((9, 40)) + 2.0, 9)
        texts.append([str(one.message) for one in caught])
    assert texts[0] == texts[1] and texts[0][0] == "overflow encountered in multiply"


def test_an_error_between_turns_leaves_what_numpy_leaves():
    def step(a, at, steps):
        for k in range(steps):
            a[1:-1] = 0.5 * (a[2:] + a[:-2])
            a[0] = a[at[k]]

    at = np.array([1, 2, 3, 99, 4])
    converted = transpile.convert(step, strict=True)
    for steps in (3, 5):
        plain, compiled = field((9, 40)), field((9, 40))
        for function, a in ((step, plain), (converted, compiled)):
            try:
                function(a, at, steps)
            except IndexError:
                assert steps == 5
        assert plain.tobytes() == compiled.tobytes()
