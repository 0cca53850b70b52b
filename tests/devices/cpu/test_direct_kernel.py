"""Machine code calls kernels with what lies in Python's objects, and gives what Python would have got."""

import random
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest

from transpile import convert
from transpile import direct as calls
from transpile.devices.cpu import c_code
from transpile.devices.cpu.direct_kernel import KernelCall

pytestmark = pytest.mark.skipif(not c_code.is_known(), reason="objects lie otherwise in memory")

X = np.array([3.0, -1.0, 2.5])


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(calls, "OFTEN", 0)


def numbers(x, n, k, z):
    total, least = 0.0, n
    for i in range(len(x)):
        total += x[i] * k
        least = min(least, i - n)
    return total, least, total > k, x.sum(), x[0] > k, n * n, x.argmax(), -n


def wide(x, z, h):
    return x * z, z * 2, h + h, x.sum() * h


def lists(n):
    found = []
    for i in range(n):
        if i % 3:
            found.append(i * i)
    return found, len(found)


def matrix(a, i, j):
    a[i, j] += 1.0
    return a.T.copy(), a[i]


def nothing(a):
    return a[()] + 1


def drawn(n):
    return sum(random.random() for _ in range(n))


def summed(n):
    total = 0
    for i in range(n):
        total += i ^ (total & 7)
    return total


def summed_deep(n):
    total = 0
    for i in range(n):
        for j in range(n):
            for k in range(n):
                total += (i ^ j ^ k) ^ (total & 7)
    return total


CALLS = [
    (numbers, (X, 4, 2.0, 1j)),
    (numbers, (X, -(2**31), -0.0, 1j)),
    (numbers, (X, 0, float("nan"), 1j)),
    (wide, (X, 1 + 2j, np.float32(3))),
    (wide, (X, np.int32(2), np.float64(3))),
    (wide, (X, np.int64(2), True)),
    (lists, (10,)),
    (matrix, (np.arange(12.0).reshape(3, 4), 1, -1)),
    (nothing, (np.array(2.5),)),
]


@pytest.mark.parametrize("function, arguments", CALLS)
def test_numbers_and_arrays_are_those_of_python(function, arguments):
    found = convert(function, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(4):
            results = found(*(a.copy() if type(a) is np.ndarray else a for a in arguments))
        expected = function(*(a.copy() if type(a) is np.ndarray else a for a in arguments))
    for one, other in zip(parts(results), parts(expected), strict=True):
        assert type(one) is type(other) and repr(one) == repr(other)
        assert getattr(one, "flags", None) == getattr(other, "flags", None) or one.ndim
    assert found.calls.direct is not None and found.calls.direct.hits


def parts(thing):
    return thing if isinstance(thing, tuple) else (thing,)


def test_kernels_are_called_by_their_own_function_where_numbers_are_plain():
    found = {function: convert(function, strict=True) for function in (numbers, wide, lists)}
    for function, arguments in ((numbers, (X, 4, 2.0, 1)), (wide, (X, 1j, 2.0)), (lists, (5,))):
        found[function](*arguments)
    own = [KernelCall.can(found[function].calls.entries[0].kernel) for function in (numbers, wide, lists)]
    assert own == [True, False, True]


def test_integers_that_leave_the_range_are_those_of_python():
    found = convert(numbers)
    for n in (4, 2**40, 2**62, -(2**63), 2**63 - 1, 4):
        assert found(X, n, 2.0, 1) == numbers(X, n, 2.0, 1)


def test_python_draws_the_same_numbers():
    found = convert(drawn)
    for _ in range(3):
        random.seed(5)
        expected = drawn(10)
        random.seed(5)
        assert found(10) == expected


@pytest.mark.parametrize("function, argument", [(summed, 300_000_000), (summed_deep, 700)])
def test_other_threads_run_meanwhile(function, argument):
    found = convert(function, strict=True)
    for _ in range(3):
        found(10)
    assert found.calls.direct is not None
    begun, ended = threading.Event(), threading.Event()

    def run():
        begun.set()
        found(argument)
        ended.set()

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    waits = 0
    while not ended.is_set():
        ended.wait(0.005)
        waits += 1
    thread.join()
    assert waits > 3


LONE = """
import threading
import numpy as np
from transpile import convert, direct

direct.OFTEN = 0

def chosen(x, n):
    return x[x > n], int((x > n).sum())

found, x, ended = convert(chosen, strict=True), np.arange(6.0), threading.Event()
thread = threading.Thread(target=ended.wait)
for count in (1, 2, 1):
    if count == 2:
        thread.start()
    assert threading.active_count() == count
    for n in range(-1, 7):
        kept, number = found(x, n)
        assert kept.tolist() == [k for k in range(6) if k > n] and number == len(kept)
    if count == 2:
        ended.set()
        thread.join()
assert found.calls.direct.hits
"""


def test_results_are_the_same_in_a_program_of_one_thread_and_of_two(tmp_path):
    script = tmp_path / "lone.py"
    script.write_text(LONE)
    subprocess.run([sys.executable, str(script)], check=True, timeout=120)
