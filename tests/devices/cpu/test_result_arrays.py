"""Results lie in memory that is kept for the next ones, and are arrays like any other of NumPy's."""

import gc
import os
import subprocess
import sys
import tracemalloc
from threading import Thread

import numpy as np
import pytest
from numpy._core.multiarray import get_handler_name

import transpile
from transpile.devices.cpu import pool
from transpile.devices.cpu.result_arrays import LEAST

pytestmark = pytest.mark.skipif(sys.maxsize <= 2**32, reason="there is no pool")
COUNT = LEAST // 8


@transpile.convert(strict=True)
def scaled(x):
    return x * 3.0


@transpile.convert(strict=True)
def chosen(x):
    return x[x > 0]


@transpile.convert(strict=True)
def turned(x):
    return np.sqrt(x.transpose(2, 0, 1))


def numbers(count=2 * COUNT):
    return np.arange(1.0, count + 1)


@pytest.mark.parametrize("function", [scaled, chosen])
def test_memory_of_a_result_serves_the_next_one(function):
    x = numbers()
    gc.collect()
    pool.release()
    first = function(x)
    address = first.ctypes.data
    assert get_handler_name(first) == "transpile" and address % 64 == 0
    del first
    second = function(x)
    assert second.ctypes.data == address
    third = function(x)
    assert third.ctypes.data != address
    assert second.tobytes() == third.tobytes()


def test_orders_in_memory_of_all_kinds_are_kept():
    x = numbers().reshape(2, -1, 4)
    found, expected = turned(x), np.sqrt(x.transpose(2, 0, 1))
    assert get_handler_name(found) == "transpile"
    assert found.strides == expected.strides and found.tobytes() == expected.tobytes()


def test_smaller_results_and_arrays_of_others_are_numpys_own():
    scaled(numbers())
    assert get_handler_name(scaled(numbers(10))) == "default_allocator"
    assert get_handler_name(np.empty(4 * COUNT)) == "default_allocator"


def test_a_result_owns_its_data_and_can_be_resized():
    x = numbers()
    result = scaled(x)
    assert result.flags.owndata and result.base is None
    result.resize(3 * len(x), refcheck=False)
    assert result[: len(x)].tobytes() == (x * 3.0).tobytes() and not result[len(x) :].any()
    result.resize(5, refcheck=False)
    assert result.tolist() == [3.0, 6.0, 9.0, 12.0, 15.0]
    result.resize(len(x), refcheck=False)
    assert result[:5].tolist() == [3.0, 6.0, 9.0, 12.0, 15.0] and not result[5:].any()


def test_memory_of_results_is_traced():
    x = numbers()
    scaled(x)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        result = scaled(x)
        during, _ = tracemalloc.get_traced_memory()
        del result
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert during - before >= x.nbytes and after - before < 10_000


def test_a_result_that_no_memory_holds_is_numpys_own_error():
    def blown(x):
        return np.zeros((x.shape[0] * 2**40, 2**10)) + x[0]

    x = np.ones(8)
    with pytest.raises(MemoryError) as expected:
        blown(x)
    with pytest.raises(MemoryError) as found:
        transpile.convert(blown)(x)
    assert str(found.value) == str(expected.value)


def test_results_of_threads_never_share_memory():
    x = numbers()
    wrong = []

    def work(number):
        mine = x * number
        expected = (mine * 3.0).tobytes()
        for _ in range(50):
            pair = scaled(mine), scaled(mine)
            wrong.extend(one for one in pair if one.tobytes() != expected)

    threads = [Thread(target=work, args=(number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


_LAST = """
import sys
from tests.devices.cpu.test_result_arrays import numbers, scaled

class Holder:
    def __del__(self):
        self.result[:] = 0
        del self.result

held = Holder()
held.result = scaled(numbers())
sys.modules["a name that is cleared late"] = scaled(numbers())
sys.modules["another"] = held
del held
"""


def test_a_result_may_be_the_last_thing_that_goes():
    done = subprocess.run(
        [sys.executable, "-c", _LAST], env=os.environ, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
