"""The modules math and cmath, and `round`: what Python gives, and what it raises."""

import cmath
import math
import warnings
from typing import Any

import numpy as np
import pytest

import transpile
from transpile import convert

from ...end_to_end.comparison import call, compare


def of_floats(x):
    return (
        math.modf(x),
        math.frexp(x),
        math.remainder(x, 3),
        math.nextafter(x, 0),
        math.ulp(x),
        math.isclose(x, 2.5),
    )


def of_several(x):
    return (
        math.fsum([x, 0.1, 0.2, -x]),
        math.prod([x, 2, 3]),
        math.dist((x, 0), (0, 1)),
        math.prod([x], start=2.5),
    )


def of_integers(n):
    return math.gcd(n, 12), math.lcm(n, 4), math.isqrt(n), math.comb(n, 2), math.perm(n, 2), math.factorial(n)


def of_complex(z):
    return (
        cmath.sqrt(z),
        cmath.exp(z),
        cmath.phase(z),
        cmath.polar(z),
        cmath.isnan(z),
        cmath.isclose(z, 1j),
        cmath.log(z),
    )


def of_two_parts(a, b):
    return complex(a, b), complex(a, 2), complex(1 + 2j, b)


def of_polar(r, angle):
    return cmath.rect(r, angle)


def rounded(x):
    return round(x), round(-x)


def to_a_base(x, base):
    return math.log(x, base), math.log(x + 1, 2), math.log(10, base)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function, inputs",
    [
        (of_floats, [(2.5,), (3,), (np.float64(-0.0),), (math.inf,), (math.nan,)]),
        (of_several, [(2.5,), (3,), (np.float64(1e300),), (math.inf,)]),
        (of_integers, [(7,), (20,), (21,), (0,), (-4,), (2.5,), (np.int8(5),), (True,)]),
        (of_complex, [(1 + 2j,), (-1.0,), (0j,), (3,), (np.complex128(-1j),)]),
        (of_polar, [(2.0, 0.5), (1, 3), (np.float32(0.1), 2)]),
        (
            of_two_parts,
            [
                (2.0, 1),
                (1, 3 - 1j),
                (np.complex128(1 + 2j), np.int8(3)),
                (np.complex64(2j), np.complex128(3 - 1j)),
                (-0.0, complex(0, -0.0)),
            ],
        ),
        (
            rounded,
            [(2.5,), (7,), (np.float64(3.5),), (np.float32(-0.5),), (np.int16(4),), (math.nan,), (True,)],
        ),
        (to_a_base, [(2.5, 10), (8, 2), (8, 1), (0.0, 2), (3, -1.5), (np.float32(3), 0), (math.inf, 3)]),
    ],
)
def test_functions_of_numbers_are_pythons(function: Any, inputs: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    for arguments in inputs:
        compare(call(function, arguments), call(converted, arguments))


def scaled(x, n):
    return math.ldexp(x, n)


@pytest.mark.parametrize("n", [3, True, np.int64(3), np.int32(-2), 2.0])
def test_ldexp_takes_integers_of_pythons_alone(n: Any) -> None:
    compare(call(scaled, (2.5, n)), call(convert(scaled, device="host"), (2.5, n)))


def of_real_numbers(z):
    try:
        return math.sqrt(z)
    except TypeError as error:
        return str(error)


def rounded_down(z):
    return math.floor(z)


def of_no_second_part(z):
    return complex(z, None)


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("function", [of_real_numbers, rounded_down, of_no_second_part])
def test_complex_numbers_are_none_of_those_that_math_takes(function: Any) -> None:
    compare(call(function, (1j,)), call(convert(function, device="host"), (1j,)))


def cut_off(x):
    return math.trunc(x)


def cut_off_or_not(x):
    try:
        return math.trunc(x)
    except TypeError as error:
        return str(error)


def rounded_or_not(x):
    try:
        return round(x)
    except TypeError as error:
        return str(error)


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize(
    "x",
    [
        3,
        2.7,
        np.float64(-2.7),
        np.float32(2.5),
        np.int32(3),
        np.bool_(True),
        np.array(1.5),
        1j,
        np.complex64(1),
    ],
    ids=lambda x: f"{type(x).__name__}",
)
@pytest.mark.parametrize("function", [cut_off, cut_off_or_not, rounded_or_not])
def test_numbers_without_the_method_are_not_cut_off_or_rounded(function: Any, x: Any) -> None:
    compare(call(function, (x,)), call(convert(function, device="host"), (x,)))


FUNCTIONS = {name: getattr(math, name) for name in dir(math) if not name.startswith("_")}
FUNCTIONS = {name: function for name, function in FUNCTIONS.items() if callable(function)}


@pytest.mark.parametrize("name", [*FUNCTIONS, "complex"])
def test_imaginary_parts_and_numbers_too_many_are_not_lost(name: str) -> None:
    function = FUNCTIONS.get(name, complex)

    def of_one(x: Any) -> Any:
        return function(x)

    def of_two(x: Any) -> Any:
        return function(1, x), function(x, 2)

    def outcome(called: Any, x: Any) -> Any:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            warnings.simplefilter("ignore", transpile.FallbackWarning)
            result = call(called, (x,))
        return result, [str(each.message) for each in told]

    for called in (of_one, of_two):
        converted = convert(called, device="host")
        for x in (
            np.complex128(1 + 2j),
            np.complex64(1.5),
            1j,
            np.array(1j),
            np.array([1j]),
            np.float32(2.5),
        ):
            (expected, told), (found, also_told) = outcome(called, x), outcome(converted, x)
            compare(expected, found)
            assert told == also_told


def to_digits(x: Any, digits: Any) -> Any:
    return round(x, 2), round(x, -1), round(x, digits), [round(x * k, 1) for k in range(3)]


def whole(x: Any, digits: Any) -> Any:
    return x.is_integer(), [(x * k).is_integer() for k in range(3)]


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("kind", ["e", "f", "d", "b", "l", "B"])
@pytest.mark.parametrize("function", [to_digits, whole])
def test_numbers_of_numpy_are_rounded_to_digits(function: Any, kind: str, device: str) -> None:
    converted = convert(function, device=device, strict=True)
    for number in (2.675, 125, 0, 7.5):
        for digits in (1, -1):
            given = np.dtype(kind).type(number), digits
            compare(call(function, given), call(converted, given))


def refused(x: Any, y: Any) -> Any:
    found = []
    for number in (x, y):
        try:
            found.append(number // 3)
        except TypeError as error:
            found.append(str(error))
        try:
            found.append(y & number)
        except TypeError as error:
            found.append(str(error))
    return found


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("x", [np.complex64(1j), 1 + 2j, np.float32(2), 2.5])
@pytest.mark.parametrize("y", [np.int64(5), 7, np.complex128(1)])
def test_operators_refuse_numbers_in_words_of_their_own(x: Any, y: Any) -> None:
    compare(call(refused, (x, y)), call(convert(refused, device="host"), (x, y)))
