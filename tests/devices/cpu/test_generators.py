"""Kernels are lent generators, whose locks they hold while they draw, and find what generators draw from in every process."""

import ctypes
import subprocess
import sys
import threading

import numpy as np
import pytest

import transpile
from transpile.devices.cpu import generators


def two(first, second, n):
    total = 0.0
    for _ in range(n):
        total += first.random() - second.standard_normal()
    return total


def test_threads_take_turns_with_generators():
    converted = transpile.convert(two, strict=True)
    first, second = np.random.default_rng(1), np.random.RandomState(2)
    converted(first, second, 1)

    def run(*generators):
        for _ in range(50):
            converted(*generators, 2000)

    threads = [
        threading.Thread(target=run, args=pair) for pair in ((first, second), (first, first), (first, second))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert first.bit_generator.lock.acquire(blocking=False)
    first.bit_generator.lock.release()
    plain = np.random.RandomState(2)
    plain.standard_normal(1 + 2 * 50 * 2000)
    assert repr(plain.get_state(legacy=False)) == repr(second.get_state(legacy=False))


def prints(rng, n):
    for _ in range(n):
        rng.random()
        print(rng.random())
    return rng.random()


def test_others_draw_while_the_kernel_waits_for_python(capsys, monkeypatch):
    converted = transpile.convert(prints, strict=True)
    rng = np.random.default_rng(0)
    converted(rng, 1)
    free = []

    class Stream:
        def write(self, text):
            thread = threading.Thread(target=lambda: free.append(rng.random()))
            thread.start()
            thread.join(20)

        def flush(self):
            pass

    monkeypatch.setattr("sys.stdout", Stream())
    converted(rng, 2)
    assert len(free) == 4


def test_the_number_that_waits_is_found_in_old_generators():
    place = generators._place_of_gauss()
    if not place:
        pytest.skip("NumPy's compiler has contracted its arithmetic")
    for seed in range(3):
        state = np.random.RandomState(seed)
        kept = ctypes.c_double.from_address(id(state) + place + generators.GAUSS)
        state.standard_normal()
        assert kept.value == state.get_state(legacy=False)["gauss"] == state.standard_normal()


SCRIPT = """
import sys, numpy as np, transpile
sys.path.insert(0, sys.argv[1])
from drawing import draws
converted = transpile.convert(draws, strict=True)
print(converted(np.random.default_rng(1), np.random.RandomState(1), 100))
"""

DRAWING = """
def draws(rng, state, n):
    total = 0.0
    for _ in range(n):
        total += rng.random() + rng.normal(0.0, 2.0) + state.randn() + rng.integers(0, 5)
    return total
"""


def test_kernels_that_are_kept_find_the_generators_of_another_process(tmp_path, monkeypatch):
    (tmp_path / "drawing.py").write_text(DRAWING)
    monkeypatch.setenv("TRANSPILE_CACHE_DIR", str(tmp_path / "kept"))
    namespace = {}
    exec(DRAWING, namespace)
    expected = namespace["draws"](np.random.default_rng(1), np.random.RandomState(1), 100)
    for _ in range(2):
        found = subprocess.run(
            [sys.executable, "-c", SCRIPT, str(tmp_path)], capture_output=True, text=True, timeout=120
        )
        assert found.stdout == f"{expected}\n", found.stderr
