"""Integer helpers give Python's results, or say that these are no int64."""

import random

import numpy as np
import pytest
from numba import njit

import transpile
from transpile.devices.cpu import integers

LIMIT = 2**63
EXTREME = [0, 1, -1, 2, -2, 3, 63, 64, -63, LIMIT - 1, -LIMIT, 2**53, 2**53 + 1, -(2**53) - 1, 2**31, 2**32]
EXTREME += [3037000499, 3037000500, 10**18, 1 - LIMIT]
NO_INT = 10**30


def compiled(name, arguments="x, y"):
    namespace = {"f": getattr(integers, name)}
    exec(f"def call({arguments}):\n    return f({arguments})", namespace)
    return njit(namespace["call"])


def number(r):
    if r.random() < 0.3:
        return r.choice(EXTREME)
    size = r.getrandbits(r.randrange(1, 64))
    return max(-LIMIT, min(LIMIT - 1, r.choice([size, -size])))


def shift(x, n):
    if n < 0:
        return NO_INT
    return x << n if n < 200 else (NO_INT if x else 0)


def power(x, n):
    if n < 0:
        return NO_INT
    return x**n if n < 200 or abs(x) < 2 else NO_INT


BINARY = {
    "add_checked": lambda x, y: x + y,
    "subtract_checked": lambda x, y: x - y,
    "multiply_checked": lambda x, y: x * y,
    "left_shift_checked": shift,
    "right_shift_checked": lambda x, n: x >> n if n >= 0 else NO_INT,
    "power_checked": power,
    "floor_divide_checked": lambda x, y: x // y if y else 0,
}


@pytest.mark.parametrize("name", BINARY)
def test_checked_operations_are_pythons_or_overflow(name):
    call, python, r = compiled(name), BINARY[name], random.Random(name)
    small = "shift" in name or "power" in name
    pairs = [(x, y) for x in EXTREME for y in EXTREME]
    pairs += [(number(r), r.randrange(-3, 70) if small else number(r)) for _ in range(8000)]
    for x, y in pairs:
        expected = python(x, y)
        value, left = call(x, y)
        assert left == (not -LIMIT <= expected < LIMIT), (x, y)
        assert left or value == expected, (x, y)


def test_negation_and_absolute_value():
    negative, absolute = compiled("negative_checked", "x"), compiled("absolute_checked", "x")
    for x in EXTREME:
        assert negative(x)[1] == absolute(x)[1] == (x == -LIMIT)
        assert x == -LIMIT or (negative(x)[0], absolute(x)[0]) == (-x, abs(x))


def test_modulo_takes_the_sign_of_the_divisor():
    call, r = compiled("modulo"), random.Random(1)
    for _ in range(8000):
        x, y = number(r), number(r)
        assert call(x, y) == (x % y if y else 0)


def test_true_division_rounds_once():
    call, r = compiled("true_divide"), random.Random(2)
    pairs = [(x, y) for x in EXTREME for y in EXTREME] + [(number(r), number(r)) for _ in range(20000)]
    for x, y in pairs:
        if y:
            assert call(x, y).hex() == (x / y).hex(), (x, y)


def test_integers_compare_exactly_with_floats():
    call, r = compiled("compare_int_float"), random.Random(3)
    special = [float("nan"), float("inf"), -float("inf"), 1e300, -0.0, 2.0**63, -(2.0**63), 0.5]
    for _ in range(8000):
        x = number(r)
        nearest = float(x)
        beside = float(np.nextafter(nearest, r.choice([-np.inf, np.inf])))
        y = r.choice([nearest, nearest + 0.5, beside, float(number(r)), r.choice(special)])
        assert call(x, y) == (2 if y != y else (x > y) - (x < y)), (x, y)


@pytest.mark.parametrize("character", "bBhHiIlL")
def test_numpy_division_wraps_around_and_gives_zero_for_zero(character):
    quotient, remainder = compiled("npy_floor_divide"), compiled("npy_remainder")
    limits = np.iinfo(character)
    values = [v for v in (limits.min, limits.max, 0, 1, 2, 3, 7, -1, -2, -7) if v >= limits.min]
    numbers = np.array(values, character)
    with np.errstate(all="ignore"):
        for x in numbers:
            for y in numbers:
                assert quotient(x, y) == x // y
                assert remainder(x, y) == x % y


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint32, np.int64, np.uint64])
def test_shifts_of_numpys_integers_are_instructions(dtype):
    def shifted(x, n, k):
        return x << n, x >> n, x >> k, x[3] << n[5], x[-1] >> n[0]

    limits = np.iinfo(dtype)
    numbers = [0, 1, 2, 5, 7, 8, 15, 16, 31, 32, 63, 64, 100, int(limits.min), int(limits.max)]
    numbers += [-1, -2, -8, -64] if limits.min else []
    given = np.array(numbers, dtype)
    x, n = np.repeat(given, len(given)), np.tile(given, len(given))
    converted = transpile.convert(shifted, strict=True)
    for k in (0, 3, 7):
        for found, expected in zip(converted(x, n, k), shifted(x, n, k), strict=True):
            np.testing.assert_array_equal(found, expected, strict=True)


def test_the_remainder_of_what_is_near_needs_no_division():
    near = compiled("modulo_near")
    for y in (1, 2, 3, 7, 2**31, 2**61):
        for x in {-y, -y + 1, -1, 0, 1, y - 1, y, y + 1, 2 * y - 1}:
            if -y <= x < 2 * y:
                assert near(x, y) == x % y
