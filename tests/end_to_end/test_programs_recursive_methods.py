"""Methods that call themselves through their first parameter, and functions made inside others that call themselves: they compile as loops."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import transpile

from .comparison import call, compare
from .programs import Program, Programs, check, counts, name_of, noise

programs = Programs()


class UnionFind:
    def __init__(self, n):
        self.parent, self.count = list(range(n)), n

    def find(self, x):
        if self.parent[x] != x:
            self.parent[x] = self.find(self.parent[x])
        return self.parent[x]

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a != b:
            self.parent[b] = a
            self.count -= 1


@programs(lambda: (counts(9, 2, high=8), 8), lambda: (counts(0, 2), 2))
def components(edges, n):
    sets = UnionFind(n)
    for a, b in edges:
        sets.union(a, b)
    return sets.count, [sets.find(k) for k in range(n)]


class Board:
    def __init__(self, cells):
        self.cells, self.tried = cells, 0

    def fits(self, k, v):
        return not (self.cells[k // 3] == v).any() and not (self.cells[:, k % 3] == v).any()

    def solve(self, k=0):
        self.tried += 1
        if k == 9:
            return True
        if self.cells[k // 3, k % 3]:
            return self.solve(k + 1)
        for v in range(1, 4):
            if self.fits(k, v):
                self.cells[k // 3, k % 3] = v
                if self.solve(k=k + 1):
                    return True
                self.cells[k // 3, k % 3] = 0
        return False


def cells():
    return np.array([[1, 0, 0], [0, 0, 1], [0, 0, 0]])


@programs(
    lambda: (cells(),),
    lambda: (np.ones((3, 3), int),),
    lambda: (np.array([[1, 2, 0], [0, 0, 0], [0, 0, 3]]),),
)
def latin_square(square):
    board = Board(square)
    return board.solve(), board.tried


@programs(lambda: (Board(cells()),))
def latin_square_of_a_board(board):
    return board.solve(0)


class Sums:
    def __init__(self, rate):
        self.rate = rate

    def down(self, n):
        return self.rate if n <= 0 else n + self.down(n - 1) * self.rate


class OtherSums(Sums):
    def down(self, n):
        return 2 * super().down(n) if n % 2 else 1.5


@programs(lambda: (0.5, 6), lambda: (2, 0))
def sums(rate, n):
    return Sums(rate).down(n)


@programs(
    lambda: (Sums(0.5), 6), lambda: (OtherSums(0.5), 6), lambda: (OtherSums(0.5), 7), gaps="S141-recursion"
)
def sums_of_either_class(thing, n):
    return thing.down(n)


@programs(lambda: (7,), lambda: (4,), gaps="S141-recursion")
def sums_of_a_derived_class(n):
    return OtherSums(0.5).down(n)


@programs(lambda: (5,), gaps="S141-recursion")
def a_method_of_the_object_alone(n):
    thing = Sums(0.5)
    thing.down = lambda n: Sums.down(thing, n - 2) if n > 0 else 7.5
    return Sums.down(thing, n)


# A name of the module's that is a method's, too.
down = 3


def doubled(function):
    return lambda n: 2 * function(n)


@doubled
def decorated(n):
    return 1 if n < 1 else 1 + decorated(n - 1)


@programs(lambda: (4,), lambda: (0,), gaps="S141-recursion")
def decorated_function(n):
    return decorated(n)


@programs(lambda: (4,), lambda: (0,), gaps="S141-recursion")
def decorated_function_inside(n):
    @doubled
    def inside(n):
        return 1 if n < 1 else 1 + inside(n - 1)

    return inside(n)


class Switches:
    def one(self, n):
        return 1 if n <= 0 else 2 + self.other(n - 1)

    def other(self, n):
        return 3 if n <= 0 else 4 * self.one(n - 2)


@programs(lambda: (7,), gaps="S141-recursion")
def methods_that_call_each_other(n):
    return Switches().one(n)


@programs(
    lambda: (counts(5, 6, high=2), 1, 1),
    lambda: (counts(5, 6, high=2), 9, 9),
    lambda: (np.zeros((3, 3), int), 0, 0),
)
def fills(grid, row, column):
    height, width = grid.shape
    out = grid.copy()

    def fill(i, j):
        if i < 0 or j < 0 or i >= height or j >= width or out[i, j] != 0:
            return 0
        out[i, j] = 2
        return 1 + fill(i + 1, j) + fill(i - 1, j) + fill(i, j + 1) + fill(i, j - 1)

    return fill(row, column), out


@programs(lambda: (noise(30),), lambda: (noise(1),), lambda: (noise(0),))
def sorts(a):
    a = a.copy()
    swaps = 0

    def sort(low, high):
        nonlocal swaps
        if low >= high:
            return
        pivot, place = a[high], low
        for k in range(low, high):
            if a[k] < pivot:
                a[place], a[k] = a[k], a[place]
                place += 1
                swaps += 1
        a[place], a[high] = a[high], a[place]
        sort(low, place - 1)
        sort(place + 1, high)

    sort(0, len(a) - 1)
    return a, swaps


@programs(lambda: (5,), lambda: (0,))
def by_a_name_that_is_bound_again(n):
    def down(n):
        return 1 if n <= 0 else 2 * down(n - 1)

    first = down

    def down(n):
        return 5 - n

    return first(n)


@programs(lambda: (5,), lambda: (0,), gaps="S141-recursion")
def by_a_name_that_another_takes(n):
    def down(n):
        return 1 if n <= 0 else 2 * down(n - 1)

    def further(n):
        down = n
        return down + 1

    return down(n) + further(n)


@programs(lambda: (6,), lambda: (-1,))
def inside_a_function_inside(n):
    def outer(n):
        def inner(k):
            return n if k <= 0 else k + inner(k - 1)

        return inner(n) * 2

    return outer(n) + outer(n + 1)


@programs(lambda: (6, 2), lambda: (4, 0))
def raises_at_the_bottom(n, k):
    def down(n):
        if n == 0:
            return 10 // k
        return 1 + down(n - 1)

    return down(n)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", programs.found, ids=name_of)
def test_a_program_converted_does_what_it_does_plainly(program: Program, device: str) -> None:
    check(program, device)


def test_a_method_without_end_raises_what_python_raises() -> None:
    converted = transpile.convert(sums)
    for n in (50, sys.getrecursionlimit() + 100):
        compare(call(sums, (0.5, n)), call(converted, (0.5, n)))
