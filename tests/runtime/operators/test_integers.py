"""Powers with a modulus, bits of integers, and NumPy's largest ones as Python's."""

import math
import operator
from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...behaviours.harness import observe
from ...end_to_end.comparison import compare


def powers(x, b, m):
    total = 0
    for v in x:
        total += pow(int(v), b, m)
    return total, pow(7, b, m), pow(3, b)


def bits(x):
    total, ones = 0, 0
    for v in x:
        total += int(v).bit_length()
        ones += int(v).bit_count()
    return total, ones, (len(x) > 2).bit_length()


X = np.array([3, -7, 0, 2**40, -(2**33) + 1])
CASES = [
    *((powers, (X, b, m)) for b, m in ((5, 7), (0, 7), (13, -11), (1000, 10**9 + 7), (3, 1), (2, 0), (-1, 5), (4, 2**61 - 1))),
    (bits, (X,)),
    (bits, (X[:1],)),
]  # fmt: skip


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_they_are_pythons(function: Any, arguments: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    compare(observe(function, arguments), observe(converted, arguments))


def of_unsigned(x):
    n = int(x[0])
    return n, n == -1, n > 3, n >> 1, float(n), f"{n}"


def of_known_unsigned():
    x = np.array([2**64 - 1], np.uint64)
    return int(x[0]), int(x[0]) == -1


def sum_of_unsigned(x):
    total = 0
    for v in x:
        total += int(v)
    return total


def steps_of_unsigned(x):
    return math.gcd(x[0], 6), operator.index(x[0]), x.tolist(), x[0].item()


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("largest", [2**64 - 1, 2**63, 2**63 - 1, 3])
@pytest.mark.parametrize("function", [of_unsigned, of_known_unsigned, sum_of_unsigned, steps_of_unsigned])
def test_those_of_64_bits_without_a_sign_stay_positive(function: Any, largest: int, device: str) -> None:
    arguments = () if function is of_known_unsigned else (np.array([largest, 5], np.uint64),)
    converted = convert(function, device=device)
    for _ in range(2):
        compare(observe(function, arguments), observe(converted, arguments))
