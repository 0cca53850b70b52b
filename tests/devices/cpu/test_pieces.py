"""Loops that are long enough run in pieces, with the bits, warnings and errors of one thread."""

from __future__ import annotations

import ctypes
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import transpile
from transpile.devices.cpu import machine_code, numbas_settings, pieces, pipeline, threads, workers
from transpile.devices.cpu.arithmetic import NotLowered
from transpile.devices.loops import spread

pytestmark = pytest.mark.skipif(not workers.available, reason="threads are native ones of Linux")


def jobs() -> int:
    return ctypes.c_uint32.from_address(threads.engine().get_global_value_address("generation")).value


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Has every loop that may be spread run in pieces, on several threads where there are processors for them."""
    monkeypatch.setenv("TRANSPILE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(pieces, "LEAST", 1)
    monkeypatch.setattr(spread, "_DENSE", 0)
    threads.be_patient(0)
    yield
    threads.be_patient(1_000_000_000)


def elementwise(x, y):
    return np.exp(x) * y + np.sqrt(abs(x)), np.arctan2(x, y) > 0.5


def stencil(x, y):
    out = np.zeros_like(x)
    out[1:-1] = 0.5 * (x[:-2] + x[2:]) - y[1:-1]
    return out


def rows(x, y):
    return (x * y).sum(axis=1), x.mean(axis=1), x.max(axis=1), y.argmax(axis=1)


def columns(x, y):
    return (x * y).sum(axis=0), x.std(axis=0), (x > y).any(axis=0)


def normalised(x, y):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) * y


def in_place(x, y):
    x += y
    x[1:] *= 2.0
    y[::2] = x[::2] - 1.0
    return x


def by_hand(x, y):
    out = np.empty_like(x)
    for i in range(len(x)):
        total = 0.0
        for j in range(x.shape[1]):
            total += x[i, j] * y[i, j]
            out[i, j] = total
    return out


def steps(x, y):
    for _ in range(5):
        y[1:-1] = x[1:-1] + 0.1 * (x[:-2] + x[2:] - 2 * x[1:-1])
        x[1:-1] = y[1:-1] + 0.1 * (y[:-2] + y[2:] - 2 * y[1:-1])
    return x


FUNCTIONS = [elementwise, stencil, rows, columns, normalised, in_place, by_hand, steps]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_bits_are_those_of_numpy(
    function: Callable[..., Any], dtype: Any, always: None, same_bits: Any, rng: np.random.Generator
) -> None:
    converted = transpile.convert(function, strict=True)
    for shape in ((3, 5), (64, 1500), (701, 33), (1, 1)):
        x, y = (rng.random(shape).astype(dtype) + 0.1 for _ in range(2))
        given, expected = [x.copy(), y.copy()], [x.copy(), y.copy()]
        found, wanted = converted(*given), function(*expected)
        for one, other in zip(results(found, given), results(wanted, expected), strict=True):
            same_bits(one, other)


def results(found: Any, given: list[Any]) -> list[Any]:
    return [*(found if isinstance(found, tuple) else (found,)), *given]


def spread_loops(function: Callable[..., Any], *arguments: Any) -> int:
    """Return how many loops of a function's kernel are spread when they are long enough."""
    before = jobs()
    threads.limit(threads.engine(), 2)
    transpile.convert(function, strict=True)(*arguments)
    return jobs() - before


@pytest.mark.skipif(numbas_settings.threads() < 2, reason="one processor has nothing to share")
@pytest.mark.parametrize(
    ("function", "loops"),
    [
        (elementwise, 1),
        (stencil, 2),
        (rows, 4),
        (by_hand, 1),
        (steps, 10),
        (lambda x, y: np.cumsum(x), 0),
        (lambda x, y: x.sum(), 0),
    ],
)
def test_loops_are_spread(function: Callable[..., Any], loops: int, always: None) -> None:
    x, y = np.ones((40, 30)), np.ones((40, 30))
    assert spread_loops(function, x, y) == loops
    assert machine_code.refused == []


def test_short_loops_are_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRANSPILE_CACHE_DIR", str(tmp_path))
    assert spread_loops(elementwise, np.ones((40, 30)), np.ones((40, 30))) == 0


def test_a_kernel_that_numba_compiles_runs_in_one_thread(
    always: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_given: Any) -> Any:
        raise NotLowered("a test")

    monkeypatch.setattr(pipeline, "compiled", refuse)
    monkeypatch.setattr(pipeline, "refused", [])
    before, x = jobs(), np.linspace(0, 1, 500)
    found, _ = transpile.convert(elementwise, strict=True)(x, x)
    assert found.tobytes() == elementwise(x, x)[0].tobytes() and jobs() == before


def divided(x, y):
    return x / y


def test_warnings_are_those_of_whoever_meets_them(always: None) -> None:
    converted = transpile.convert(divided, strict=True)
    x, y = np.ones(50_000), np.ones(50_000)
    for place in (0, 10_000, 49_999):
        y[place] = 0.0
        with pytest.warns(RuntimeWarning, match="divide by zero"):
            converted(x, y)
        y[place] = 1.0
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            converted(x, y)
    y[49_999] = 0.0
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
        converted(x, y)


def printing(x):
    y = x * 2
    print(len(y))
    if y[3] > 5:
        raise ValueError("too large")
    z = y + 1
    print(z[0])
    return z


def test_what_is_seen_outside_keeps_its_order(always: None, capsys: pytest.CaptureFixture[str]) -> None:
    converted = transpile.convert(printing, strict=True)
    assert converted(np.ones(9_000)).sum() == 27_000
    assert capsys.readouterr().out == "9000\n3.0\n"
    with pytest.raises(ValueError, match="too large"):
        converted(np.full(9_000, 4.0))
    assert capsys.readouterr().out == "9000\n"


def test_many_threads_may_call_one_function(always: None, rng: np.random.Generator) -> None:
    converted = transpile.convert(elementwise, strict=True)
    given = [(rng.random((300, 70)), rng.random((300, 70))) for _ in range(4)]
    expected = [elementwise(*pair)[0].tobytes() for pair in given]
    wrong: list[int] = []

    def work(number: int) -> None:
        for _ in range(30):
            if converted(*given[number])[0].tobytes() != expected[number]:
                wrong.append(number)

    converted(*given[0])
    asking = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join(60)
    assert not wrong


def of_one_block(x):
    for i in range(3):
        x[i] = np.exp(x[i]) * 2
    places = np.arange(300) % len(x)
    for k in places:
        x[k] += 1.0
    return x


def test_short_loops_in_pieces_are_not_to_be_written_out(
    always: None, capfd: pytest.CaptureFixture[str]
) -> None:
    # How many turns a piece has is not known to LLVM, which would complain where everybody sees it.
    assert np.array_equal(transpile.convert(of_one_block, strict=True)(np.ones(9)), of_one_block(np.ones(9)))
    assert capfd.readouterr().err == ""
