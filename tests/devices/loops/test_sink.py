"""Buffers are made where they are used first."""

import numpy as np

from transpile.devices.loops.statement import Allocate, Fused, If, Nest

LINE = np.linspace(0.0, 1.0, 40)


def order(body):
    """The names of buffers, as they are made (with a plus before) and written in a body."""
    found = []
    for statement in body:
        if isinstance(statement, Allocate):
            found.append(f"+{statement.buffer.name}")
        elif isinstance(statement, (Nest, Fused)):
            parts = statement.parts if isinstance(statement, Fused) else [statement]
            found += [part.target.buffer.name for part in parts if isinstance(part, Nest)]
    return found


def test_a_buffer_is_made_before_the_nest_that_writes_it_first(scheduled):
    def function(x, n):
        t = np.sin(x)
        u = t[1:] * t[:-1]
        v = u[1:] * u[:-1]
        w = v[1:] * v[:-1]
        return w[1:] - w[:-1]

    found = order(scheduled(function, LINE, 3).program.body)
    made = [name for name in found if name.startswith("+")]
    assert len(made) == 4
    for name in made:
        assert found[found.index(name) + 1] == name[1:]


def test_a_buffer_that_only_branches_use_is_made_in_them(scheduled):
    def function(x):
        squares = x * x
        return np.log(squares / squares.sum(axis=1, keepdims=True) + 1.0) * x

    program = scheduled(function, np.linspace(1.0, 2.0, 24).reshape(3, 8)).program
    branches = [statement for statement in program.body if isinstance(statement, If)]
    made = [
        {s.buffer for s in body if isinstance(s, Allocate)}
        for branch in branches
        for body in (branch.then, branch.otherwise)
    ]
    assert any(made) and not any(isinstance(s, Allocate) for s in program.body)


def test_a_buffer_that_is_used_before_a_branch_and_in_it_is_made_before_both(scheduled):
    def function(x, flag):
        t = x[1:] * x[:-1]
        total = t[::2].sum() + t[0]
        if total > flag:
            t[1:] = t[1:] - t[0]
        return t * 2.0, total

    for flag in (-1.0, 1e9):
        scheduled(function, LINE, flag)


def test_a_buffer_of_a_size_that_a_loop_changes_is_made_before_the_change(scheduled):
    def function(x, turns):
        total = 0.0
        n = 3
        for k in range(turns):
            t = x[:n] * k
            n = n + 1
            total += t[1:].sum() - t[:-1].sum()
        return total

    scheduled(function, LINE, 5)
