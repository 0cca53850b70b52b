"""Functions that are calls of NumPy from compiled code give what they give outside of it."""

from __future__ import annotations

import numpy as np
import pytest

import transpile

from .comparison import call, compare

RANDOM = np.random.default_rng(0)
MATRIX = RANDOM.normal(size=(6, 6))
POSITIVE = MATRIX @ MATRIX.T + 6 * np.eye(6)
SIX, TWENTY = RANDOM.normal(size=6), RANDOM.normal(size=20)


def solved(a, b):
    return np.linalg.solve(a, b) * 2, np.linalg.solve(a, a[:, :2]), np.linalg.inv(a) @ a


def factored(a):
    return np.linalg.det(a) + 1, np.linalg.cholesky(a), np.linalg.eigvalsh(a)


def sorted_anew(x, a):
    return np.sort(x)[::-1], np.argsort(x), x[np.argsort(x)], np.sort(a, axis=0)


def sorted_in_place(x, a):
    x.sort()
    for i in range(len(a)):
        a[i].sort()
        a[i, 0] = np.median(a[i])


def transformed(x, b):
    smooth = np.convolve(x, np.ones(3) / 3, mode="same")
    return np.fft.fft(x), np.abs(np.fft.ifft(np.fft.fft(x) * 2)), smooth, np.correlate(x, b)


def looked_up(x, b):
    return np.searchsorted(np.sort(x), b), np.interp(b, np.arange(20.0), x), np.median(x), np.convolve(x, b)


CASES = [
    (solved, (MATRIX, SIX)),
    (factored, (POSITIVE,)),
    (sorted_anew, (TWENTY, MATRIX)),
    (sorted_in_place, (TWENTY, MATRIX)),
    (transformed, (TWENTY, SIX)),
    (looked_up, (TWENTY, SIX)),
]


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(("function", "arguments"), CASES, ids=lambda case: getattr(case, "__name__", ""))
def test_a_call_of_numpy_gives_what_numpy_gives(function, arguments, device):
    converted = transpile.convert(function, strict=True, device=device)
    compare(call(function, arguments), call(converted, arguments))
    halves = tuple(argument.astype(np.float32) for argument in arguments)
    compare(call(function, halves), call(converted, halves))


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_an_error_of_numpy_comes_from_the_line_that_calls_it(device):
    converted = transpile.convert(solved, strict=True, device=device)
    found = call(converted, (np.zeros((6, 6)), SIX))
    expected = call(solved, (np.zeros((6, 6)), SIX))
    assert type(found.error) is type(expected.error) is np.linalg.LinAlgError
    assert str(found.error) == str(expected.error)
    assert found.raised_at[0] == __file__


def used_on(n, steps, seed=0):
    positions = np.random.default_rng(seed).random((n, 2))
    speeds = np.zeros((n, 2))
    for _ in range(steps):
        for i in range(n):
            for d in range(2):
                speeds[i, d] -= 0.1 * positions[i, d]
                positions[i, d] += 0.1 * speeds[i, d]
    return positions.sum()


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_an_array_that_was_handed_over_is_used_on(device):
    converted = transpile.convert(used_on, strict=True, device=device)
    compare(call(used_on, (5, 3)), call(converted, (5, 3)))
