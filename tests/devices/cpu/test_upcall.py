"""Kernels call back into Python, from any thread, and stop where a handler raises."""

import sys
import traceback
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numba import complex64, complex128, float32, float64, int8, int64, njit, types, uint16

from transpile.devices.cpu import flags
from transpile.devices.cpu.flags import clear_fp_flags
from transpile.devices.cpu.handovers import get, put, upcall, width
from transpile.devices.cpu.memory import empty, scratch
from transpile.devices.cpu.upcall import Call, address, reader
from transpile.runtime.graph.types import INT, ArrayType, ScalarType

status = flags.test_fp_flags


@njit(types.int64(int64[::1], float64[:, :]), nogil=True)
def pass_everything(frame, x):
    own, block = empty((3, 4), complex64), scratch(4, float64)
    own[:] = 5
    for k in range(4):
        block[k] = k
    put(frame, 1, x)
    put(frame, 7, own)
    put(frame, 13, block[::-1])
    put(frame, 17, 1.5)
    put(frame, 18, 3 + 4j)
    put(frame, 20, True)
    put(frame, 21, np.float32(2.5))
    put(frame, 22, np.int8(-3))
    put(frame, 23, -7)
    put(frame, 24, np.uint64(2**63))
    stopped = upcall(frame, 0)
    if stopped:
        return stopped
    x[0, 0] = get(frame, 17, float64) + get(frame, 18, complex128).imag
    own[0, 0] = 99
    return get(frame, 22, int8) * 1000 + get(frame, 20, types.boolean)


KINDS = [
    ArrayType(np.dtype(np.float64), (1, 1)),
    ArrayType(np.dtype(np.complex64), (1, 1)),
    ArrayType(np.dtype(np.float64), (1,)),
    *(ScalarType(np.dtype(character)) for character in "dD?fblL"),
]


def test_operands_and_results_pass_through_the_frame():
    read = reader(KINDS, lent=True)
    seen = {}

    def handler(call):
        values, _memory = read(call)
        seen["shared"] = np.shares_memory(values[0], x)
        seen["values"] = [value.tolist() for value in values]
        seen["types"] = [type(value) for value in values[3:]]
        call.write(17, "d", 10.0)
        call.write(18, "D", 7j)
        call.write(20, "?", False)
        call.write(22, "b", 12)

    x = np.arange(12.0).reshape(3, 4)[::-1]
    before = x.tolist()
    with Call([handler], 40) as call:
        assert pass_everything(call.frame, x) == 12000
    assert seen["shared"]
    assert seen["values"][:3] == [before, [[5] * 4] * 3, [3.0, 2.0, 1.0, 0.0]]
    assert seen["values"][3:] == [1.5, 3 + 4j, True, 2.5, -3, -7, 2**63]
    assert seen["types"] == [np.dtype(character).type for character in "dD?fblL"]
    assert x[0, 0] == 17.0


def test_handlers_may_keep_copies_and_memory_is_given_back():
    read = reader(KINDS)
    kept = []

    def handler(call):
        values, _memory = read(call)
        kept.extend(values[:2])

    x = np.arange(12.0).reshape(3, 4)
    references = sys.getrefcount(x)
    with Call([handler], 40) as call:
        pass_everything(call.frame, x)
    assert sys.getrefcount(x) == references
    assert kept[0][0, 0] == 0.0
    assert kept[1].tolist() == [[5] * 4] * 3


def test_an_exception_stops_the_kernel_and_is_raised_without_our_frames():
    def handler(call):
        raise KeyError("gone")

    with Call([handler], 40) as call:
        assert pass_everything(call.frame, np.zeros((1, 1))) != 0
        with pytest.raises(KeyError, match="gone") as caught:
            call.check()
        call.check()
    names = [entry.name for entry in traceback.extract_tb(caught.value.__traceback__)]
    assert names[-1] == "handler"
    assert "_run" not in names


@pytest.mark.parametrize("raised", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_exceptions_that_are_not_errors_are_kept_too(raised):
    def handler(call):
        raise raised

    with Call([handler], 40) as call:
        assert pass_everything(call.frame, np.zeros((1, 1))) != 0
        with pytest.raises(raised):
            call.check()


def test_a_handler_may_ask_the_kernel_to_stop():
    with Call([lambda call: 5], 40) as call:
        assert pass_everything(call.frame, np.zeros((1, 1))) == 5
        call.check()


def test_a_call_that_has_ended_keeps_nothing_for_the_next_one():
    def handler(call):
        call.late[0] = np.zeros(3)
        call.reports.append((print, 1))
        raise KeyError("gone")

    with Call([handler], 40) as call:
        assert pass_everything(call.frame, np.zeros((1, 1))) != 0
        kept = weakref.ref(call.late[0])
    assert kept() is None
    with call:
        assert (call.late, call.reports, call.locks) == ({}, [], [])
        call.check()
        assert pass_everything(call.frame, np.zeros((1, 1))) != 0


@pytest.mark.parametrize("made", [np.zeros(3), np.zeros((4, 5))[1:, ::-1], np.zeros(0), np.zeros((), bool)])
def test_an_array_says_where_its_elements_are(made):
    assert address(made) == made.__array_interface__["data"][0]


def test_a_call_that_has_ended_is_refused():
    with Call([lambda call: None], 40) as call:
        pass
    assert pass_everything(call.frame, np.zeros((1, 1))) != 0
    reference = weakref.ref(call)
    del call
    assert reference() is None


@njit(nogil=True)
def count(frame, rounds):
    for k in range(rounds):
        put(frame, 1, k)
        if upcall(frame, 0):
            return -1
        if get(frame, 1, int64) != 2 * k:
            return k
    return rounds


read_integer = reader([INT])


def double(call):
    ((number,), _) = read_integer(call)
    call.write(1, "q", 2 * number)


def test_calls_in_many_threads_keep_apart():
    def run(_):
        with Call([double], 2) as call:
            return count(call.frame, 500)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(run, range(32))) == [500] * 32


def test_calls_nest():
    depths = []

    def nest(call):
        ((depth,), _) = read_integer(call)
        depths.append(depth)
        call.write(1, "q", 2 * depth)
        if len(depths) < 20:
            with Call([nest], 2) as inner:
                count(inner.frame, 2)

    with Call([nest], 2) as call:
        assert count(call.frame, 2) == 2
    assert len(depths) > 20


def test_an_upcall_leaves_the_status_flags_alone():
    @njit(error_model="numpy", nogil=True)
    def kernel(frame, x, y):
        clear_fp_flags()
        x[0] = x[0] / y[0]
        before = status()
        upcall(frame, 0)
        return before, status()

    with Call([lambda call: float(np.sqrt(np.arange(5.0)).sum()) < 0], 2) as call:
        assert kernel(call.frame, np.ones(1), np.zeros(1)) == (1, 1)
        assert kernel(call.frame, np.ones(1), np.ones(1)) == (0, 0)


def test_widths_are_those_that_put_takes():
    assert [width(t) for t in (float64, float32, uint16, complex64, complex128, float64[:, :], float64)] == [
        1, 1, 1, 1, 2, 6, 1,
    ]  # fmt: skip


SCRIPT = """
import math
import numpy as np
from numba import float64, int64, njit, types
from transpile.devices.cpu.handovers import get, put, upcall
from transpile.devices.cpu.upcall import Call, reader
from transpile.runtime.graph.types import FLOAT
from transpile.devices.cpu.flags import clear_fp_flags, test_fp_flags
from transpile.devices.cpu.floats import power, square_power
from transpile.devices.cpu.mathematics import math_function
from transpile.devices.cpu.memory import empty

log = math_function("log")

@njit(types.float64(int64[::1], float64), cache=True, nogil=True)
def kernel(frame, x):
    clear_fp_flags()
    t = empty(5000000, float64)
    t[0] = square_power(x) + power(x, 0.3) + log(x)[0]
    put(frame, 1, t[0])
    upcall(frame, 0)
    return get(frame, 1, float64) + test_fp_flags()

read = reader([FLOAT])

with Call([lambda call: call.write(1, "d", read(call)[0][0] + 1)], 2) as call:
    assert kernel(call.frame, 1.7) == 1.7 ** 2 + 1.7 ** 0.3 + math.log(1.7) + 1
print(sum(kernel.stats.cache_hits.values()), sum(kernel.stats.cache_misses.values()))
"""


def test_a_stored_kernel_finds_python_and_the_c_library_again(run_script):
    assert run_script(SCRIPT) == "0 1"
    assert run_script(SCRIPT) == "1 0"
