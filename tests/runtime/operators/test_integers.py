"""Powers with a modulus, and bits of integers."""

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
