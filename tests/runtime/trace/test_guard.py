"""Arrays are told to have memory of their own without a look at each pair."""

import mmap

import numpy as np
import pytest

import transpile
from transpile.runtime.trace.guard import own_memory

A, B = np.zeros((4, 4)), np.zeros(5)
BYTES = bytearray(64)


@pytest.mark.parametrize("arrays", [(), (A,), (A, B), (A[1:], B), (A[1:][::-1], B[:2]), (A.T, B)])
def test_owners_that_differ_are_enough(arrays):
    assert own_memory(arrays)


@pytest.mark.parametrize(
    "arrays",
    [
        (A, A),
        (A, A[:0]),
        (A[:2], A[2:]),
        (A[1:][1:], B, A),
        (np.frombuffer(BYTES), np.frombuffer(BYTES)),
        (np.ndarray(2, buffer=memoryview(BYTES)), np.ndarray(2, buffer=memoryview(BYTES))),
        (np.frombuffer(mmap.mmap(-1, 64)), B),
        (A.view(np.matrix)[1:], B),
        (np.asarray(A.view(np.matrix)), A),
    ],
)
def test_others_are_looked_at(arrays):
    assert not own_memory(arrays)


def test_many_arrays_of_one_memory_that_do_not_meet_are_served():
    def shift(a, b, c, d):
        a[:] = b
        b[:] = c
        c[:] = d

    converted = transpile.convert(shift, strict=True)
    for memory in (np.arange(40.0), np.arange(80.0)):
        expected = memory.copy()
        shift(*np.split(expected, 4))
        converted(*np.split(memory, 4))
        assert memory.tolist() == expected.tolist()
    assert len(converted.calls.entries) == 1
    converted(*(np.full(10, float(k)) for k in range(4)))
    assert len(converted.calls.entries) == 1
