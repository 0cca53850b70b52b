"""Chains of ops, each an operand of the next, that are longer than Python's stack is deep."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from transpile import convert

_TURNS = 500


def of_numbers(x):
    def steps():
        for turn in range(_TURNS):
            yield turn % 7

    total = x[0]
    for step in steps():
        total = total * 0.5 + step
    return total


def of_products(x):
    def steps():
        for turn in range(_TURNS):
            yield turn % 7

    total = 0.0
    for step in steps():
        total += x[step] * x[step + 1]
    return total


def of_arrays(x):
    def steps():
        for turn in range(_TURNS):
            yield turn % 7

    for step in steps():
        x = x * 0.5 + step
    return x


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [of_numbers, of_products, of_arrays], ids=lambda f: f.__name__)
def test_chains_may_be_longer_than_the_stack(function: Any, device: str) -> None:
    x = np.arange(9.0)
    np.testing.assert_array_equal(convert(function, strict=True, device=device)(x), function(x))
