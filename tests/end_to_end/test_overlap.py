"""Right-hand sides that overlap the array they are stored into see it as it was before."""

from __future__ import annotations

import numpy as np
import pytest

import transpile

from .comparison import call, compare


def ahead(x):
    x[1:-1] = x[2:] + x[1:-1]


def behind(x):
    x[1:-1] = x[:-2] + x[1:-1]


def onto_the_left(x):
    x[:-1] += x[1:]


def onto_the_right(x):
    x[1:] += x[:-1]


def reversed_onto_itself(x):
    x[:] = x[::-1]


def backwards_ahead(x):
    x[::-1][:-1] = x[::-1][1:]


def backwards_behind(x):
    x[::-1][1:] = x[::-1][:-1]


def down_and_back(x):
    x[1:-1, 1:-1] = x[2:, :-2] + x[1:-1, 1:-1]


def up_and_forth(x):
    x[1:-1, 1:-1] = x[1:-1, 2:] + x[:-2, 1:-1]


def mirrored(x):
    x[1:-1, ::-1] = x[2:, :]


def through_a_loop_of_numpy(x):
    x[:, :-1] = np.exp(x[:, 1:])


def transposed(x):
    x[:-1, :-1].T[:] = x[1:, 1:].T


LINES = (
    ahead,
    behind,
    onto_the_left,
    onto_the_right,
    reversed_onto_itself,
    backwards_ahead,
    backwards_behind,
)
PLANES = (down_and_back, up_and_forth, mirrored, through_a_loop_of_numpy, transposed)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("function", LINES + PLANES, ids=lambda function: function.__name__)
def test_the_old_elements_are_read(function, order, device):
    shape = (1200,) if function in LINES else (7, 600)
    x = np.asarray(np.random.default_rng(0).normal(size=shape), order=order)
    compare(call(function, (x,)), call(transpile.convert(function, strict=True, device=device), (x,)))
