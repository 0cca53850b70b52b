"""What is cut off anyhow may leave 64 bits: the results are those of Python's integers, from compiled code."""

import numpy as np
import pytest

import transpile
from transpile.devices.loops.statement import CheckedLet

LARGE = (2**63 - 1, -(2**63) + 1, 2**62 + 12345, -987654321987654321, 3, 0, -1)


def masked(x, y):
    return ((x * y + x) & 0xFFFFFFFF, (x - y * 3) & (2**62 - 1), -(x + y) & 255, ~(x * x) & 0xFFFF)


def of_a_power_of_two(x, y):
    return (x * y * x - 7) % 2**32, (x + y) % 2, (x << 40) % 2**50, ((x ^ y) * 0x9E3779B1) % 2**48


def shifted(x, y):
    return ((x << 13) & 0xFFFFFFFF) ^ (y & 7), (x << 70) & 0xFFFF, ((x | y) << 5) & 0x7FFFFFFF


@pytest.mark.parametrize("function", [masked, of_a_power_of_two, shifted])
def test_what_is_cut_off_is_never_checked(function):
    converted = transpile.convert(function, strict=True)
    for x in LARGE:
        for y in LARGE:
            assert converted(x, y) == function(x, y)
    assert not any(entry.deoptimised for entry in converted.calls.entries)


def test_nothing_is_checked_in_a_loop_of_pseudorandom_numbers(scheduled):
    def function(n, seed):
        state = seed
        for _ in range(n):
            state = (6364136223846793005 * state + 1442695040888963407) & (2**62 - 1)
        return state

    assert scheduled(function, 1000, 2**60).count(CheckedLet) == 0


def seen_otherwise(x, y):
    product = x * y
    return product & 0xFF, product


def cut_by_another_number(x, y):
    return (x * y) & x, (x * y) % 12, (x + y) & -8


def shifted_by_run_time(x, y):
    return (x << y) & 0xFF


@pytest.mark.parametrize("function", [seen_otherwise, cut_by_another_number])
def test_what_is_seen_whole_is_checked(function, scheduled):
    assert scheduled(function, 2**40, 5).count(CheckedLet) > 0
    converted = transpile.convert(function)
    for x in LARGE:
        assert converted(x, 2**62) == function(x, 2**62)


def test_a_shift_by_a_negative_number_fails_as_it_does(scheduled):
    assert scheduled(shifted_by_run_time, 5, 7).count(CheckedLet) == 1
    with pytest.raises(ValueError, match="negative shift count"):
        transpile.convert(shifted_by_run_time)(5, -1)


def test_a_place_in_an_array_is_seen_whole():
    def function(x, n):
        return x[n * n] + ((n * n) & 3)

    converted = transpile.convert(function)
    with pytest.raises(IndexError):
        converted(np.arange(9.0), 2**33)
    assert converted(np.arange(9.0), 2) == 4.0


def test_a_long_chain_of_sums_is_looked_through():
    def function(x, y):
        total = x
        for _ in range(60):
            for _ in range(60):
                total = total + y
        return total & 0xFFFF, total

    def cut(x, y):
        for _ in range(60):
            for _ in range(60):
                x = x + y
        return x & 0xFFFF

    for each in (function, cut):
        converted = transpile.convert(each, strict=True)
        assert converted(5, 7) == each(5, 7)
        assert converted(2**62, 2**40) == each(2**62, 2**40)
