"""Generators that are made inside are NumPy's; one that shares what others draw from is left to plain Python."""

import random

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import StagingError


def of_state(state, n):
    return np.random.default_rng(state).random(n)


def of_bits(bits, n):
    return np.random.Generator(bits).random(n)


@pytest.mark.parametrize(
    ("function", "make"), [(of_state, np.random.RandomState), (of_bits, np.random.PCG64)]
)
def test_generators_of_what_was_there_before_are_left_to_python(function, make):
    with pytest.raises(StagingError, match="S208"):
        transpile.convert(function, strict=True)(make(1), 3)
    with pytest.warns(transpile.FallbackWarning, match="S208"):
        found = transpile.convert(function)(make(1), 3)
    assert found.tolist() == function(make(1), 3).tolist()


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_two_generators_may_share_what_they_draw_from(device):
    def shared(seed, n):
        bits = np.random.MT19937(seed)
        first, second = np.random.Generator(bits), np.random.RandomState(bits)
        total = 0.0
        for _ in range(n):
            total += first.normal() - second.randn() + second.rand()
        return total, first.random(n), np.random.default_rng(first) is first

    converted = transpile.convert(shared, strict=True, device=device)
    for n in (3, 5):
        expected, found = shared(7, n), converted(7, n)
        assert (expected[0], expected[1].tolist(), expected[2]) == (found[0], found[1].tolist(), found[2])


default_rng, seed, gauss = np.random.default_rng, np.random.seed, random.gauss


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_functions_that_draw_go_by_any_name(device):
    def drawn(state, n, make=default_rng):
        seed(state)
        random.seed(state)
        return default_rng(state).random(n), make(state).random(n), np.random.rand(n), gauss(0.0, 1.0)

    converted = transpile.convert(drawn, strict=True, device=device)
    for n in (3, 5):
        expected, found = drawn(7, n), converted(7, n)
        assert [part.tolist() for part in found[:3]] == [part.tolist() for part in expected[:3]]
        assert found[3] == expected[3]
