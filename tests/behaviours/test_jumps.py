"""`break`, `continue` and `return`: behaviours 89 to 118."""

from __future__ import annotations

import contextlib
from collections import namedtuple

import numpy as np
import pytest

from .harness import DEVICES, Behaviour, Behaviours, arrays, check, name_of, on_each, sizes

behaviours = Behaviours()

Pair = namedtuple("Pair", "first second")

NUMBERS = on_each(np.array([1.0, -2.0, 3.0, 0.0, 5.0]), np.array([7.0]), np.zeros(0), np.array([0, 4, -1]))


@contextlib.contextmanager
def announced(name):
    print("enter", name)
    try:
        yield name
    finally:
        print("leave", name)


@behaviours(89, "break in a for", *NUMBERS)
def break_in_for(x):
    total = 0
    for value in x:
        if value < 0:
            break
        total += value
    return total


@behaviours(89, "break in a while", *on_each(10, 0, 3.5))
def break_in_while(n):
    turns = 0
    while n > 0:
        n = n - 2
        if n < 4:
            break
        turns += 1
    return n, turns


@behaviours(90, "break in the inner loop alone", (3, 4), (0, 4), (5, 1))
def break_in_inner(m, n):
    total = 0
    for i in range(m):
        for j in range(n):
            if j > i:
                break
            total += i * 10 + j
        total += 100
    return total


@behaviours(91, "continue in a for", *NUMBERS)
def continue_in_for(x):
    total = 0
    for value in x:
        if value < 0:
            continue
        total += value
    return total


@behaviours(91, "continue in the inner loop alone", (3, 4), (0, 4), (5, 1))
def continue_in_inner(m, n):
    total = 0
    i = 0
    while i < m:
        for j in range(n):
            if (i + j) % 2:
                continue
            total += i * 10 + j
        i += 1
        if i == 2:
            continue
        total += 100
    return total


@behaviours(92, "break and continue together", *NUMBERS)
def break_and_continue(x):
    total = 0
    for value in x:
        if value == 0:
            break
        if value < 0:
            continue
        total += value
        print("kept")
    return total


@behaviours(93, "several breaks whose conditions have effects", *on_each(1, 3, 5, 9))
def breaks_with_effects(n):
    def asks(name, answer):
        print(name)
        return answer

    for k in range(7):
        if asks("first", k > n):
            break
        if asks("second", k * 2 > n + 3):
            break
        if asks("third", k == 6):
            break
    return k


@behaviours(94, "a statement after a guarded break", *NUMBERS)
def after_guarded_break(x):
    total = 0
    for value in x:
        if value < 0:
            total += 100
            break
        total += value
        x[0] = total
    return total, x


@behaviours(95, "a break, then an if", *NUMBERS)
def break_then_if(x):
    total = 0
    for value in x:
        if value < 0:
            break
        if value > 2:
            total += 1
        else:
            total -= value
    return total


@behaviours(96, "for/else", *NUMBERS)
def for_else(x):
    for value in x:
        if value < 0:
            found = value
            break
    else:
        found = "none"
    return found


@behaviours(96, "for/else without break", *NUMBERS)
def for_else_without_break(x):
    total = 0
    for value in x:
        total += value
    else:
        total -= 100
    return total


@behaviours(96, "while/else", *on_each(10, 3, 0, 2.5))
def while_else(n):
    while n > 0:
        n -= 3
        if n == 1:
            break
    else:
        n = n * 100
    return n


@behaviours(96, "while/else without break", *on_each(10, 0, 2.5))
def while_else_without_break(n):
    while n > 0:
        n -= 3
    else:
        n = n * 100
    return n


@behaviours(97, "break in the else of an inner loop belongs to the outer one", (4, 3), (9, 5), (0, 1), (3, 0))
def break_in_else(m, n):
    total = 0
    for i in range(m):
        for j in range(i, n):
            total += 1
            if j == 3:
                break
        else:
            total += 100
            break
        total += 1000
    else:
        total += 10000
    return total


@behaviours(98, "break in a with", *NUMBERS)
def break_in_with(x):
    total = 0
    for value in x:
        with announced("turn"):
            if value < 0:
                break
            total += value
    return total


@behaviours(99, "break in try and finally", *NUMBERS)
def break_in_try(x):
    total = 0
    for value in x:
        try:
            if value < 0:
                break
            total += value
        finally:
            total += 10
    return total


@behaviours(100, "continue in a with", *NUMBERS)
def continue_in_with(x):
    total = 0
    for value in x:
        with announced("turn"):
            if value < 0:
                continue
            total += value
        total += 10
    return total


@behaviours(100, "continue in a try", *NUMBERS)
def continue_in_try(x):
    total = 0
    for value in x:
        try:
            if value < 0:
                continue
            total += value
        finally:
            total += 100
        total += 10
    return total


@behaviours(101, "an unconditional return in a loop", *NUMBERS)
def return_at_once(x):
    for value in x:
        return value


@behaviours(101, "an effectively unconditional return in a loop", *NUMBERS)
def return_in_any_case(x):
    for value in x:
        if value < 0:
            return value
        else:
            return -value
    return 0


@behaviours(101, "a conditional return in a loop", *NUMBERS)
def return_in_for(x):
    total = 0
    for value in x:
        if value < 0:
            return value, total
        total += value
    return total, total


@behaviours(101, "a conditional return in a while", *on_each(10, 7, 0, 2.5))
def return_in_while(n):
    while n > 0:
        n -= 3
        if n == 1:
            return "one"
    return n


@behaviours(102, "return inside for/else", *NUMBERS)
def return_in_for_else(x):
    for value in x:
        if value < 0:
            return value
    else:
        return 100
    return 200


@behaviours(102, "return in the else of a loop", *NUMBERS)
def return_in_else(x):
    total = 0
    for value in x:
        if value < 0:
            break
        total += value
    else:
        return total
    return -total


@behaviours(103, "a straight return", *sizes())
def straight(x):
    y = x * 2
    return y + 1


@behaviours(104, "superfluous returns", *sizes())
def superfluous(x):
    y = x * 2
    return y
    return y + 1
    return x


@behaviours(104, "superfluous returns in branches", *sizes(1), *sizes(-1))
def superfluous_in_branches(x, k):
    if k > 0:
        return x
        return x + 1
    else:
        return -x
        return x


@behaviours(105, "return with a default", *sizes(1), *sizes(-1))
def with_default(x, k, default=2.5):
    result = default
    if k > 0:
        result = x * 2
        return result
    return result


@behaviours(106, "one branch returns, the other goes on", *sizes(1), *sizes(-1))
def falls_through(x, k):
    if k > 0:
        return x * 2
    x = x + 1
    return x * 3


@behaviours(
    107,
    "nested ifs return",
    (1.5, 1, 1),
    (1.5, -1, 1),
    (1.5, 1, -1),
    (np.ones(2), 1, 1),
    (np.ones(2), -1, -1),
)
def nested_returns(x, j, k):
    if j > 0:
        if k > 0:
            return x
        x = x * 2
    else:
        if k > 0:
            x = x + 1
        else:
            return x - 1
    return x * 10


@behaviours(108, "a return that may be missing gives None", *sizes(1), *sizes(-1))
def may_return(x, k):
    if k > 0:
        return x * 2


@behaviours(109, "a return of nothing", *sizes(1), *sizes(-1))
def returns_nothing(x, k):
    if k > 0:
        return
    print("not positive")
    return None


@behaviours(110, "a return that is not reached", *sizes())
def unreachable(x):
    if True:
        return x + 1
    return x.no_such_attribute


@behaviours(110, "a return after an endless loop", *on_each(5, 0, 2.5))
def after_endless_loop(n):
    while True:
        n -= 1
        if n < 0:
            return n
    return "never"


@behaviours(111, "return in a with", *sizes(1), *sizes(-1))
def return_in_with(x, k):
    with announced("block"):
        if k > 0:
            return x
        x = x + 1
    return x


@behaviours(
    112, "return in a try, with effects in the finally", *sizes(1), *sizes(-1), gaps="S110-alias S213-alias"
)
def return_in_try(x, k):
    seen = [x]
    try:
        if k > 0:
            return seen
        x = x + 1
    finally:
        seen.append(k)
        print("finally")
    return x, seen


@behaviours(113, "return in a finally wins", *sizes(1), *sizes(-1))
def return_in_finally(x, k):
    try:
        if k > 0:
            return x
        raise ValueError(k)
    finally:
        return k


@behaviours(114, "a default is set in a finally", *sizes(1), *sizes(-1))
def default_in_finally(x, k):
    result = None
    try:
        if k > 0:
            result = x * 2
    finally:
        if result is None:
            result = "default"
    return result


@behaviours(115, "an exception while a returned value is computed is caught", *sizes(1), *sizes(0))
def exception_while_returning(x, k):
    try:
        return 10 // k
    except ZeroDivisionError:
        return x


@behaviours(116, "an exception in the last branch is caught", *sizes(1), *sizes(0))
def exception_in_tail(x, k):
    try:
        if k > 5:
            return x
        else:
            return 10 // k
    except ZeroDivisionError as error:
        print(error)
    return x + 1


@behaviours(117, "a structure is returned", *sizes(1), *sizes(-1))
def returns_structure(x, k):
    if k > 0:
        return {"pair": Pair(x, k), "items": [x * 2, (k, x)]}
    return {"pair": Pair(k, x), "items": [x * 3, (k + 1, x)]}


@behaviours(117, "structures are returned", *sizes())
def returns_structures(x):
    pair = Pair(first=x * 2, second=[x])
    return (pair, {"a": x, "b": {"c": pair.first}}), pair.second


@behaviours(118, "returns of a function inside are its own", *sizes(1), *sizes(-1))
def own_returns(x, k):
    def inner(value):
        if value > 0:
            return 1
        return -1

    y = inner(k) + inner(-k) * 10
    if y > 0:
        return x
    return y


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("behaviour", behaviours.functions, ids=name_of)
def test_behaviour(behaviour: Behaviour, device: str) -> None:
    check(behaviour, device)
