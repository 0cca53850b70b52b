"""In the background: calls run as plain Python while the compiler works, and go compiled once it has."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import numpy as np
import pytest

import transpile
from transpile import entry
from transpile.runtime.errors import DeviceError, FallbackWarning


def total(x, n):
    s = 0.0
    for i in range(n):
        s += x[i % len(x)] * i
    return s


def double(x):
    return x / (x - 1.0)


X = np.arange(1.0, 9.0)


@pytest.fixture(autouse=True)
def tiered() -> Iterator[None]:
    with transpile.options(tiered=True):
        yield


class Gate:
    """Lets the compiler go on when it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, fails: Exception | None = None) -> None:
        self._open = threading.Event()
        self.entered = threading.Event()
        make = entry.executable

        def executable(*given: Any) -> Any:
            if threading.current_thread().name == "transpile":
                self.entered.set()
                assert self._open.wait(20)
                if fails is not None:
                    raise fails
            return make(*given)

        monkeypatch.setattr(entry, "executable", executable)

    def open(self, function: Any) -> None:
        """Let the compiler go on, and wait until it is done."""
        self._open.set()
        wait_for(function)


def wait_for(function: Any) -> None:
    end = monotonic() + 60
    while not all(job.done for job in function.calls.jobs):
        assert monotonic() < end
        sleep(0.01)


def test_calls_do_not_wait_and_go_compiled_later(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch)
    converted = transpile.convert(total)
    for _ in range(12):
        assert converted(X, 5) == total(X, 5)
    assert converted.cache_info()[:2] == (0, 1) and not converted.calls.entries
    gate.open(converted)
    for n in (7, 8):
        assert converted(X, n) == total(X, n)
    (entry,) = converted.calls.entries
    assert entry.hits == 2 and converted.cache_info().misses == 1
    assert not converted.calls.jobs


def test_another_function_does_not_wait_for_the_compiler_either(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch)
    one, other = transpile.convert(total), transpile.convert(double)
    one(X, 5)
    assert gate.entered.wait(20)
    found = []
    caller = threading.Thread(target=lambda: found.append(other(X[1:])))
    caller.start()
    caller.join(10)
    assert np.array_equal(found[0], double(X[1:]))
    gate.open(one)


def test_what_the_compiler_refuses_is_a_reason_to_fall_back(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch, DeviceError("D110-float16", "numbers of float16 are not compiled"))
    converted = transpile.convert(total)
    converted(X, 5)
    gate.open(converted)
    with pytest.warns(FallbackWarning, match="D110-float16"):
        assert converted(X, 5) == total(X, 5)
    (error,) = converted.calls.failures.values()
    assert error.code == "D110-float16"


def test_calls_that_meet_errors_of_floats_warn_all_the_while() -> None:
    converted = transpile.convert(double)
    for _ in range(6):
        with pytest.warns(RuntimeWarning, match="divide by zero") as caught:
            assert np.array_equal(converted(X), double(X))
        assert len([w for w in caught if w.category is RuntimeWarning]) == 2
        wait_for(converted)
    assert any(entry.trace.graph.watched for entry in converted.calls.entries)


def test_strict_functions_are_compiled_at_once() -> None:
    converted = transpile.convert(total, strict=True)
    converted(X, 5)
    assert converted.calls.entries and converted.cache_info().hits == 0


def test_options_hold_for_a_block() -> None:
    with transpile.options(tiered=False):
        converted = transpile.convert(total)
        converted(X, 5)
        assert converted.calls.entries
    converted = transpile.convert(total)
    converted(X, 5)
    assert converted.calls.jobs
    wait_for(converted)


def test_many_threads_may_call_at_once() -> None:
    converted = transpile.convert(total)
    wrong: list[Any] = []

    def work() -> None:
        for n in range(60):
            if converted(X, n) != total(X, n):
                wrong.append(n)
            sleep(0.001)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not wrong and not any(thread.is_alive() for thread in threads)
    wait_for(converted)
    converted(X, 3)
    assert len(converted.calls.entries) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
def test_a_child_compiles_for_itself() -> None:
    converted = transpile.convert(total)
    converted(X, 5)
    with warnings.catch_warnings():
        # Python 3.12 warns of forks beside threads.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        status = 1
        try:
            end = monotonic() + 60
            while not converted.calls.entries and monotonic() < end:
                assert converted(X, 6) == total(X, 6)
                sleep(0.01)
            status = int(not converted.calls.entries)
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    wait_for(converted)


@pytest.mark.parametrize("ends", ["", "raise SystemExit(0)", "import atexit; atexit.register(f, x, 3)"])
def test_a_program_may_end_while_the_compiler_works(ends: str, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(
        "import numpy as np, transpile\n"
        "transpile.options(tiered=True)\n"
        "@transpile.convert\n"
        "def f(x, n):\n"
        "    s = 0.0\n"
        "    for i in range(n):\n"
        "        s += x[i % len(x)] * i\n"
        "    return s\n"
        "x = np.arange(9.0)\n"
        f"print(f(x, 4)); {ends}\n"
    )
    environment = dict(
        os.environ,
        TRANSPILE_CACHE_DIR=str(tmp_path / "kernels"),
        PYTHONPATH=str(Path(transpile.__file__).parents[1]),
    )
    done = subprocess.run(
        [sys.executable, str(file)], capture_output=True, text=True, timeout=120, env=environment
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "14.0\n", "")
    # What was being compiled is there for the next process.
    assert any((tmp_path / "kernels").rglob("*"))
