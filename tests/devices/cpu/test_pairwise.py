"""Sums by segments in kernels are NumPy's, to the bit."""

import numpy as np
import pytest
from numba import complex64, complex128, float32, float64, int64, njit

from transpile.devices.cpu import inner_loops
from transpile.devices.cpu.memory import scratch
from transpile.devices.cpu.pairwise import (
    pairwise_push,
    pairwise_segment,
    pairwise_segment_complex,
    pairwise_sum,
)

KINDS = {"f": float32, "d": float64, "F": complex64, "D": complex128}


def summed_by_segments(character):
    """A kernel that sums an array whose elements it sees one segment at a time."""
    number, size = KINDS[character], np.dtype(character).itemsize
    add = inner_loops.loop(np.add, f"{character}{character}->{character}")
    segment = pairwise_segment_complex if character in "FD" else pairwise_segment

    @njit(nogil=True)
    def kernel(x, limit, block, value, zero):
        stack, depths = scratch(64, number), scratch(64, int64)
        start = top = 0
        while start < len(x):
            length, depth = segment(len(x), start, limit)
            if not 0 < length <= limit:
                return number(np.nan)
            for k in range(length):
                block[k] = x[start + k]
            value[0] = -zero
            add(length, value, 0, 0, block, 0, size, value, 0, 0)
            top = pairwise_push(stack, depths, top, value[0], depth)
            start += length
        return zero + stack[0] if top == 1 else number(np.nan)

    return kernel


@pytest.mark.parametrize("character", KINDS)
def test_sums_by_segments_are_numpys(character, rng, same_bits):
    kernel = summed_by_segments(character)
    x = (rng.standard_normal(300_000) * 10.0 ** rng.uniform(-3, 3, 300_000)).astype(character)
    if character in "FD":
        x = x + x.dtype.type(1j) * x[::-1]
    block, value, zero = np.empty(4096, character), np.empty(1, character), x.dtype.type(0)
    for n in [*range(1, 5001), *rng.integers(5001, 300_000, 60).tolist()]:
        for limit in (128, 512) if n < 3000 else (512, 4096):
            same_bits(x.dtype.type(kernel(x[:n], limit, block, value, zero)), np.add.reduce(x[:n]))


def test_negative_zeros_vanish_when_they_meet_the_start(same_bits):
    kernel = summed_by_segments("d")
    x = np.full(1000, -0.0)
    same_bits(kernel(x, 128, np.empty(4096), np.empty(1), 0.0), x.sum())


@pytest.mark.parametrize("character", "fd")
def test_sums_of_memory_are_numpys(character, rng, same_bits):
    size = np.dtype(character).itemsize

    @njit
    def kernel(x, zero, first, n):
        return zero + pairwise_sum(x, first * size, n)

    zero = np.dtype(character).type(0)
    x = (rng.standard_normal(300_000) * 10.0 ** rng.uniform(-3, 3, 300_000)).astype(character)
    for n in [*range(2000), *rng.integers(2000, 300_000, 60).tolist()]:
        first = int(rng.integers(0, len(x) - n))
        same_bits(x.dtype.type(kernel(x, zero, first, n)), x[first : first + n].sum())
    same_bits(kernel(np.full(1000, -0.0), 0.0, 0, 1000), 0.0)
