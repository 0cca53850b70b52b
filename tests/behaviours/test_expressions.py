"""Expressions: behaviours 119 to 132."""

from __future__ import annotations

import math

import numpy as np
import pytest

from .harness import DEVICES, Behaviour, Behaviours, arrays, check, name_of, on_each, sizes

behaviours = Behaviours()

NUMBERS = on_each(np.array([1.0, -2.0, 3.0, 0.0]), np.array([7.0]), np.zeros(0), np.array([0, 4, -1]))


@behaviours(119, "a conditional expression with arrays", *arrays(1), *arrays(-1))
def ternary(x, k):
    return (x * 2 if k > 0 else x - 1) + 1


@behaviours(119, "nested conditional expressions", *sizes(1), *sizes(0), *sizes(-1))
def nested_ternary(x, k):
    return x if k > 0 else x * 10 if k == 0 else x * 100


@behaviours(
    119,
    "a conditional expression of different types",
    (1, 2),
    (1, -2),
    (True, 1),
    (2.5, -1),
    (np.int8(3), 1),
    (np.int8(3), -1),
)
def mismatched_ternary(x, k):
    y = x if k > 0 else 0.5
    z = None if k > 0 else x
    return y, z, y * 2


@behaviours(119, "a conditional expression of text", (1.5, 2), (1.5, -2))
def ternary_of_text(x, k):
    sign = "plus" if k > 0 else "minus"
    return sign, x + 1 if sign == "plus" else x


@behaviours(120, "the right side of and, or is not evaluated in vain", *on_each(3, 0, -1, 2.5))
def laziness(x):
    def seen(value):
        print("seen", value > 1)
        return value

    a = x > 0 and seen(x) > 2
    b = x > 0 or seen(x) < 0
    c = x and 10 / x
    return a, b, c


@behaviours(121, "and, or give an operand", (3, 0), (0, 2.5), (0, 0), (np.float32(0), 2), (2.5, 1))
def values_of_logic(a, b):
    return a and b, a or b, a and b or "neither", not a or b


@behaviours(121, "and, or give an array", *on_each(np.array([1.5]), np.array([0.0]), np.zeros(0), np.ones(2)))
def values_of_logic_on_arrays(x):
    y = x and x + 1
    z = x or x - 1
    return y, z


@behaviours(122, "not", *sizes(), *on_each(0, False, 0.0, 1j, np.array([0]), np.array([[True]])))
def negation(x):
    return not x, not not x


@behaviours(
    123,
    "comparisons of arrays are elementwise",
    *arrays(0.5),
    (np.arange(3), 1),
    (np.ones((2, 2)), np.array([1.0, 2.0])),
)
def comparisons(x, y):
    return x == y, x != y, x < y, x >= y, 0 < x


@behaviours(123, "a chained comparison of arrays asks for their truth", *arrays(2.0), (np.array([5.0]), 2))
def chained_on_arrays(x, y):
    return 0 < x < y


@behaviours(123, "a chained comparison of numbers", (1, 2.5), (3, 2), (-1, np.float32(4)))
def chained_on_numbers(x, y):
    return 0 < x < y, 0 < x <= y != 4, x < y > 0


@behaviours(
    124,
    "in an array",
    (np.array([1.0, 2.0, np.nan]), 2.0),
    (np.zeros(0), 1),
    (np.ones((2, 2)), 1),
    (np.array([1]), 2),
)
def in_array(x, k):
    return k in x, k not in x, (k + 1) in x


@behaviours(124, "in a list, tuple, set or dictionary", *sizes()[:2], *on_each(1, 2.0, np.float64(1), "b"))
def in_containers(x):
    return x in [1, 2, 2.5], x not in (3, "b"), x in {1: 2, "b": 3}, x in {3, 4}, x in range(5)


@behaviours(125, "is", *sizes())
def identity(x):
    y = x
    z = x if x is y else None
    w = [x]
    return x is y, z is x, w is [x], w[0] is x, x is None, (x is True) is False, x is not None


@behaviours(126, "list comprehensions", *arrays(2), *arrays(0))
def list_comprehensions(x, n):
    doubled = [value * 2 for value in x]
    places = [(i, x) for i in range(3)]
    table = [[i * 10 + j for j in range(2)] for i in range(3)]
    known = [i for i in range(6) if i % 2 == 0]
    numbers = [k * 0.5 for k in range(n)]
    return doubled, places, table, known, numbers


@behaviours(126, "a list comprehension that keeps items by value", *NUMBERS)
def filtered(x):
    return [value * 2 for value in x if value > 0]


@behaviours(126, "a list comprehension that keeps items, as an array", *NUMBERS)
def filtered_to_array(x):
    kept = [value * 2 for value in x if value > 0]
    return len(kept), np.array(kept, dtype=float)


@behaviours(126, "comprehensions of sets and dictionaries", *sizes())
def set_and_dictionary_comprehensions(x):
    names = {name: x * k for k, name in enumerate("abc")}
    inverse = {k: name for name, k in zip("abc", range(3)) if k != 1}
    return names, inverse, sorted({k % 3 for k in range(7)})


@behaviours(126, "the variable of a comprehension is its own", *sizes())
def scope_of_comprehension(x):
    k = x
    many = [k * 2 for k in range(3)]
    flat = [a + b for a in (1, 2) for b in (10, 20) if a < b]
    return k, many, flat


@behaviours(127, "sum of a generator expression", *NUMBERS)
def sum_of_generator(x):
    return sum(value * 2 for value in x)


@behaviours(127, "any and all of a generator expression", *NUMBERS)
def any_of_generator(x):
    return any(value < 0 for value in x), all(value > 0 for value in x)


@behaviours(127, "max and min of a generator expression", *NUMBERS[:2], *NUMBERS[3:])
def extremes_of_generator(x):
    return max(abs(value) for value in x), min(value * 2 for value in x)


@behaviours(127, "sum of a generator expression that keeps items by value", *NUMBERS)
def filtered_sum(x):
    return sum(value for value in x if value > 0)


@behaviours(127, "a generator expression is evaluated as it is asked", *sizes(2), *sizes(0))
def lazy_generator(x, n):
    def seen(k):
        print("seen", k)
        return k

    found = any(seen(k) > 1 for k in range(4))
    return found, sum(x * k for k in (1, 2)), all(k < 3 for k in range(n))


@behaviours(128, "a walrus in an if", *on_each(5, 0, -2.5))
def walrus_in_if(x):
    if (y := x * 2) > 4:
        x = y
    elif (z := y + 1) > 0:
        x = z
    return x, y


@behaviours(128, "a walrus in a comprehension", *sizes())
def walrus_in_comprehension(x):
    many = [last := x * k for k in range(3)]
    return len(many), sum(many), last


@behaviours(
    129,
    "an f-string of a value",
    *on_each(5, -2.5, True, 1e300, float("nan"), 2j, np.float64(0.1), np.float32(0.1), np.int8(3)),
)
def formatted(x):
    return f"x = {x}, {x!r}"


@behaviours(
    129,
    "an f-string with a format",
    *on_each(5.0, -2.5, 1e300, float("inf"), np.float64(0.1)),
)
def formatted_so(x):
    text = f"{x:.3f}|{x:10.2e}|{x:+g}"
    return text + "!"


@behaviours(129, "text of a value by other ways", *on_each(5, -2.5, np.float64(0.1)))
def other_texts(x):
    return str(x), repr(x), "%5.2f" % x, "{:.1f}".format(x), "{0}-{name}".format(x, name=x)


@behaviours(129, "an f-string of an array", *arrays())
def formatted_array(x):
    return f"{x}"


@behaviours(130, "an import in the function", *sizes(1), *sizes(-1))
def imports(x, k):
    if k > 0:
        import math as m

        y = m.pi
    else:
        from numpy import e as y
    return x * y


@behaviours(130, "an import that is used in both branches", *on_each(2, 0.5, np.float64(4)))
def imports_first(x):
    import math

    from numpy import sqrt

    if x > 1:
        return math.sqrt(x)
    return sqrt(x)


def collected(*args, **kwargs):
    return args, kwargs


@behaviours(131, "starred arguments come in their order", *sizes())
def starred_call(x):
    def noted(k):
        print("noted", k)
        return k

    pair = (noted(1), x)
    return collected(noted(0), *pair, noted(2), *[noted(3)], **{"a": noted(4)}, b=noted(5))


@behaviours(132, "keywords are evaluated in their order", *sizes())
def keyword_order(x):
    def noted(k):
        print("noted", k)
        return x * k

    return collected(b=noted(1), a=noted(2), **{"z": noted(3), "c": noted(4)})


@behaviours(132, "wrong arguments raise Python's error", *sizes())
def wrong_keywords(x):
    def callee(a, *, b):
        return a + b

    return callee(x, c=x)


@behaviours(126, "builtins on values", (np.array([3, 1, 2]),), (np.array([1.5]),))
def builtins_on_arrays(x):
    return max(x), min(x), sum(x), any(x), all(x), abs(x), sorted(x), len(x), list(x), tuple(x)


@behaviours(126, "builtins on numbers", (3, -7), (2.5, 2), (True, 3), (np.int64(7), 2))
def builtins_on_numbers(a, b):
    return (
        max(a, b),
        min(a, b, 0),
        abs(b),
        divmod(a, b),
        round(a),
        pow(a, 2),
        int(a),
        float(b),
        bool(a),
        sum((a, b)),
    )


FLOATS = [1e16, 1.0, -1e-3, 0.1, -1e16, 3e8, 0.7]


@behaviours(
    126,
    "sums of floats, for which Python makes up for rounding from 3.12 on",
    (FLOATS, 0.1),
    (FLOATS[:1], 2),
    ([], 1.5),
)
def sums_of_floats(xs, y):
    return (
        sum(xs),
        sum(x * y for x in xs if x > 0),
        sum(xs, y),
        sum([y, 1, 0.1, True, 1e16, y, -1e16]),
        sum([1e16, 1.0, np.float64(1), 1.0, -1e16, y]),
        sum([0.1, 0.2, y, 1j, y, 0.3]),
        sum([1e308, 1e308, y]),
        sum((-0.0, -0.0), -0.0),
        sum([x if x < 1 else 2 for x in xs]),
        sum(sum(xs[:j]) for j in range(len(xs))),
    )


class Counted:
    def __init__(self, value):
        self.value = value

    def __radd__(self, other):
        return other + self.value


@behaviours(126, "sums of floats and of objects that become floats", (0.1,), (1e16,))
def sums_of_objects(x):
    return sum([x, 0.2]) + sum([Counted(x), 0.2, 0.3]), sum([0.2, Counted(x)])


@behaviours(126, "map and filter", *arrays(2), *arrays(-1))
def mapped(x, k):
    return list(map(lambda v: v * k, [x, k])), list(filter(None, [1, 0, 2])), sum(map(abs, (k, x)))


@behaviours(126, "math on values", *on_each(2.5, 0.5, 3, np.float64(1.25)))
def mathematics(x):
    return (
        math.floor(x),
        math.sqrt(x),
        math.fsum([x, 0.1, 0.2]),
        math.prod([x, 2]),
        math.isclose(x, 2.5),
        math.gcd(int(x), 4),
        math.dist((x, 0), (0, 1)),
    )


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("behaviour", behaviours.functions, ids=name_of)
def test_behaviour(behaviour: Behaviour, device: str) -> None:
    check(behaviour, device)
