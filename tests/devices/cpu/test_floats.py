"""Float helpers give Python's and NumPy's results to the bit."""

import math
import random
import warnings
from typing import Any

import numpy as np
import pytest
from numba import njit, uint64

import transpile
from transpile.devices.cpu import floats
from transpile.devices.cpu.floats import power, square_power

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.0, 3.0, -3.0, math.inf, -math.inf, math.nan, 5e-324, -5e-324]
SPECIAL += [1e308, -1e308, 2.0**53, 2.0**63, -(2.0**63), 2.0**63 - 1024, 0.1, 1.5, 2.5, -2.5, 1e16, 608.5]


def compiled(name, arguments="x, y"):
    namespace = {"f": getattr(floats, name)}
    exec(f"def call({arguments}):\n    return f({arguments})", namespace)
    return njit(namespace["call"])


def number(r):
    kind = r.random()
    if kind < 0.25:
        return r.choice(SPECIAL)
    if kind < 0.5:
        return float(r.randrange(-50, 50))
    if kind < 0.6:
        return r.randrange(-50, 50) / r.choice([2, 4, 8, 10, 100])
    return r.gauss(0, 1) * 10.0 ** r.randrange(-10, 11)


def pairs(seed, count=10000):
    r = random.Random(seed)
    return [(x, y) for x in SPECIAL for y in SPECIAL] + [(number(r), number(r)) for _ in range(count)]


def same(a, b):
    return (a != a and b != b) or (a == b and math.copysign(1.0, a) == math.copysign(1.0, b))


def test_division_of_floats_is_pythons():
    quotient, remainder = map(compiled, ["float_floor_divide", "float_modulo"])
    for x, y in pairs(1):
        if y != 0:
            assert same(quotient(x, y), x // y), (x, y)
            assert same(remainder(x, y), x % y), (x, y)


@pytest.mark.parametrize("scalar", [np.float32, np.float64])
def test_division_of_numpy_scalars_is_numpys(scalar):
    quotient, remainder = compiled("npy_float_floor_divide"), compiled("npy_float_remainder")
    with np.errstate(all="ignore"):
        for x, y in pairs(2):
            a, b = scalar(x), scalar(y)
            assert same(quotient(a, b), a // b), (a, b)
            assert same(remainder(a, b), a % b), (a, b)


def test_powers_of_numpy_scalars_are_numpys():
    double, single = compiled("power"), compiled("power_single")
    with np.errstate(all="ignore"):
        for x, y in pairs(3):
            assert same(double(x, y), np.float64(x) ** np.float64(y)), (x, y)
            a, b = np.float32(x), np.float32(y)
            assert same(single(a, b), a**b), (a, b)


def test_powers_of_floats_are_pythons_or_say_why_not():
    call = compiled("python_power")
    for x, y in pairs(4):
        value, status = call(x, y)
        try:
            expected = x**y
        except ZeroDivisionError:
            assert status == 1, (x, y)
        except OverflowError:
            assert status == (2 if x < 0 and y != math.floor(y) else 3), (x, y)
        else:
            assert (status == 2) == isinstance(expected, complex), (x, y)
            assert status == 2 or (status == 0 and same(value, expected)), (x, y)


def test_quick_squares_are_those_of_pow():
    @njit
    def count(samples, state, low, exponents):
        bits = np.empty(1, np.uint64)
        number = bits.view(np.float64)
        wrong = 0
        for _ in range(samples):
            state = state * uint64(6364136223846793005) + uint64(1442695040888963407)
            exponent = uint64(low) + (state & uint64(0xFFF)) % uint64(exponents)
            bits[0] = (exponent << uint64(52)) | (state >> uint64(12))
            if square_power(number[0]) != power(number[0], 2.0):
                wrong += 1
        return wrong

    assert count(1_000_000, uint64(1), 1023, 1) == 0
    assert count(300_000, uint64(2), 1, 2046) == 0
    call = compiled("square_power", "x")
    for x in SPECIAL:
        assert same(call(x), np.float64(x) ** np.float64(2.0) if abs(x) < 1e300 else x * x)


def negates(x):
    return x * -1, -1.0 * x, x / -1, -0.0 - x


def adds_nan(x):
    return x + -float("nan"), x * float("nan")


@pytest.mark.parametrize("function", [negates, adds_nan])
@pytest.mark.parametrize(
    "argument", [np.array([np.nan, 1.5, -0.0] * 9), np.full(9, np.nan, np.float32), np.float32(2.5), 2.5]
)
def test_one_nan_keeps_its_sign(function, argument):
    if function is adds_nan:
        argument = np.nan_to_num(argument)
    found = transpile.convert(function, device="cpu", strict=True)(argument)
    for one, other in zip(found, function(argument), strict=True):
        assert np.signbit(one).tolist() == np.signbit(other).tolist()


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
@pytest.mark.parametrize("size", [1, 3, 8, 33, 500])
def test_extremes_and_signs_have_numpys_zeros_and_nans(dtype: type, size: int, same_bits: Any) -> None:
    def extremes(x, y):
        lines = np.empty((3, len(x)), x.dtype)
        for i in range(len(x)):
            lines[0, i], lines[1, i] = np.maximum(x[i], y[i]), np.minimum(x[i], y[i])
        lines[2] = np.minimum(np.maximum(x, y) * 2, y[::-1])
        signs = np.sign(x), np.isinf(y[::2]), np.sign(-x)[::-1], np.sign(x[0]) + np.isinf(x[-1])
        return (
            lines,
            *signs,
            np.maximum(x, 0),
            np.minimum(-0.0, y),
            np.clip(x, y, 1),
            np.maximum(x[::2], y[::2]),
        )

    numbers = np.array([0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, 6e-8, np.nan, -np.nan]).astype(dtype)
    x, y = np.random.default_rng(size).choice(numbers, (2, size))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for found, expected in zip(
            transpile.convert(extremes, strict=True)(x, y), extremes(x, y), strict=True
        ):
            same_bits(found, expected)
