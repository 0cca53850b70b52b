"""Functions with loops that can be compiled by themselves, and others that only look like it."""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], int]] = {}
X = np.linspace(0.0, 3.0, 7)


def program(*arguments: Any, compiled: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a function, what it is called with, and how many of its pieces must run compiled."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[function.__name__] = function, arguments, compiled
        return function

    return declare


def unknown(*things):
    return zlib.crc32(repr(things).encode())


@program(X, compiled=1)
def loop_between_unknown_calls(x):
    a = unknown(1)
    total = 0.0
    for i in range(len(x)):
        total += x[i]
    return total, a, unknown(2)


@program(X, 20, compiled=1)
def partial_sum_seen_by_a_handler(x, n):
    total = 0.0
    try:
        for i in range(n):
            total += x[i]
    except IndexError as error:
        return total, i, str(error)
    return total


@program(X, 5, compiled=1)
def no_error_within_try(x, n):
    total = 0.0
    try:
        for i in range(n):
            total += x[i]
    except IndexError:
        total = -1.0
    else:
        total *= 2
    finally:
        x[0] = total
    return total


@program(X, 20, compiled=0)
def writes_before_an_error_that_is_handled(x, n):
    done = 0
    try:
        for i in range(n):
            x[i] += 1
            done += 1
    except IndexError:
        pass
    return done


@program(X, 20, compiled=1)
def writes_before_an_error_that_leaves(x, n):
    unknown()
    for i in range(n):
        x[i] += 1
    return x


@program(X, compiled=1)
def suppressed_error(x):
    k = 0
    with suppress(IndexError):
        for i in range(100):
            k = i
            k += int(x[i] > 1)
    return k


@program(X, 1.0, compiled=1)
def return_from_a_loop(x, limit):
    unknown()
    for i in range(len(x)):
        if x[i] > limit:
            return i
    unknown()
    return -1


@program(X, 100.0, compiled=1)
def no_return_from_a_loop(x, limit):
    count = unknown()
    for i in range(len(x)):
        count += 1
        if x[i] > limit:
            return i
    unknown()
    return count


@program(X, compiled=0)
def return_through_finally(x):
    log = []
    try:
        for i in range(len(x)):
            if x[i] > 1:
                return i, log
    finally:
        log.append(unknown())


@program(X, compiled=2)
def loops_within_a_loop_that_is_not_compiled(x):
    table = {}
    total = 0.0
    for name in ("a", "b"):
        table[unknown(name)] = name
        for i in range(len(x)):
            total += x[i]
        unknown()
        for i in range(len(x)):
            x[i] += total
    return list(table.values()), total


@program(X, compiled=1)
def list_that_grows(x):
    unknown()
    out = []
    for i in range(len(x)):
        out.append(x[i] * 2)
    unknown()
    return out


@program(X, compiled=1)
def while_true_that_binds_a_name(x):
    unknown()
    i = 0
    while True:
        last = x[i]
        if last > 1:
            break
        i += 1
    unknown()
    return last, i


@program(X, compiled=1)
def last_value_of_a_loop(x):
    unknown()
    for i in range(len(x)):
        last = x[i] * 2
    unknown()
    return last, i


@program(np.zeros(0), compiled=1)
def no_last_value(x):
    unknown()
    for i in range(len(x)):
        last = x[i] * 2
    unknown()
    return last


@program(X, False, compiled=0)
def name_unbound_before(x, given):
    if given:
        start = 1.0
    unknown()
    for i in range(len(x)):
        start += x[i]
    return start


@program(X, compiled=1)
def name_bound_in_one_branch(x):
    if unknown():
        start = 1.0
    for i in range(len(x)):
        start += x[i]
    unknown()
    return start


@program(X, compiled=1)
def same_array_under_another_name(x):
    unknown()
    y = x
    best = y
    for i in range(3):
        best = y
        y[i] = 7.0
    unknown()
    return best is x, best is y, x


@program(X, compiled=1)
def view_of_the_callers_array(x):
    v = x[1:]
    unknown()
    for i in range(len(v)):
        v[i] = -v[i]
    w = v
    return w.base is x, x, w is v


@program(X, compiled=0)
def captured_and_bound_in_the_loop(x):
    total = 0.0

    def look():
        return total

    seen = []
    for i in range(len(x)):
        total += x[i]
        seen.append(look())
    return seen


@program(X, compiled=1)
def captured_but_only_read(x):
    scale = 2.0

    def look():
        return scale

    unknown()
    total = 0.0
    for i in range(len(x)):
        total += x[i] * scale
    return total, look(), unknown()


@program(X, compiled=0)
def changed_from_inside_while_the_loop_runs(x):
    count = 0

    def add():
        nonlocal count
        count += 1

    total = 0
    for _ in range(len(x)):
        add()
        total += count
    return total


@program(X, compiled=0)
def functions_made_in_a_loop(x):
    made = []
    for i in range(len(x)):
        made.append(lambda: i)  # noqa: B023 (it is what is tested)
    return [each() for each in made]


@program(X, compiled=1)
def deleted_afterwards(x):
    unknown()
    total = 0.0
    for i in range(len(x)):
        total += x[i]
    y = total
    del x
    return y, unknown()


@program(X, compiled=0)
def deleted_in_the_loop(x):
    for i in range(len(x)):
        temporary = x[i]
        unknown(i)
        del temporary
    return i


@program(X, compiled=0)
def deleted_in_a_loop_that_comes_again(x):
    n = 2
    seen = []
    for name in "ab":
        try:
            unknown(name)
            del n
            for i in range(len(x)):
                x[i] += 1
        except UnboundLocalError as error:
            seen.append(str(error))
    return seen, x


@program(X, compiled=1)
def deleted_where_it_is_made(x):
    total = 0.0
    unknown()
    for i in range(len(x)):
        temporary = x[i] * 2
        total += temporary
        del temporary
    unknown()
    return total


@program(X, compiled=0)
def own_variables_looked_at(x):
    for i in range(3):
        x[i] = i
    return sorted(locals())


@program(X, compiled=1)
def loop_else(x):
    unknown()
    for i in range(len(x)):
        if x[i] > 100:
            break
    else:
        i = -1
    return i, unknown()


@program(X, compiled=1)
def break_out_of_a_loop_that_stays(x):
    total = 0.0
    for name in "abc":
        unknown(name)
        for i in range(len(x)):
            total += x[i]
        if total > 15:
            break
    else:
        total = -1.0
    return total, name


@program(X, compiled=1)
def match_around_a_loop(x):
    match unknown():
        case 0:
            return 0
        case number:
            total = 0.0
            for i in range(len(x)):
                total += x[i]
            return total, number


@program(X, compiled=1)
def nested_ifs(x):
    if unknown():
        if len(x) > 3:
            total = 0
            for i in range(len(x)):
                total += i
        else:
            total = -1
        unknown()
    else:
        total = -2
    return total


@program(X, compiled=0)
def reraise(x):
    try:
        raise KeyError("a")
    except KeyError:
        for i in range(3):
            if i == 2:
                raise
    return x


@program(X, compiled=1)
def loop_in_a_handler(x):
    try:
        raise KeyError("a")
    except KeyError as error:
        total = 0.0
        for i in range(len(x)):
            total += x[i]
        return total, str(error)


@program(X, compiled=1)
def prints_around(x):
    print("before", unknown())
    total = 0.0
    for i in range(len(x)):
        total += x[i]
    print("after", total)


@program(X, compiled=1)
def walrus_and_annotation(x):
    unknown()
    n: int = 0
    while (n := n + 1) < len(x):
        x[n] += n
    later: float  # noqa: F842
    return n, x, unknown()


@program(X, compiled=1)
def local_import(x):
    import math

    total = 0.0
    for i in range(len(x)):
        total += math.sqrt(x[i])
    return total


@program(X, deque([1, 2]), compiled=0)
def argument_that_is_not_staged(x, queue):
    for i in range(len(x)):
        queue.append(float(x[i]))
    return list(queue)


@program(X, 3, compiled=1)
def integers_that_outgrow_machine_words(x, n):
    unknown()
    product = 1
    for i in range(n):
        product *= 10 + i
    return product, unknown()


@program(X, 60, compiled=1)
def integers_that_outgrow_machine_words_now(x, n):
    unknown()
    product = 1
    for i in range(n):
        product *= 10 + i
    return product, unknown()


class Model:
    scale = 2.0

    def __init__(self, x):
        self.x = x
        self.__secret = 3.0

    def fit(self, n):
        unknown()
        __total = 0.0
        for i in range(n):
            __total += self.x[i] * self.scale + self.__secret
        return __total, unknown()

    def scaled(self):
        total = 0.0
        for i in range(len(self.x)):
            total += self.x[i]
        return total, super().__repr__()[:1]


@program(Model(X), 5, compiled=1)
def method(model, n):
    return model.fit(n)


@program(Model(X), compiled=1)
def method_with_super(model):
    return model.scaled()


METHODS = {"method": Model.fit, "method_with_super": Model.scaled}
