"""Calls that are left to the original after they have shown something: all is as if plain Python had run them, and is shown once."""

import contextlib
import io
import random
import sys
import threading
import time

import numpy as np
import pytest

from transpile import convert
from transpile.runtime.errors import StagingError

from .programs import Programs, check, name_of

programs = Programs()
DEVICES = ("host", "cpu")


def numbers(*rows):
    return [lambda row=row: row for row in rows]


def with_array(*rows):
    return [lambda row=row: (np.arange(4.0), *row) for row in rows]


@programs(*numbers((5,), (30,), (60,)))
def factorials(n):
    f = 1
    for k in range(1, n):
        f *= k
        print(k, f)
    return f


@programs(*numbers((10,), (120,)))
def fibonacci(n):
    a, b = 0, 1
    while n > 0:
        a, b = b, a + b
        print(f"{a:>5}", end=" ", flush=True)
        n -= 1
    print()
    return a


@programs(*numbers((3,), (50,)))
def two_functions(n):
    def grow(x, k):
        for _ in range(k):
            x *= 7
            print("inner", x, sep="=")
        return x

    total = 1
    for k in range(4):
        total += grow(k + 1, n)
        print("outer", total)
    return total


@programs(*with_array((5,), (70,)))
def writes_before(x, n):
    f = 1
    for k in range(1, n):
        x[k % 4] += k
        f *= k
        print(x[0], f)
    return x * 2, f % 1000


@programs(*with_array((1,), (3,), (7,)))
def index_under_try(x, i):
    for k in range(3):
        print("turn", k)
        x[0] += 1
        try:
            x[i + k] *= 2
        except IndexError:
            print("no element", i + k)
    return x


@programs(*with_array((2.0,), (0.0,)))
def division_under_try(x, d):
    found = []
    for k in range(4):
        print(k, end=";")
        try:
            found.append(int(x[k]) // int(d))
        except ZeroDivisionError as error:
            print(error)
            found.append(-1)
    return found


@programs(*with_array((0,), (2,)))
def raises_and_handles(x, k):
    for v in x:
        print("seen", v)
        try:
            if v > k:
                raise ValueError(f"{v} is too large")
            x[0] += v
        except ValueError as error:
            print(error)
    return x


@programs(*with_array((10,), (80,)))
def draws(x, n):
    rng = np.random.default_rng(5)
    total = 1
    for _ in range(n):
        total *= int(rng.integers(2, 5))
        x += rng.normal(size=4)
    return total, x


@programs(*with_array((3,), (80,)))
def draws_from_one_that_is_seeded(x, n):
    np.random.seed(3)
    random.seed(4)
    total = 1
    for _ in range(n):
        total *= 3 + np.random.randint(4) + random.randint(1, 3)
        print(np.random.normal(), random.random())
    return total


class Counter:
    start = 5

    def __init__(self):
        self.n = 1
        self.last = None


STEPS = 0


@programs(*[lambda n=n: (Counter(), n) for n in (4, 80)])
def stores(counter, n):
    global STEPS
    for k in range(n):
        counter.n *= 3
        counter.start += k
        counter.last = k
        STEPS = k
        print(counter.n)
    return counter.start, STEPS


class Model:
    """Learns something, and keeps how that went."""

    def __init__(self):
        self.weights = np.zeros(4)
        self.losses = []
        self.best = {"weights": None, "loss": np.inf}
        self.steps = 0


@programs(*[lambda limit=limit: (Model(), np.arange(4.0), limit) for limit in (9.0, 2.0, 0.0)])
def learns_aloud(model, x, limit):
    for step in range(12):
        model.weights = model.weights + x * step
        model.losses.append(float(model.weights.sum()))
        if step % 3 == 0:
            print(f"step {step}: {model.weights[1]:.2f}")
        model.steps += 1
        if model.weights[1] > 6 * limit:
            raise ValueError(f"left in step {step}")
    return model.steps


@programs(*[lambda limit=limit: (Model(), np.arange(4.0), limit) for limit in (60.0, 20.0)])
def learns_by_chance(model, x, limit):
    model.weights[0] = 7.0
    for step in range(5):
        model.losses.append(np.random.random() < 2)
        model.weights -= x * step
        model.best["weights"] = model.weights
        print(step, flush=True)
        assert model.weights[3] > -limit
    return model.best["weights"] is model.weights


@programs(*[lambda limit=limit: (Model(), np.arange(4.0), limit) for limit in (60.0, 20.0)])
def handles_what_it_raises(model, x, limit):
    try:
        for step in range(5):
            model.weights = model.weights - x * step
            model.losses.append(step)
            print(step)
            if model.weights[3] < -limit:
                raise KeyError(step)
    except KeyError as error:
        print("left", error, model.weights[0])
        model.steps = -1
    return len(x)


@pytest.mark.parametrize("program", list(programs), ids=name_of)
@pytest.mark.parametrize("device", DEVICES)
def test_programs_give_what_python_gives(program, device):
    check(program, device)


# -- random numbers, streams ---------------------------------------------------------------------------------------


def drawing(rng, old, n):
    total = 1
    for _ in range(n):
        total *= 2 + int(rng.integers(3)) + old.randint(3)
        rng.normal()
        random.gauss(0.0, 1.0)
        np.random.normal(size=3)
    return total


def states(rng, old):
    return repr(
        (rng.bit_generator.state, old.get_state(legacy=False), random.getstate(), np.random.get_state())
    )


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("n", (5, 90))
def test_generators_are_left_in_the_state_that_python_leaves(device, n):
    converted = convert(drawing, strict=True, device=device)
    found = []
    for function in (drawing, converted):
        rng, old = np.random.default_rng(1), np.random.RandomState(2)
        random.seed(3)
        np.random.seed(4)
        found.append((function(rng, old, n), states(rng, old)))
    assert found[0] == found[1]


def two_streams(n):
    f = 1
    for k in range(1, n):
        print("out", k)
        f *= k
        print("err", f, file=sys.stderr)
        sys.stdout.write("w")
    return f


@pytest.mark.parametrize("device", DEVICES)
def test_two_streams_show_everything_once(device):
    converted = convert(two_streams, strict=True, device=device)
    shown = []
    for function in (two_streams, converted):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            function(40)
        shown.append((out.getvalue(), err.getvalue()))
        assert "write" not in vars(out)
    assert shown[0] == shown[1]


def test_captured_output_is_whole(capsys):
    convert(factorials, strict=True)(30)
    found = capsys.readouterr().out
    factorials(30)
    assert found == capsys.readouterr().out


class Slotted:
    """A stream that cannot be kept from showing something twice."""

    __slots__ = ("texts",)

    def __init__(self):
        self.texts = []

    def write(self, text):
        self.texts.append(text)


@pytest.mark.parametrize("device", DEVICES)
def test_a_stream_that_cannot_wait_is_left_to_python_before_anything_is_shown(device):
    converted = convert(factorials, strict=True, device=device)
    out = Slotted()
    with contextlib.redirect_stdout(out):
        assert converted(30) == factorials.__globals__["np"].prod(range(1, 30), dtype=object)
    assert "".join(out.texts).count("\n") == 29


def test_no_output_at_all_is_no_matter():
    with contextlib.redirect_stdout(None):
        assert convert(factorials, strict=True)(30) > 2**64


def growing(n, label):
    f = 1
    for k in range(1, n):
        f *= k
        print(label, k, f)
    return f


def test_threads_show_their_own_text_once():
    converted = convert(growing, strict=True)
    converted(3, 1)
    out = io.StringIO()
    threads = [threading.Thread(target=converted, args=(40, label)) for label in range(6)]
    with contextlib.redirect_stdout(out):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert "write" not in vars(out)
    for label in range(6):
        one = io.StringIO()
        with contextlib.redirect_stdout(one):
            growing(40, label)
        for text in set(one.getvalue().split()):
            assert text in out.getvalue()
    assert out.getvalue().count("\n") == 6 * 39


def test_calls_within_calls_show_their_text_once():
    inner = convert(growing)

    def outer(n):
        print("begins")
        total = 0
        for k in range(3):
            total += inner(n + k, k)
            print("outer", total)
        return total

    def plain(n):
        print("begins")
        total = 0
        for k in range(3):
            total += growing(n + k, k)
            print("outer", total)
        return total

    converted, shown = convert(outer), []
    for function in (plain, converted, converted):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            result = function(30)
        shown.append((result, out.getvalue()))
    assert shown[0] == shown[1] == shown[2]


# -- when the original is interrupted, or differs ----------------------------------------------------------------


class Interrupts(io.StringIO):
    """A stream that is interrupted at its nth text."""

    left = 50

    def write(self, text):
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return super().write(text)


def test_an_interrupted_call_leaves_the_stream_as_it_was():
    out = Interrupts()
    with contextlib.redirect_stdout(out), pytest.raises(KeyboardInterrupt):
        out.left = 100
        convert(factorials, strict=True)(60)
    assert "write" not in vars(out)
    expected = io.StringIO()
    with contextlib.redirect_stdout(expected):
        factorials(60)
    assert expected.getvalue().startswith(out.getvalue())


def piece(x, values, n):
    yield 0
    f = 1
    for k in range(n):
        f *= 3
        x[0] += k
        print(f, x[0])
    yield f
    yield x


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_a_piece_of_a_function_shows_everything_once(device):
    converted = convert(piece, device=device)
    shown = []
    for function in (piece, converted):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            zero, f, x = function(np.arange(3.0), [], 80)
        shown.append((zero, f, x.tolist(), out.getvalue()))
    assert shown[0] == shown[1]
    (unit,) = converted.calls.parts.units
    # Python's own integers, of which the host makes use, do not leave 64 bits.
    assert unit.entries[0].deoptimised == (device == "cpu")


def writes_to(file, n):
    f = 1
    for k in range(1, n):
        file.write(f"{k}\n")
        f *= k
        print(f, file=file)
    return f


@pytest.mark.parametrize("device", DEVICES)
def test_files_hold_everything_once(device, tmp_path):
    converted, held = convert(writes_to, strict=True, device=device), []
    for name, function in (("plain", writes_to), ("converted", converted)):
        with open(tmp_path / name, "w", encoding="utf-8") as file:
            function(file, 40)
        held.append((tmp_path / name).read_text(encoding="utf-8"))
    assert held[0] == held[1]
    assert converted.calls.entries[0].noted


def prints_alone(x, n):
    for k in range(n):
        print(k, x[k % 2])


def test_nothing_is_noted_where_no_call_is_left_after_an_effect():
    converted = convert(prints_alone, strict=True)
    converted(np.ones(2), 3)
    assert not converted.calls.entries[0].noted


# -- clocks, and generators that are seeded by chance ------------------------------------------------------------


def clocked(x, i):
    start = time.perf_counter()
    print("begins")
    try:
        y = x[i]
    except IndexError:
        y = 0.0
    print("took", time.perf_counter() - start)
    return y, time.perf_counter() >= start


def unseeded(x, i):
    rng = np.random.default_rng()
    print("begins")
    y = rng.normal()
    try:
        y = x[i]
    except IndexError:
        print("drawn", y)
    return x[0], True


def shows_the_time(x, i):
    print("now", time.time())
    try:
        return x[int(x[1]) + i]
    except IndexError:
        return 0.0


def shows_by_the_time(x, i):
    if time.time() % 2 < 1:
        print("even")
    try:
        return x[int(x[1]) + i]
    except IndexError:
        return 0.0


def shows_while_there_is_time(x, i):
    end, turns = time.perf_counter() + 1e-4, 0
    while time.perf_counter() < end:
        turns += 1
    for _ in range(turns):
        print("turn")
    try:
        return x[int(x[1]) + i]
    except IndexError:
        return 0.0


def shows_what_is_drawn(x, i):
    x[0] = np.random.default_rng().normal()
    print(x)
    try:
        return x[int(x[1]) + i]
    except IndexError:
        return 0.0


def sleeps(x, i):
    time.sleep(0.0)
    try:
        return x[int(x[1]) + i]
    except IndexError:
        return 0.0


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("function", (clocked, unseeded))
def test_what_differs_the_next_time_is_done_anew_where_it_was_not_shown(function, device):
    converted = convert(function, strict=True, device=device)
    for i in (1, 7):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            y, later = converted(np.ones(3), i)
        assert later and y in (0.0, 1.0)
        assert out.getvalue().count("begins") == 1
    assert converted.calls.entries[0].deoptimised == 1


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    "function",
    (shows_the_time, shows_by_the_time, shows_while_there_is_time, shows_what_is_drawn, sleeps),
)
def test_what_differs_the_next_time_and_was_shown_cannot_be_done_anew(function, device):
    with pytest.raises(StagingError, match="S260.*cannot be done anew"):
        convert(function, strict=True, device=device)(np.ones(3), 1)
