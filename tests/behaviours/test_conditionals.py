"""Conditionals: behaviours 1 to 29."""

from __future__ import annotations

import numpy as np
import pytest

from .harness import DEVICES, Behaviour, Behaviours, arrays, check, name_of, on_each, sizes

behaviours = Behaviours()

COUNT = 0
LAST = None

# What is true or false by itself, or has no truth.
TRUTHS = on_each(3, 0, -2.5, True, np.array(2.0), np.array([0.0]), np.array([1.5]), np.zeros(0), np.ones(3))


@behaviours(1, "an if without variables has only effects", *on_each(3, -2.5, np.array([1.5]), np.float32(-1)))
def only_effects(x):
    if x > 0:
        print("positive")
    print("done")


@behaviours(2, "if and else have only effects", *on_each(3, -2.5, np.array([1.5]), np.array([[-1]])))
def effects_of_both(x):
    if x > 0:
        print("positive")
    else:
        print("not")
        print("at all")


@behaviours(
    2, "a write into an argument is an effect", *on_each(np.array([1.5]), np.array([1.0, -2.0]), np.zeros(1))
)
def writes_of_both(x):
    if x.sum() > 0:
        x[0] = 10
    else:
        x[-1] = -10


@behaviours(3, "one variable is modified", *on_each(3, -2.5, True, np.array([1.5]), np.float32(-1)))
def one_variable(x):
    if x > 0:
        x = -x
    return x


@behaviours(3, "one variable is modified by a condition on an array", *arrays())
def one_variable_by_sum(x):
    if x.sum() > 0:
        x = x * 2
    return x


@behaviours(4, "several variables are modified", *sizes(2), *sizes(-2))
def several_variables(x, k):
    a, b, c = x, x + 1, k
    if k > 0:
        a, b = b, a
        c = c + 1
    else:
        b = a * 2
        c -= 1
    return a, b, c


@behaviours(5, "a variable is made in one branch and not used later", *sizes(2), *sizes(-2))
def made_and_left(x, k):
    if k > 0:
        y = x * 2
        x = y + 1
    return x


@behaviours(6, "a variable is made in one branch and used later", *sizes(2), *sizes(-2))
def made_and_used(x, k):
    if k > 0:
        y = x * 2
    return y + 1


@behaviours(6, "a variable of both branches, one of them nested", (1, 2), (1, -2), (-1, 2))
def made_in_nested(x, k):
    if k > 0:
        if x > 0:
            y = x
    else:
        y = k
    return y


@behaviours(7, "None in one branch", (1.5, 2), (1.5, -2))
def none_in_one(x, k):
    y = None
    if k > 0:
        y = x * 2
    return y


@behaviours(7, "None in one branch, an array in the other", *arrays(2), *arrays(-2))
def none_or_array(x, k):
    if k > 0:
        y = x * 2
    else:
        y = None
    return y is None, y


@behaviours(8, "both are None", (1,), (-1,))
def both_none(k):
    if k > 0:
        y = None
    else:
        y = None
    return y


@behaviours(
    9, "a variable is undefined for a while, then defined", *sizes(2, 1), *sizes(2, -1), *sizes(-2, 1)
)
def undefined_then_defined(x, j, k):
    if j > 0:
        if k > 0:
            y = x
        else:
            y = x * 2
        z = y + 1
    else:
        z = x
    y = z
    return y


@behaviours(10, "what a branch makes for itself stays in it", (1.0, 2), (1.0, -2), gaps="C017-frame")
def locals_of_a_branch(x, k):
    if k > 0:
        inner = x + 1
        x = inner * 2
    return x, "inner" in locals()


@behaviours(
    11, "nested ifs that do not depend on each other", (1.0, 1, 1), (1.0, -1, 1), (1.0, 1, -1), (1, -1, -1)
)
def nested_independent(x, j, k):
    if j > 0:
        x = x + 1
        if k > 0:
            x = x * 10
    else:
        if k > 0:
            x = x - 1
    return x


@behaviours(
    12, "nested ifs that depend on each other", *on_each(1, -1, 4, 9.5, np.array([3.0]), np.float32(5))
)
def nested_dependent(x):
    if x > 0:
        x = x - 2
        if x > 1:
            x = x - 2
            if x > 4:
                x = x * 100
        else:
            x = -x
    return x


@behaviours(
    13,
    "an inner if without else",
    (1.0, 1, 1),
    (1.0, -1, 1),
    (1.0, 1, -1),
    (np.ones(3), 1, 1),
)
def imbalanced(x, j, k):
    y = x
    if j > 0:
        if k > 0:
            x = x * 2
            y = x + 1
    else:
        y = y - 1
    return x * 1, y * 1


@behaviours(14, "a chain of elif", *on_each(-1, 0, 1, 2, 3, 2.0, np.array([1]), np.array(5)))
def elif_chain(x):
    if x < 0:
        y = x * 10
    elif x == 0:
        y = x + 100
    elif x == 1:
        y = x - 100
    elif x == 2:
        y = x + x
    else:
        y = -x
    return y


@behaviours(
    15,
    "an array of one element is a condition",
    *on_each(np.array([1.5]), np.array([[0]]), np.array(2), np.array([False])),
)
def one_element(x):
    if x:
        return x + 1
    return x - 1


@behaviours(
    16,
    "an array of several elements is no condition",
    *on_each(np.ones(2), np.zeros((2, 2)), np.array([True, False])),
)
def several_elements(x):
    y = x
    if y > 1:
        y = x + x
    return y


@behaviours(16, "size decides whether an array is a condition", *TRUTHS)
def truth_by_size(x):
    if x:
        return 1
    return 2


@behaviours(
    17, "an empty array as a condition", *on_each(np.zeros(0), np.zeros((0, 3)), np.zeros((2, 0), int))
)
def empty_condition(x):
    if x:
        return x + 1
    return x


@behaviours(17, "a comparison of an empty array as a condition", *arrays())
def empty_comparison(x):
    while x > 1:
        x = x - 1
    return x


@behaviours(
    18,
    "conditions that are no booleans",
    *on_each(0, 2, 0.0, -0.0, 1e-300, float("nan"), 0j, 1j, np.float32("nan"), np.array([2j])),
)
def numbers_as_conditions(x):
    if x:
        y = 1
    else:
        y = 0
    if not x:
        y += 10
    return y


@behaviours(
    18,
    "an element that is no boolean is a condition",
    (np.array([0, 2, 0, -1]),),
    (np.array([0.0, np.nan]),),
    (np.array([0, 1j]),),
)
def elements_as_conditions(x):
    n = 0
    for i in range(len(x)):
        if x[i]:
            n += 1
    return n


@behaviours(
    19,
    "a boolean of NumPy that is known is Python's own if",
    *on_each(1, 1.5, np.ones(3), np.ones(3, np.float32)),
)
def known_boolean(x):
    flag = np.bool_(True)
    if flag:
        y = [x]
    else:
        y = (x, x, x)
    if np.issubdtype(np.asarray(x).dtype, np.floating):
        y = (y, "floating")
    return y


@behaviours(
    20,
    "branches give an int or a float",
    (1, 2),
    (1, -2),
    (np.int32(1), 2),
    (np.int32(1), -2),
    (True, 2),
    (True, -1),
)
def dtypes_of_branches(x, k):
    if k > 0:
        y = x + 1
    else:
        y = x * 0.5
    return y


@behaviours(
    20,
    "branches give arrays of ints or of floats",
    (np.arange(3), 2),
    (np.arange(3), -2),
    (np.arange(0), 1),
    (np.arange(1), -1),
)
def dtypes_of_arrays(x, k):
    if k > 0:
        y = x + 1
    else:
        y = x * 0.5
    return y * 2


@behaviours(21, "branches give different shapes", *arrays(2), *arrays(-2))
def shapes_of_branches(x, k):
    if k > 0:
        y = x[1:]
    else:
        y = x * 2
    return y + 1, y.shape


@behaviours(21, "branches give different numbers of axes", *arrays(2), *arrays(-2))
def ranks_of_branches(x, k):
    if k > 0:
        y = x[:, None] * x
    else:
        y = x * 2
    return y + 1, y.ndim


@behaviours(
    22,
    "branches give a tuple or a list",
    (1.0, 2),
    (1.0, -2),
    (np.ones(2), 1),
    (np.ones(2), -1),
)
def tuple_or_list(x, k):
    if k > 0:
        y = (x, x)
    else:
        y = [x]
    return y


@behaviours(22, "the error of what a structure cannot do is Python's", (1.0, 2), (1.0, -2))
def tuple_and_list_are_not_added(x, k):
    if k > 0:
        y = (x, x)
    else:
        y = [x]
    return y + (1,)


@behaviours(23, "an if modifies a global", (1,), (-1,), (2.5,), (np.array([1]),), state=("COUNT",))
def modifies_a_global(x):
    global COUNT
    if x > 0:
        COUNT = COUNT + 1
    return COUNT


@behaviours(
    24,
    "an if that is not executed does not touch a global",
    (1,),
    (-1,),
    state=("COUNT", "LAST", "NEVER_MADE"),
    gaps="C017-frame",
)
def touches_a_global(x):
    global COUNT, NEVER_MADE
    if x > 0:
        COUNT += 10
        NEVER_MADE = x
    return "NEVER_MADE" in globals()


@behaviours(
    25,
    "an if modifies a variable of the function around",
    *sizes(1),
    *sizes(-1),
)
def modifies_nonlocal(x, k):
    count = 0

    def inner(k):
        nonlocal count, x
        if k > 0:
            count += 1
            x = x + 1
        return count

    inner(k)
    inner(-k)
    inner(k)
    return x, count


@behaviours(26, "an output is defined in an except block before", *sizes(1), *sizes(-1))
def defined_in_except(x, k):
    try:
        y = 10 // (k - 1)
    except ZeroDivisionError:
        y = x
    if k > 0:
        y = y + x
    return y


@behaviours(27, "a modification is masked by an exception", *sizes(1), *sizes(-1))
def masked_by_exception(x, k):
    y = x
    try:
        if k > 0:
            raise ValueError("positive")
        y = x * 2
    except ValueError as error:
        print(error)
    return y


@behaviours(28, "one branch raises", (1.5,), (-1.5,), (np.array([1.0]),), (np.array([-1.0]),), (True,))
def raises_in_one(x):
    if x < 0:
        raise ValueError("negative")
    return x * 2


@behaviours(28, "one branch raises with a value", (np.array([3.0, 1.0]), 5), (np.array([3.0, 7.0]), 5))
def raises_with_value(x, limit):
    x[0] = 0
    for value in x:
        if value > limit:
            raise ValueError("too large", value, limit)
    return x


@behaviours(
    29,
    "is None is decided while tracing",
    (1.5, None),
    (1.5, 2),
    (np.ones(2), None),
    (np.ones(2), np.ones(2)),
)
def is_none(x, weights=None):
    if weights is None:
        scale = "none"
    else:
        scale = x * weights
    if weights is not None:
        x = x + weights
    return x, scale


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("behaviour", behaviours.functions, ids=name_of)
def test_behaviour(behaviour: Behaviour, device: str) -> None:
    check(behaviour, device)
