"""Objects that are handed in, whose classes say what their truth, equality, hash and text are."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from transpile import FallbackWarning, convert


class Plain:
    pass


class Special:
    def __init__(self, size=0):
        self.size = size

    def __len__(self):
        return self.size

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 7

    def __str__(self):
        return f"special {self.size}"


def truth(thing, x):
    return x.sum() if thing else 0.0


def equality(thing, x):
    return x.sum() if thing == 3 else 0.0


def inequality(thing, x):
    return x.sum() if thing != 3 else 0.0


def membership(thing, x):
    return x.sum() if thing in (1, 2) else 0.0


def key(thing, x):
    return {thing: x.sum()}[thing], len({thing, thing})


def text(thing, x):
    return x.sum(), str(thing).split(" at ")[0], f"{thing}".split(" at ")[0], repr(thing).split(" at ")[0]


@pytest.mark.parametrize("thing", [Plain(), Special(0), Special(2)], ids=["plain", "empty", "full"])
@pytest.mark.parametrize("function", [truth, equality, inequality, membership, key, text])
def test_special_methods_are_those_of_the_object(function: Any, thing: Any) -> None:
    x = np.arange(4.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert convert(function, device="host")(thing, x) == function(thing, x)
