"""Generators: what a trace leaves of them is closed without a word."""

import sys
from typing import Any

import numpy as np
import pytest

from transpile import convert


def leaves(things):
    for thing in things:
        if isinstance(thing, list):
            yield from leaves(thing)
        else:
            yield thing


def first_leaf(things, x):
    return next(leaves(things)) + x


def test_generators_that_yield_from_others_are_closed_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    given = [[[1.5, "a"], "b"], "c"], np.arange(3.0)
    np.testing.assert_array_equal(convert(first_leaf, strict=True, device="host")(*given), first_leaf(*given))
    assert not told
