"""Copies of statements give values to variables of their own, and use these."""

import numpy as np

from transpile.devices.loops.accesses import accesses
from transpile.devices.loops.copies import Copy
from transpile.devices.loops.statement import For, If, Let, Nest
from transpile.runtime.graph.dim import Dim


def blur(x, weights):
    width = x.shape[1] - len(weights) + 1
    total = np.zeros((x.shape[0], width))
    for k, weight in enumerate(weights):
        total += weight * x[:, k : k + width]
    return total


def steps(scheduled):
    """A loop of steps."""
    found = scheduled(blur, np.random.default_rng(1).random((9, 70)), np.linspace(0.0, 1.0, 7))
    return next(s for s in found if isinstance(s, For) and any(isinstance(part, Let) for part in s.body))


def test_variables_are_its_own(scheduled):
    loop = steps(scheduled)
    copy = Copy().statement(loop)
    own, others = accesses(copy), accesses(loop)
    assert len(own.defines) == len(others.defines) and own.defines.isdisjoint(others.defines)
    assert own.uses - own.defines == others.uses - others.defines


def test_something_else_stands_in_the_place_of_some(scheduled):
    loop = steps(scheduled)
    body = Copy({loop.index: 3}).body(loop.body)
    assert loop.index in accesses(*loop.body).uses and loop.index not in accesses(*body).uses
    again = Copy({loop.index: Dim.of_value(loop.index) + 1}).body(loop.body)
    assert loop.index in accesses(*again).uses
    assert [type(s) for s in again] == [type(s) for s in loop.body]


def test_what_runs_in_one_of_two_places_is_known_in_one(scheduled):
    def function(x, weights):
        rows = sum(weight * x[k : len(x) - len(weights) + k] for k, weight in enumerate(weights))
        width = x.shape[1] - len(weights)
        return sum(weight * rows[:, k : k + width] for k, weight in enumerate(weights))

    found = scheduled(function, np.random.default_rng(1).random((20, 90)), np.linspace(0.0, 1.0, 7))
    choices = [s for s in found if isinstance(s, If)]
    assert choices
    for choice in choices:
        ways = [accesses(*way).defines for way in (choice.then, choice.otherwise)]
        assert ways[0].isdisjoint(ways[1])
    assert any(isinstance(s, Nest) for s in found)
