"""Programs that call themselves until run-time values end that: they compile as loops."""

from __future__ import annotations

import sys
from math import sin

import numpy as np
import pytest

import transpile

from .comparison import call, compare
from .programs import Program, Programs, check, counts, name_of, noise

programs = Programs()


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@programs(lambda: (1,), lambda: (11,))
def calls_a_recursion(n):
    return fib(n) + 1


@programs(lambda: (2, 3))
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


@programs(lambda: (noise(40), 0, 39))
def quicksort(a, low, high):
    if low >= high:
        return
    pivot, place = a[high], low
    for k in range(low, high):
        if a[k] < pivot:
            a[place], a[k] = a[k], a[place]
            place += 1
    a[place], a[high] = a[high], a[place]
    quicksort(a, low, place - 1)
    quicksort(a, high=high, low=place + 1)


@programs(lambda: (np.zeros(4, int), 4), lambda: (np.array([1, 0, 1, 1]), 2))
def returns_out_of_a_loop(b, n):
    if n == 0:
        return True
    for v in range(4):
        if b[v] == 0:
            if returns_out_of_a_loop(b, n - 1):
                return True
            b[v] = 1
    return False


def free(board, row, column):
    for k in range(row):
        if board[k] == column or abs(board[k] - column) == row - k:
            return False
    return True


@programs(lambda: (np.zeros(6, int), 0), lambda: (np.zeros(3, int), 0))
def places_queens(board, row):
    if row == len(board):
        return True
    for column in range(len(board)):
        if free(board, row, column):
            board[row] = column
            if places_queens(board, row + 1):
                return True
    return False


@programs(lambda: (counts(6, 7, high=3), 2, 2, 0, 9))
def fills(grid, i, j, old, new):
    if i < 0 or j < 0 or i >= grid.shape[0] or j >= grid.shape[1] or grid[i, j] != old:
        return 0
    grid[i, j] = new
    count = 1
    for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        count += fills(grid, i + di, j + dj, old, new)
    return count


def simpson(f, a, b):
    return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))


def refined(f, a, b, tolerance, whole):
    middle = (a + b) / 2
    left, right = simpson(f, a, middle), simpson(f, middle, b)
    if abs(left + right - whole) <= 15 * tolerance:
        return left + right + (left + right - whole) / 15
    half = tolerance / 2
    return refined(f, a, middle, half, left) + refined(f, middle, b, half, right)


@programs(lambda: (0.0, 3.0, 1e-7))
def integrates(a, b, tolerance):
    return refined(sin, a, b, tolerance, simpson(sin, a, b))


@programs(lambda: (np.zeros(6, int), 0))
def queens(columns, row):
    if row == len(columns):
        return 1
    found = 0
    for column in range(len(columns)):
        for above in range(row):
            if columns[above] == column or abs(columns[above] - column) == row - above:
                break
        else:
            columns[row] = column
            found += queens(columns, row + 1)
    return found


@programs(lambda: (48, 18), lambda: (7, 0))
def divisor(a, b):
    return a if b == 0 else divisor(b, a % b)


@programs(lambda: (noise(20), 0, 20), lambda: (-np.ones(20), 3, 9))
def finds(x, low, high):
    return high - low > 0 and (x[low] > 1.0 or finds(x, low + 1, high))


class Tally:
    def __init__(self):
        self.total = 1


def tallied(tally, n):
    if n <= 0:
        return 0
    tally.total += n
    return tally.total + tallied(tally, n - 1) + tally.total


@programs(lambda: (5,))
def reads_before_it_calls(n):
    tally = Tally()
    return tallied(tally, n), tally.total


@programs(lambda: (3,), gaps="S141-recursion")
def reads_what_only_its_caller_has_bound(n):
    if n > 0:
        bound = n
        reads_what_only_its_caller_has_bound(n - 1)
    return bound


@programs(lambda: (10,), lambda: (7,), lambda: (0,))
def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@programs(lambda: (12,))
def female(n):
    return 1 if n == 0 else n - male(female(n - 1))


def male(n):
    return 0 if n == 0 else n - female(male(n - 1))


def adds(x, k, by):
    if k >= len(x):
        return 0
    x[k] += by
    part = x[k] * 2
    return part + takes(k + 1, x, by)


@programs(lambda: (0, noise(7), 3))
def takes(k, values, by):
    part = k
    if k >= len(values):
        return 1
    values[k] -= by
    return adds(values, k + 1, by) + part


@programs(lambda: (9,))
def enters(n):
    if n == 0:
        return
    print("enters", n)
    leaves(n - 1)
    print("back in", n)


def leaves(n):
    if n > 0:
        enters(n - 1)
    print("leaves", n)


PLUS, OPENED, CLOSED = 10, 20, 21


def expression(tokens, place):
    value, place = term(tokens, place)
    while place < len(tokens) and tokens[place] == PLUS:
        more, place = term(tokens, place + 1)
        value += more
    return value, place


def term(tokens, place):
    if tokens[place] == OPENED:
        value, place = expression(tokens, place + 1)
        return value, place + 1
    return tokens[place], place + 1


@programs(lambda: (np.array([OPENED, 1, PLUS, OPENED, 2, PLUS, 3, CLOSED, CLOSED, PLUS, 5]),))
def parses(tokens):
    return expression(tokens, 0)


def shown(x):
    print(x)
    return x


@programs(lambda: (3, 4))
def evaluates_arguments_as_they_are_written(a, b):
    return a + evaluates_arguments_as_they_are_written(b=shown(b - 1), a=shown(a - 1)) if a > 0 else b


def weighted(weight):
    def down(n):
        return twice(by=1, n=n) if n > 0 else weight

    def twice(n, by):
        return 2 * down(n - by) + weight

    return down


@programs(lambda: (2.5, 9), gaps="S141-recursion")
def calls_inner_functions_that_call_each_other(weight, n):
    return weighted(weight)(n)


@programs(lambda: ([3, 1, 0, 2],), lambda: ([0],))
def an_inner_function_calls_itself_on_lists(order):
    def rank(n, order, places):
        if n == 1:
            return 0
        last = order[n - 1]
        order[n - 1], order[places[n - 1]] = order[places[n - 1]], order[n - 1]
        places[last], places[n - 1] = places[n - 1], places[last]
        return last + n * rank(n - 1, order, places)

    places = [0] * len(order)
    for place, item in enumerate(order):
        places[item] = place
    return rank(len(order), order[:], places)


def reads_what_another_has_bound(n):
    if n > 2:
        bound = n
    result = binds_the_same_name(n - 1) if n > 0 else 2
    return result + bound


@programs(lambda: (9,), gaps="S141-recursion")
def binds_the_same_name(n):
    if n > 3:
        bound = n
    return reads_what_another_has_bound(n - 1) if n > 0 else bound


@programs(lambda: (noise(9),))
def merges(x):
    if len(x) < 2 or x[0] > 1e9:
        return x.copy()
    left, right = merges(x[: len(x) // 2]), merges(x[len(x) // 2 :])
    return np.sort(np.concatenate((left, right)))


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_converted_does_what_it_did(program: Program, device: str) -> None:
    check(program, device)


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


def test_a_recursion_without_end_raises_what_python_raises() -> None:
    converted = transpile.convert(deep)
    for n in (50, 500, sys.getrecursionlimit() + 100, -1):
        compare_without_place(call(deep, (n,)), call(converted, (n,)))
    assert not converted.calls.failures


def compare_without_place(expected, found):
    assert type(expected.error) is type(found.error)
    assert expected.result == found.result


def twice(n):
    return n if n < 2 else twice(n - 1) + twice(n - 2)


def test_another_function_by_the_same_name_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    converted, original = transpile.convert(twice), twice
    for meant in (original, lambda n: 100 * n, original):
        monkeypatch.setitem(globals(), "twice", meant)
        compare(call(original, (6,)), call(converted, (6,)))


class Inner:
    """One whose method calls that of another one like it."""

    def __init__(self, numbers):
        self.numbers = numbers
        self.inner = None

    def evaluate(self, x, order):
        if order == 0:
            return x * self.numbers.sum()
        if self.inner is None:
            self.inner = Inner(self.numbers * 2)
            self.inner.inner = self.inner
        return self.inner.evaluate(x, order - 1)


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_a_method_that_calls_itself_is_refused_for_that_reason() -> None:
    def evaluates(numbers, x, order):
        return Inner(numbers).evaluate(x, order)

    converted = transpile.convert(evaluates, device="host")
    for order in (0, 1, 3):
        arguments = (np.arange(3.0), np.ones(2), order)
        compare(call(evaluates, arguments), call(converted, arguments))
    assert "S290-fault" not in {error.code for error in converted.calls.failures.values()}
