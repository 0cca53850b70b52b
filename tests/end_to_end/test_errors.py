"""Programs that fail: they raise what Python and NumPy raise, at the user's line, and leave arguments and output as plain Python does.

Each runs on bad input twice: traced on it, and traced on good input before. What fails stands at the top of a function, inside of
`if`, `while` and `for` on run-time values, after writes and prints, and in a function that is called.

The assertions are the programs' own: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import FallbackWarning

from .comparison import call, compare


class Unsettled(Exception):
    """An exception of the user's own."""

    def __init__(self, steps, change):
        super().__init__(f"unsettled after {steps} steps, by {change}")
        self.steps = steps
        self.change = change


class Refused(ValueError):
    pass


@dataclass
class Case:
    """A function, input on which it fails, and input on which it does not."""

    function: Callable[..., Any]
    bad: tuple[Any, ...]
    good: tuple[Any, ...]


CASES: list[Case] = []


def fails(*bad: Any, good: tuple[Any, ...]) -> Callable[[Any], Any]:
    def register(function: Any) -> Any:
        CASES.append(Case(function, bad, good))
        return function

    return register


def ones(*shape):
    return np.ones(shape)


def up(n):
    return np.arange(float(n))


# -- wrong shapes -------------------------------------------------------------------------------------------------


@fails(ones(3), ones(4), good=(ones(3), ones(3)))
def shapes_that_do_not_broadcast(x, y):
    return x + y


@fails(ones(2), ones(2), good=(ones(2), ones(2, 2)))
def product_in_place_with_a_vector(a, b):
    a @= b
    return a


@fails(ones(2, 3), ones(3, 2), good=(ones(2, 3), ones(2, 3)))
def in_place_shapes(x, y):
    x[0] = 7
    x += y
    return x


@fails(ones(3), ones(2, 3), good=(ones(3), ones(3)))
def in_place_result_is_larger(x, y):
    x *= 2
    x += y


@fails(ones(2, 3), ones(2, 3), good=(ones(2, 3), ones(3, 3)))
def inner_dims(a, b):
    a[0, 0] = 5
    return a @ b


@fails(ones(2, 3), ones(2), good=(ones(2, 3), ones(3)))
def inner_dims_of_dot(a, v):
    print("before")
    return np.dot(a, v)


@fails(ones(2, 3), ones(3, 4), good=(ones(2, 3), ones(3, 3)))
def joined_shapes(a, b):
    return np.concatenate([a, b])


@fails(ones(2), ones(3), good=(ones(2), ones(2)))
def stacked_shapes(a, b):
    return np.stack([a, b])


@fails(ones(7), 3, good=(ones(6), 3))
def reshaped(x, n):
    x[0] = 2
    return x.reshape(n, 2)


@fails(ones(7), good=(ones(6),))
def reshaped_with_unknown(x):
    return x.reshape(2, -1)


@fails(ones(4), ones(3), good=(ones(4), ones(4)))
def assigned(x, y):
    x[0] = 3
    x[:] = y


@fails(ones(5), ones(3), 2, good=(ones(5), ones(2), 2))
def assigned_to_a_slice(x, y, n):
    for i in range(2):
        x[i] += 1
        x[:n] = y
    return x


@fails(ones(2, 3), good=(ones(2, 2),))
def unpacked(a):
    x, y = a[0]
    return x + y


@fails(ones(2, 3), ones(2), good=(ones(2, 3), ones(3)))
def rows_in_a_loop(a, v):
    total = 0.0
    for row in a:
        row[0] = 9
        total += (row * v).sum()
    return total


# -- indices ------------------------------------------------------------------------------------------------------


@fails(up(3), 3, good=(up(3), 2))
def index_read(x, i):
    return x[i]


@fails(up(3), -4, good=(up(3), -3))
def negative_index_read(x, i):
    return x[i] + 1


@fails(up(3), 5, good=(up(3), 1))
def index_written(x, i):
    x[0] = 10
    print("writing", i)
    x[i] = 1


@fails(ones(2, 3), 1, 3, good=(ones(2, 3), 1, 2))
def index_of_the_second_axis(a, i, j):
    a[i, 0] = 2
    return a[i, j]


@fails(ones(2, 3), 2, good=(ones(2, 3), 1))
def index_of_a_row(a, i):
    a[0] = 0
    a[i] += 1
    return a


@fails(up(3), 4, good=(up(6), 4))
def index_in_a_loop(x, n):
    for i in range(n):
        x[i] *= 2
        print(i)


@fails(up(4), good=(np.array([1.0, 0.0, 5.0]),))
def index_in_a_while(x):
    i = 0
    while x[i] >= 0:
        x[i] += 1
        i += 1
        if i == 3 and x[1] == 1.0:
            break
    return i


@fails(up(3), 7, 1.0, good=(up(3), 1, 1.0))
def index_in_an_if(x, i, flag):
    if flag > 0:
        x[0] = -1
        return x[i]
    return x[0]


@fails(up(4), np.array([0, 1, 4]), good=(up(4), np.array([0, 1, 3])))
def indices_in_an_array(x, i):
    x[0] = 3
    return x[i]


@fails(up(4), np.array([0, -5]), good=(up(4), np.array([0, -1])))
def indices_in_an_array_written(x, i):
    print(x.sum())
    x[i] = 1
    return x


@fails(up(3), [0, 3], good=(up(3), [0, 2]))
def indices_in_a_list(x, i):
    return x[i]


@fails(up(4), np.array([True, False]), good=(up(2), np.array([True, False])))
def mask_of_another_length(x, m):
    x[0] = 4
    return x[m]


@fails([1, 2, 3], 3, good=([1, 2, 3], 2))
def index_of_a_list(x, i):
    return x[i]


@fails(up(0), good=(up(2),))
def first_of_nothing(x):
    return x[0]


@fails(up(0), good=(up(2),))
def largest_of_nothing(x):
    return x.max()


@fails(up(0), good=(up(2),))
def place_in_nothing(x):
    print("argmax")
    return np.argmin(x)


@fails(up(3), good=(ones(3, 2),))
def too_many_indices(x):
    return x[0, 0]


def _take(x, i):
    x[0] += 1
    return x[i]


def _take_twice(x, i):
    y = _take(x, 0)
    return y + _take(x, i)


@fails(up(3), 3, good=(up(3), 2))
def index_in_nested_calls(x, i):
    print("calling")
    return _take_twice(x, i)


@fails(up(3), 3, good=(up(3), 2))
def index_in_a_comprehension(x, n):
    return [x[i + 1] for i in range(n)]


@fails(up(3), good=(up(5),))
def index_after_prints(x):
    for i in range(5):
        print(i, x[i])


# -- numbers ------------------------------------------------------------------------------------------------------


@fails(1, 0, good=(1, 2))
def divided(a, b):
    return a / b


@fails(1, 0, good=(1, 2))
def floor_divided(a, b):
    return a // b


@fails(5, 0, good=(5, 3))
def modulo(a, b):
    return a % b


@fails(1.0, 0.0, good=(1.0, 2.0))
def floats_divided(a, b):
    return a / b


@fails(1.5, 0.0, good=(1.5, 2.0))
def floats_floor_divided(a, b):
    return a // b


@fails(1.5, 0.0, good=(1.5, 2.0))
def floats_modulo(a, b):
    return a % b


@fails(1j, 0j, good=(1j, 2j))
def complex_divided(a, b):
    return a / b


@fails(7, 0, good=(7, 2))
def both_at_once(a, b):
    return divmod(a, b)


@fails(0, -1, good=(2, 1))
def zero_to_a_negative_power(a, b):
    return a**b


@fails(0.0, -1.0, good=(2.0, 1.0))
def zero_float_to_a_negative_power(a, b):
    return a**b


@fails(10.0, 400.0, good=(10.0, 2.0))
def power_out_of_range(a, b):
    return a**b


@fails(ones(3), 3, good=(ones(3), 5))
def divided_in_a_loop(x, n):
    for i in range(5):
        x[0] = i
        print(i)
        x[1] = 1 / (n - i)
    return x


@fails(ones(3), 0, good=(ones(3), 2))
def divided_after_a_write(x, n):
    x *= 2
    return x, 1 // n


@fails(ones(3), 2, good=(ones(3), 3))
def divided_in_a_while(x, n):
    k = 5
    while k > n - 3:
        x += 1 / k
        k -= 1
    return x


@fails(1, -1, good=(1, 3))
def shifted(a, b):
    return a << b


@fails(8, -2, good=(8, 1))
def shifted_right_after_a_print(a, b):
    print("shift")
    return a >> b


@fails(-1.0, good=(4.0,))
def root(x):
    return math.sqrt(x)


@fails(0.0, good=(2.0,))
def logarithm(x):
    return math.log(x)


@fails(2.0, good=(0.5,))
def arc_sine(x):
    return math.asin(x)


@fails(1000.0, good=(1.0,))
def exponential(x):
    return math.exp(x)


@fails(0.0, good=(1.5,))
def gamma_of_zero(x):
    return math.gamma(x)


@fails(np.array([4.0, 1.0, -1.0]), good=(up(3),))
def root_in_a_loop(x):
    for i in range(len(x)):
        x[i] = math.sqrt(x[i])
    return x


@fails(float("nan"), good=(1.5,))
def integer_of_nan(x):
    return int(x)


@fails(float("inf"), good=(1.5,))
def floor_of_infinity(x):
    return math.floor(x)


@fails(np.arange(3), -1, good=(np.arange(3), 2))
def integers_to_a_negative_power(x, n):
    print("power")
    return x**n


@fails(np.arange(3, dtype=np.uint8), 300, good=(np.arange(3, dtype=np.uint8), 200))
def integer_out_of_bounds(x, n):
    x[0] = 1
    return x + n


@fails(np.arange(3, dtype=np.int8), 1000, good=(np.arange(3, dtype=np.int8), 10))
def integer_out_of_bounds_assigned(x, n):
    x[0] = 1
    x[1] = n


@fails(3, 0, 1, good=(3, 0, 0))
def range_without_step(n, step, use):
    total = 0
    for i in range(0, n, step if use else 1):
        total += i
    return total


# -- names and statements -----------------------------------------------------------------------------------------


@fails(-1.0, good=(1.0,))
def unbound_local(x):
    if x > 0:
        y = 2
    return y * x


@fails(0, ones(2), good=(2, ones(2)))
def unbound_after_a_loop(n, x):
    x[0] = 5
    for i in range(n):
        last = i
    return last


@fails(0, ones(2), good=(2, ones(2)))
def unbound_loop_variable(n, x):
    print("loop")
    for i in range(n):
        x[0] += i
    return i


@fails(1.0, good=(-1.0,))
def unbound_global(x):
    if x > 0:
        return not_defined_anywhere  # noqa: F821
    return x


@fails(ones(2), -1.0, good=(ones(2), 1.0))
def deleted(x, y):
    z = x + 1
    if y < 0:
        del z
    x[0] = 3
    return z


@fails(ones(2), 5, good=(ones(2), 1))
def asserted(x, n):
    x[0] = n
    assert n < 3, f"n is {n}, not {n - 2}"
    return x


@fails(ones(2), good=(up(2),))
def asserted_without_message(x):
    print(x[0])
    assert x[0] == 0
    return x


@fails(ones(3), 1.0, good=(up(3) * 0, 1.0))
def asserted_in_a_loop(x, limit):
    for i, v in enumerate(x):
        x[i] = -1
        assert v < limit, (i, v)


@fails(ones(2), 3, good=(ones(2), 0))
def raised_own(x, n):
    x += 1
    for k in range(5):
        x[0] *= 2
        print("step", k)
        if k == n - 1:
            raise Unsettled(k, x[0])
    return x


@fails(-1, good=(1,))
def raised_at_the_top(n):
    if n < 0:
        raise Refused("n is negative", n)
    return n


@fails(-1.5, good=(1.0,))
def raised_with_format(x):
    if x < 0:
        raise ValueError("x = {:.3f}, %s".format(x) % "bad")
    return x


@fails(ones(3), good=(up(3) * 0,))
def raised_in_a_while(x):
    k = 0
    while True:
        x[k] += 1
        if x[k] == 2.0 and k == 1:
            raise RuntimeError("two")
        k += 1
        if k == 3:
            return x


@fails(ones(3), 1, good=(ones(3), 0))
def raised_without_call(x, n):
    x[1] = n
    if n:
        raise KeyError
    return x


@fails(ones(3), 1, good=(ones(3), 0))
def raised_from(x, n):
    x[1] = n
    if n:
        raise Refused("n", n) from None
    return x


def _settle(x, n):
    print("settling", n)
    while x[0] < 10:
        x[0] += 1
        n -= 1
        if n == 0:
            raise Unsettled(n, float(x[0]))
    return n


@fails(ones(2), 3, good=(ones(2), 30))
def raised_by_a_helper(x, n):
    x[1] = 4
    return _settle(x, n) + 1


class Body:
    def __init__(self, x):
        self.x = x

    def check(self, limit):
        if self.x.sum() > limit:
            raise Refused(f"sum is {self.x.sum()}")
        self.x += 1


@fails(ones(2), 4.5, good=(ones(2), 100.0))
def raised_by_a_method(x, limit):
    body = Body(x)
    for _ in range(3):
        body.check(limit)
    return body.x


# -- types --------------------------------------------------------------------------------------------------------


@fails(ones(2), "a", good=(ones(2), 1.0))
def added_to_text(x, y):
    x[0] = 2
    return x[0] + 1, y + 1


@fails(ones(2), None, good=(ones(2), 1.0))
def added_to_none(x, y):
    return x + y


@fails(1, good=(ones(2),))
def number_indexed(x):
    return x[0]


@fails(np.array(2.0), good=(ones(2),))
def length_of_no_axes(x):
    return len(x)


@fails(3, good=(ones(2),))
def length_of_a_number(x):
    return len(x)


@fails(ones(3), good=(np.ones(1, int),))
def truth_of_an_array(x):
    if x:
        return 1
    return 0


@fails(ones(3), 1.0, good=(ones(3), 1))
def float_as_index(x, i):
    return x[i]


@fails(ones(3), 2.0, good=(ones(3), 2))
def float_as_range(x, n):
    x[0] = 5
    for i in range(n):
        x[i] = i
    return x


@fails(np.arange(3), good=(ones(3),))
def divided_in_place(x):
    x += 1
    x /= 2
    return x


@fails(ones(3), good=(np.arange(3),))
def bits_of_floats(x):
    x[0] = 1
    return x & 1


@fails(np.array([True, False]), good=(ones(2),))
def negative_of_bools(x):
    return -x


@fails(ones(2), 1, good=(ones(2), 0))
def unknown_attribute(x, n):
    if n:
        return x.no_such_attribute
    return x


@fails(ones(2), 1, good=(ones(2), 0))
def missing_argument(x, n):
    return _take(x) if n else _take(x, 0)


@fails(ones(2), 1, good=(ones(2), 0))
def one_is_not_enough(x, n):
    x[0] = 3
    a, b = (x, n) if not n else (x,)
    return a, b


@fails(ones(2, 2), 5, good=(ones(2, 2), 1))
def axis_out_of_range(x, axis):
    return x.sum(axis=axis)


@fails({"a": 1.0}, good=({"a": 1.0, "b": 2.0},))
def missing_key(parameters):
    return parameters["a"] + parameters["b"]


def outcome_of(function, arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        return call(function, arguments)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.function.__name__)
def test_bad_input_raises_what_python_raises(case: Case, device: str) -> None:
    expected = outcome_of(case.function, case.bad)
    assert expected.error is not None
    traced_on_bad = transpile.convert(case.function, device=device)
    compare(expected, outcome_of(traced_on_bad, case.bad))
    compare(expected, outcome_of(traced_on_bad, case.bad))
    traced_on_good = transpile.convert(case.function, device=device)
    good = outcome_of(case.function, case.good)
    assert good.error is None
    compare(good, outcome_of(traced_on_good, case.good))
    compare(expected, outcome_of(traced_on_good, case.bad))
    compare(good, outcome_of(traced_on_good, case.good))
    compare(expected, outcome_of(traced_on_good, case.bad))
