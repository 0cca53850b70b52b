"""Types and shapes that loops carry: behaviours 76 to 88."""

from __future__ import annotations

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import StagingError

from .harness import DEVICES, Behaviour, Behaviours, arrays, check, name_of, on_each, sizes

behaviours = Behaviours()


@behaviours(76, "an int becomes a float in the first turn", (3, 1), (0, 1), (1, 7), (2, np.int32(5)))
def int_to_float(n, x):
    for _ in range(n):
        x = x / 2
    return x


@behaviours(
    76,
    "an int becomes what an array's elements are",
    *arrays(),
    *on_each(np.arange(3, dtype=np.int8), np.ones(2, np.float32)),
)
def int_to_element(x):
    total = 0
    for value in x:
        total += value
    return total


@behaviours(77, "the type alternates", *on_each(0, 1, 2, 5))
def alternating(n):
    x = 1
    k = 0
    while k < n:
        if k % 2 == 0:
            x = x * 1.5
        else:
            x = int(x) + 1
        k += 1
    return x


@behaviours(
    77,
    "the dtype of an array alternates",
    (0, np.arange(3)),
    (1, np.arange(3)),
    (4, np.arange(3)),
    (3, np.arange(0)),
)
def alternating_arrays(n, x):
    for k in range(n):
        if k % 2:
            x = (x * 2).astype(int)
        else:
            x = x / 2
    return x


@behaviours(78, "a vector grows", (4, np.ones(2)), (0, np.ones(2)), (3, np.zeros(0)), (1, np.ones(1)))
def growing_vector(n, x):
    for k in range(n):
        x = np.append(x, k * 1.0)
    return x


@behaviours(78, "a vector grows by joining", (4, np.ones(2)), (0, np.ones(2)), (3, np.zeros(0)))
def joined_vector(n, x):
    for k in range(n):
        x = np.concatenate([x, x[:1] + k])
    return x


@behaviours(79, "rows grow", (3, np.ones((1, 2))), (0, np.ones((2, 2))), (2, np.ones((0, 3))))
def growing_rows(n, a):
    for k in range(n):
        a = np.vstack([a, a[:1] + k])
    return a


@behaviours(79, "columns grow", (3, np.ones((1, 2))), (0, np.ones((2, 2))), (2, np.ones((3, 0))))
def growing_columns(n, a):
    for k in range(n):
        a = np.concatenate([a, a[:, :1] * k], axis=1)
    return a


@behaviours(79, "rows and columns grow", (3, np.ones((1, 2))), (0, np.ones((2, 2))))
def growing_both(n, a):
    for k in range(n):
        a = np.pad(a, ((0, 1), (1, 0)))
        a[-1, 0] = k
    return a


@behaviours(
    80, "an array grows inside an if", (np.array([1.0, -2.0, 3.0]),), (np.array([-1.0]),), (np.zeros(0),)
)
def growing_in_if(x):
    kept = np.zeros(0)
    for value in x:
        if value > 0:
            kept = np.append(kept, value)
    return kept


@behaviours(
    80, "a list grows inside an if", (np.array([1.0, -2.0, 3.0]),), (np.array([-1.0]),), (np.zeros(0),)
)
def growing_list_in_if(x):
    kept = []
    for value in x:
        if value > 0:
            kept.append(value * 2)
    return kept


@behaviours(
    81,
    "an array grows until a break",
    (np.array([1.0, 2.0, -3.0, 4.0]),),
    (np.array([-1.0]),),
    (np.zeros(0),),
)
def growing_until(x):
    kept = np.zeros(1)
    for value in x:
        if value < 0:
            break
        kept = np.append(kept, kept[-1] + value)
    return kept


@behaviours(
    82,
    "a scalar becomes an array",
    (2, np.ones(3)),
    (0, np.ones(3)),
    (1, np.zeros(0)),
    (3, np.ones((2, 2))),
)
def scalar_to_array(n, x):
    total = 0
    for k in range(n):
        total = total + x * k
    return total


@behaviours(
    83,
    "the shape changes",
    (3, np.arange(5.0)),
    (0, np.arange(5.0)),
    (2, np.arange(2.0)),
    (2, np.zeros(1)),
    gaps="S213-alias",
)
def changing_shape(n, x):
    for _ in range(n):
        x = x[1:]
    return x, x.shape


@behaviours(83, "a dim becomes 1", (3, np.arange(8.0)), (1, np.arange(8.0)), (0, np.arange(3.0)))
def halving_shape(n, x):
    for _ in range(n):
        x = x[::2] + x[: (len(x) + 1) // 2]
    return x


def rank_changes(n, x):
    for _ in range(n):
        x = x[None]
    return x


@behaviours.test(84, "where a loop variable cannot be staged, the reason names it")
@pytest.mark.parametrize("device", DEVICES)
def test_the_reason_names_the_variable(device: str) -> None:
    with pytest.raises(StagingError, match=r"\bx\b.*\n.*test_loop_types.py"):
        transpile.convert(rank_changes, strict=True, device=device)(3, np.ones(2))


@behaviours(85, "the structure changes", (3, 1.5), (0, 1.5), (1, np.ones(2)), gaps="S152-unstable")
def structure_changes(n, x):
    pair = x
    for _ in range(n):
        pair = (pair, x)
    return pair


@behaviours(85, "None becomes a number", (3, 1.5), (0, 1.5))
def none_to_number(n, x):
    best = None
    for k in range(n):
        if best is None or best < k * x:
            best = k * x
    return best


@behaviours(85, "None becomes an array", (3, np.ones(2)), (0, np.ones(2)), (1, np.zeros(0)))
def none_to_array(n, x):
    best = None
    for k in range(n):
        best = x * k if best is None else best + x
    return best


@behaviours(86, "a number is made in a loop", (3, 1.5), (1, 2), (2, np.ones(2)))
@behaviours(87, "a number is made in a loop of no turns", (0, 1.5), (0, np.ones(2)))
def number_made(n, x):
    for k in range(n):
        y = k * 2.5
    return y + x


@behaviours(86, "an array is made in a loop", (3, np.ones(2)), (1, np.zeros(0)), (2, np.ones((1, 2))))
@behaviours(87, "an array is made in a loop of no turns", (0, np.ones(2)), (0, np.zeros(0)))
def array_made(n, x):
    for k in range(n):
        y = x * k
    return y


@behaviours(86, "an array of a shape of the turn is made in a loop", (3, np.arange(5.0)), (1, np.arange(2.0)))
@behaviours(87, "an array of a shape of the turn is made in a loop of no turns", (0, np.ones(2)))
def array_of_shape_made(n, x):
    for k in range(n):
        y = x[k:] * 2
    return y


@behaviours(
    86,
    "an array of a rank of the turn is made in a loop",
    (3, np.ones(2)),
    (1, np.ones(2)),
    gaps="S150-structure",
)
@behaviours(
    87, "an array of a rank of the turn is made in a loop of no turns", (0, np.ones(2)), gaps="S150-structure"
)
def array_of_rank_made(n, x):
    for k in range(n):
        y = x if k == 0 else y[None]
    return y


@behaviours(86, "a nested dictionary is made in a loop", (3, np.ones(2)), (1, 1.5))
@behaviours(87, "a nested dictionary is made in a loop of no turns", (0, np.ones(2)), (0, 1.5))
def nested_dictionary_made(n, x):
    for k in range(n):
        y = {"a": {"b": x * k, "c": k}, "d": [x, k]}
    return y


@behaviours(
    88, "a variable is made in the first turn and changes", (3, 1.5), (1, 1.5), (2, np.ones(2)), (0, 1.5)
)
def variant_made_first(n, x):
    for i in range(n):
        if i == 0:
            y = x * 2
        else:
            y = y + x
    return y


@behaviours(
    88,
    "a variable is made in the first turn and stays",
    (3, 1.5),
    (1, 1.5),
    (2, np.ones(2)),
    (0, 1.5),
)
def invariant_made_first(n, x):
    total = 0
    for i in range(n):
        if i == 0:
            y = x * 2
        total = total + y
    return total, y


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("behaviour", behaviours.functions, ids=name_of)
def test_behaviour(behaviour: Behaviour, device: str) -> None:
    check(behaviour, device)
