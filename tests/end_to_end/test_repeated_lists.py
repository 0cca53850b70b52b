"""Arrays of lists that are repeated, and of many known numbers: one trace serves every size, and compiling them takes no time."""

import time

import numpy as np
import pytest

from transpile import convert


def zeros(n):
    return np.array([0.0] * n)


def truths(n):
    return np.array([False] * n, dtype=bool)


def reversed_factors(n):
    return np.array(n * [1, 2])


def of_a_dtype(n):
    return np.array([1] * n, dtype=np.float32), np.asarray([3] * n, np.int8)


def table(n):
    return np.array([[0.0] * n for _ in range(3)])


def square(n):
    made = np.array([[0] * n] * n)
    made[0, :1] = 7
    return made


def mixed(n):
    return np.array([[1] * n, [0.5] * n]), np.array([[True] * n, [2] * n]), np.array([[1j] * n, [2] * n])


def beside_others(n):
    return np.array([[2] * n, list(range(n)), np.arange(n) * 0.5])


def ragged(n):
    return np.array([[1.0] * n, [2.0] * (n + 1)])


def beside_three(n):
    return np.array([[1.0] * n, [2.0, 3.0, 4.0]])


def deeper(n):
    return np.array([[[1] * n, [2] * n], [[3] * n, [4] * n]], dtype=float), np.array([([1] * n,), ([2] * n,)])


def summed(n):
    return sum([2] * n) + np.sum([0.5] * n) + len([0] * n), max([n] * 3)


FUNCTIONS = [
    zeros, truths, reversed_factors, of_a_dtype, table, square, mixed, beside_others, ragged, beside_three, deeper, summed,
]  # fmt: skip


def outcome(function, n):
    try:
        found = function(n)
    except (ValueError, IndexError) as error:
        return str(error)
    parts = found if isinstance(found, tuple) else (found,)
    return [
        (type(part), np.asarray(part).dtype, np.shape(part), np.asarray(part).tobytes()) for part in parts
    ]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_arrays_of_repeated_lists_are_numpys(function):
    converted = convert(function)
    for n in (4, 3, 60, 1, 0, 2, -1):
        assert outcome(converted, n) == outcome(function, n), n


@pytest.mark.parametrize("function", [zeros, truths, reversed_factors, table, square])
def test_one_trace_serves_every_length_of_a_repeated_list(function):
    converted = convert(function, strict=True)
    for n in (40, 41, 75):
        converted(n)
    assert converted.cache_info().currsize == 1


def many_equal():
    return np.array([0.5] * 20011), np.array([[True] * 100] * 200)


def many_computed():
    return np.array([i * 0.5 for i in range(20011)]), np.array(list(range(9001)), dtype=np.int16)


def many_in_a_loop():
    total = 0.0
    for turn in range(3):
        steps = np.array([0.5, 1.5, 2.5] * 3000)
        steps[turn] = 9.0
        total += steps.sum()
    return total, steps


@pytest.mark.parametrize("function", [many_equal, many_computed, many_in_a_loop])
def test_many_known_numbers_are_not_compiled_one_by_one(function):
    converted = convert(function, strict=True)
    start = time.process_time()
    found = converted()
    assert time.process_time() - start < 6
    for again in (found, converted()):
        for one, other in zip(function(), again, strict=True):
            assert np.asarray(one).dtype == np.asarray(other).dtype
            assert np.array_equal(one, other)
            if isinstance(other, np.ndarray):
                # Each call makes its own.
                other[...] = 0
