"""What a call may take, before anything of it is traced."""

from typing import Any

import numpy as np
import pytest

from transpile.turns import length, loop_depth, promised


def straight(x):
    return x + 1


def single(x):
    return [v + 1 for v in x]


def nested(x):
    n = len(x)
    while n > 0:
        for i in range(n):
            n -= sum(v * i for v in x)
    return n


def steps(x):
    for _ in range(500):
        x = outer(x)
    return x


def outer(x):
    for a in x:
        for b in x:
            x[0] = a * b
    return x


class Field:
    def __init__(self, n: int) -> None:
        self.cells = np.zeros((n, 2))

    def run(self) -> None:
        for _ in range(10):
            self.step()

    def step(self) -> None:
        for i in range(len(self.cells)):
            for j in range(len(self.cells)):
                self.cells[i] += self.cells[j]


@pytest.mark.parametrize("function, depth", [(straight, 0), (single, 1), (outer, 2), (nested, 3)])
def test_depth_counts_loops_one_in_the_other(function: Any, depth: int) -> None:
    assert loop_depth(function.__code__) == depth


def test_length_is_that_of_the_longest_thing_within() -> None:
    assert length(np.zeros((3, 40))) == 40 and length(-7) == 7 and length("text") == 4
    assert length(([1, 2], np.zeros(9))) == 9 and length(Field(30)) == 30
    assert length(Field) == length(np) == length(straight) == length(2.5) == 0


def test_what_is_short_for_sure_promises_little_and_what_may_be_long_much() -> None:
    assert promised(straight, [np.zeros(10)]) < 1e-5
    assert promised(outer, [np.zeros(9)]) < 1e-3 < 0.1 < promised(outer, [np.zeros(1000)])
    # The number stands in the function, and the loops are in one that it calls.
    assert promised(steps, [np.zeros(9)]) > 1.0


def relax(grid):
    new = grid.copy()
    new[1:-1] = 0.5 * (grid[:-2] + grid[2:])
    return abs(new - grid).max()


def until_it_rests(grid, tolerance):
    change = 1.0
    while change > tolerance:
        change = relax(grid)


def test_work_on_whole_arrays_counts_and_loops_that_nothing_bounds_may_turn_often() -> None:
    assert promised(relax, [np.zeros((600, 800))]) < 0.1
    assert promised(until_it_rests, [np.zeros((600, 800)), 0.1]) > 0.3
    assert promised(until_it_rests, [np.zeros((6, 8)), 0.1]) < 0.1


def test_methods_that_a_method_calls_count() -> None:
    assert promised(Field.run, [Field(10)]) < 0.1 < 1.0 < promised(Field.run, [Field(1000)])


def fields(n):
    field = Field(n)
    field.run()
    return field.cells


def test_methods_of_what_a_function_makes_count() -> None:
    assert promised(fields, [10]) < 0.1 < 1.0 < promised(fields, [1000])


def test_functions_that_call_each_other_come_to_an_end() -> None:
    def again(x):
        for _ in x:
            again(x)

    assert promised(again, [np.zeros(3)]) > 0
