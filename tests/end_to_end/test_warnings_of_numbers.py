"""NumPy's warnings of its own numbers: of what Python's functions and generators do with them, of truths, and of numbers of which run time decides the type."""

import functools
import itertools
import math
import operator
import warnings

import numpy as np
import pytest

import transpile


def outcome(function, arguments):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", transpile.FallbackWarning)
        result = repr(function(*arguments))
    return result, [(str(each.message), each.lineno) for each in told]


def check(function, *arguments):
    converted = transpile.convert(function, strict=True)
    for _ in range(3):
        assert outcome(converted, arguments) == outcome(function, arguments)
    return outcome(function, arguments)[1]


def added(x):
    return sum(x), sum([x[0], x[1]]), sum((v for v in x), x[0])


def of_generators(x):
    found = max(x[0] - v for v in x), min(v - x[1] for v in x), any(v + x[0] > 200 for v in x)
    return found, sorted(x[0] - v for v in x), [list(v * v for v in x), tuple(-v for v in x)]


def of_iterators(x):
    total = functools.reduce(lambda one, other: one - other, (v * v for v in x))
    pairs = [a - b for a, b in zip((v + v for v in x), (v - x[1] for v in x), strict=True)]
    running = list(itertools.accumulate(v + v for v in x))
    return total, pairs, running, list(map(operator.neg, (v + v for v in x))), next(v * v for v in x)


def of_arrays(x):
    return np.fromiter((x[0] - v for v in x), x.dtype), math.prod(v + x[0] for v in x)


@pytest.mark.parametrize("function", [added, of_generators, of_iterators, of_arrays])
@pytest.mark.parametrize("kind", "bBhl")
def test_functions_of_python_tell_of_integers_that_wrap_around(function, kind):
    largest = np.iinfo(kind).max
    assert check(function, np.array([1, largest, 3, largest], kind))


def divided(x, y):
    return (
        divmod(x, y),
        divmod(x[0], y[0]),
        [divmod(a, b) for a, b in zip(x, y, strict=True)],
        pow(x[0], y[0]),
    )


@pytest.mark.parametrize("kind", "bBlfd")
def test_divmod_is_told_of_by_its_name(kind):
    arguments = np.array([3, 7, 0], kind), np.array([0, 2, 0], kind)
    converted = transpile.convert(divided)
    for _ in range(3):
        assert outcome(converted, arguments) == outcome(divided, arguments)


def of_a_truth_first(x, k):
    true = x > 0
    return true + k, true - k, true * k, true // (k - k), true % (k - k)


def of_a_truth_last(x, k):
    true = x > 0
    return k + true, k - true, k // (true ^ true), k % (true ^ true)


@pytest.mark.parametrize("function", [of_a_truth_first, of_a_truth_last])
@pytest.mark.parametrize("kind", "bBhlLfd")
def test_truths_leave_the_operators_to_the_ufuncs_where_they_come_first(function, kind):
    largest = np.finfo(kind).max if kind in "fd" else np.iinfo(kind).max
    assert check(function, np.float64(2), np.dtype(kind).type(largest))


def greatest_divisor(a, b):
    while b:
        a, b = b, a % b
    return a


def multiplied(x):
    product = 1
    for item in x:
        product *= item
    return product


def of_one_type_or_another(x, k):
    number = 3 if k > 2 else x[0]
    return number % x[1], number // x[1], number * x[2], x[2] * number, x[2] - number


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (greatest_divisor, (np.uint8(12), np.int8(18))),
        (greatest_divisor, (np.int16(12), np.int8(18))),
        (multiplied, (np.array([1.5, np.nan, np.inf, 0.0], np.float32),)),
        (multiplied, (np.array([2.0, np.inf, 3.0]),)),
        *(
            (of_one_type_or_another, (np.array(x, kind), k))
            for kind in "bBlfd"
            for x in ([4, 3, 5], [0, 3, 100], [4, 0, 2])
            for k in (1, 3)
        ),
        *((of_one_type_or_another, (np.array([4, 3, np.inf], kind), k)) for kind in "fd" for k in (1, 3)),
        *((of_one_type_or_another, (np.array([0, 3, np.inf], kind), k)) for kind in "fd" for k in (1, 3)),
    ],
)
def test_what_a_number_is_not_has_no_errors(function, arguments):
    converted = transpile.convert(function, strict=True)
    overflowing = tuple(
        np.full_like(a, 100) * a.dtype.type(100) if isinstance(a, np.ndarray) else a for a in arguments
    )
    for given in (arguments, overflowing, arguments, arguments):
        assert outcome(converted, given) == outcome(function, given)
