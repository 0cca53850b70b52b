"""What compilers make a choice between two known numbers of, as quotients of truths, warns as in NumPy: no flag tells of it."""

import warnings

import numpy as np
import pytest

from transpile import convert


def divided(a):
    return 3 / a


def of_what_is_left(a):
    return 1 / (1 - a.astype(float))


def of_a_choice(a):
    return 1.0 / np.where(a, 1.0, 0.0)


def by_zero(a):
    return a.astype("f4") / np.float32(0)


def too_large(a):
    return 1e300 * a * 1e300


def chosen_too_large(a):
    return np.where(a, 1e300, 1.0) * 1e300


def infinite(a):
    return np.where(a, np.inf, 1.0) - np.inf


def in_a_loop(a):
    total = 0.0
    for i in range(len(a)):
        total += 3.0 / np.float64(a[i])
    return total


def summed(a):
    return (1.0 / a).sum()


def harmless(a):
    return a * 0.5 + (1 - a), np.where(a, 2.0, 3.0) * 4.0, 1.0 / (a + 1.0)


FUNCTIONS = [
    divided, of_what_is_left, of_a_choice, by_zero, too_large, chosen_too_large, infinite, in_a_loop, summed, harmless
]  # fmt: skip


def outcome(function, a):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = np.asarray(function(a))
    found[np.isnan(found)] = np.nan
    return found.tobytes(), [(str(each.message), each.lineno) for each in told]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_numbers_of_truths_warn_as_in_numpy(function):
    converted = convert(function)
    for size in (3, 8, 33):
        for kind in ("both", "all", "none"):
            a = np.arange(size) % 2 == 0 if kind == "both" else np.full(size, kind == "all")
            assert outcome(converted, a) == outcome(function, a), (size, kind)


def exponents(a):
    return np.frexp(np.where(a, 1.0, 5.0)) + np.frexp(np.array([1.0, np.inf, 3.0]))


def test_exponents_of_what_is_known_are_compiled():
    converted = convert(exponents, strict=True)
    a = np.array([True, False])
    for _ in range(2):
        for one, other in zip(exponents(a), converted(a), strict=True):
            assert one.dtype == other.dtype
            assert one.tobytes() == other.tobytes()
