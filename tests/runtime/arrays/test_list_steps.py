"""Lists of run-time length several times over, and stores to every so many of their items: as Python's lists do."""

from typing import Any

import pytest

from transpile import convert

from ...behaviours.harness import observe
from ...end_to_end.comparison import compare


def grown(n):
    return [i * i for i in range(n)]


def several_times(n):
    things = grown(n)
    more = things * 2
    pairs = [(i, 0.5) for i in range(n)] * (n % 4)
    things *= n - 5
    more[0] = -1
    return things, more, pairs, [1, 2.5] * n, 3 * grown(n), [] * n, len(things * -1), [True] * n * 2


def every_so_many(n):
    things, others = grown(n), list(range(n))
    things[::2] = [0] * len(things[::2])
    others[1::3] = things[1::3]
    others[::-1] = others
    things[n - 2 : 1 : -2] = [-0.5] * len(range(n - 2, 1, -2))
    return things, others


def sieve(n):
    primes = [True] * (n + 1)
    primes[0] = primes[1] = False
    for i in range(2, int(n**0.5) + 1):
        if primes[i]:
            primes[i * i :: i] = [False] * len(primes[i * i :: i])
    return [i for i, is_prime in enumerate(primes) if is_prime], sum(primes)


def sums_of_steps(n):
    things, total = grown(n), []
    for k in range(1, n):
        total.append(sum(things[k // 2 :: k]))
        things[::k] = [v + 1 for v in things[::k]]
    return total, things


def repeated_in_a_loop(n):
    things = [1, 2]
    for k in range(n):
        if len(things) < 100:
            things = things * 2 + [k]
            things *= 2
    return things


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("n", [9, 100])
@pytest.mark.parametrize("function", [several_times, every_so_many, sieve, sums_of_steps, repeated_in_a_loop])
def test_lists_are_what_pythons_are(function: Any, n: int, device: str) -> None:
    compare(observe(function, (n,)), observe(convert(function, strict=True, device=device), (n,)))


def of_another_length(n):
    things = grown(n)
    things[::2] = grown(n)
    return things


def handed_in(things, k):
    things[::k] = [0] * len(things[::k])
    things[1] *= 2
    things *= k
    return len(things)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("length", [5, 40])
def test_errors_and_lists_handed_in_are_as_in_python(length: int, device: str) -> None:
    compare(
        observe(of_another_length, (length,)), observe(convert(of_another_length, device=device), (length,))
    )
    for k in (1, 3, -2):
        arguments = (list(range(length)), k)
        compare(
            observe(handed_in, arguments),
            observe(convert(handed_in, device=device), (list(range(length)), k)),
        )
