"""Slices whose step run time gives: what is read, stored, and changed in place, is what NumPy reads, stores and changes."""

from typing import Any

import numpy as np
import pytest

from transpile import StagingError, convert

from ...behaviours.harness import observe
from ...end_to_end.comparison import compare


def sieve(n):
    primes = np.ones(n + 1, bool)
    primes[:2] = False
    for i in range(2, int(n**0.5) + 1):
        if primes[i]:
            primes[i * i :: i] = False
    return np.nonzero(primes)[0]


def divisors(n):
    count, total = np.zeros(n, int), np.zeros(n)
    for i in range(1, n):
        count[i::i] += 1
        total[i:n:i] += i * 0.1
    return count, total


def sums(n):
    x = np.sin(np.arange(n * 1.0))
    total = 0.0
    for k in range(1, n):
        part = x[k // 2 :: k]
        total += part.sum() * k + len(part) + part[-1] + np.exp(x[: k * 2 : k])[0]
    return total


def butterflies(n):
    x = np.arange(n * 1.0) % 7 + 1j
    h = 1
    while h < n:
        for k in range(h):
            a, b = x[k :: 2 * h].copy(), x[k + h :: 2 * h] * 0.5
            m = min(len(a), len(b))
            x[k : k + 2 * h * m : 2 * h] = a[:m] + b[:m]
        h = h + h
    return x


def of_matrices(n):
    a = np.arange(n * (n + 3) * 1.0).reshape(n, n + 3)
    total = np.zeros(n + 3)
    for k in range(1, n):
        a[::k, 1::k] += k
        a[k % n, ::k] = -1.0
        a[::k, k] *= 0.5
        total += a[k::k, None].sum(axis=(0, 1))
        a[::k] = a[:1]
        total[::k] = a[::k, ::k][0] + [k] * len(a[0, ::k])
    return a, total


def masked(n):
    x = np.arange(n) % 5
    for k in range(1, n):
        x[::k][x[::k] > 3] = 0
    return x


def not_of_one_length(n):
    x = np.zeros(n)
    for k in range(1, n):
        x[::k] = np.ones(3)
    return x


def of_steps(n, step):
    x = np.zeros(n)
    for k in range(step, n):
        if k:
            x[::k] += 1
    return x


def zero(n):
    x = np.zeros(n)
    for k in range(n, -1, -1):
        x[::k] = k
    return x


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [sieve, divisors, sums, butterflies, of_matrices, masked])
@pytest.mark.parametrize("n", [70, 200])
def test_elements_are_those_of_numpy(function: Any, n: int, device: str) -> None:
    compare(observe(function, (n,)), observe(convert(function, strict=True, device=device), (n,)))


def of_an_argument(x):
    for k in range(1, len(x)):
        x[k::k] += k
    return x.sum()


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("x", [np.arange(90), np.arange(180.0)[::2], np.arange(90.0)[::-1]])
def test_arrays_that_are_handed_in_are_changed(x: Any, device: str) -> None:
    compare(
        observe(of_an_argument, (x,)),
        observe(convert(of_an_argument, strict=True, device=device), (x.copy(),)),
    )
    compare(observe(of_an_argument, (x,)), observe(convert(of_an_argument, device=device), (x,)))


@pytest.mark.parametrize(
    ("function", "arguments"), [(not_of_one_length, (90,)), (of_steps, (90, -80)), (zero, (90,))]
)
def test_errors_and_steps_back_are_those_of_numpy(function: Any, arguments: Any) -> None:
    compare(observe(function, arguments), observe(convert(function, device="host"), arguments))


def seen_by_another_name(n):
    x = np.arange(n)
    for k in range(1, n):
        part = x[::k]
        x[0] = k + 5
        x[1] += part[0]
    return x


def written_in_part(n):
    x = np.arange(n)
    for k in range(1, n):
        x[::k][1:] = 0
    return x


def returned(n):
    x = np.arange(n)
    for k in range(1, n):
        part = x[::k]
    return part


@pytest.mark.parametrize("function", [seen_by_another_name, written_in_part, returned])
def test_what_shows_the_same_memory_is_left_to_numpy(function: Any) -> None:
    with pytest.raises(StagingError):
        convert(function, strict=True, device="host")(90)
    compare(observe(function, (90,)), observe(convert(function, device="host"), (90,)))
