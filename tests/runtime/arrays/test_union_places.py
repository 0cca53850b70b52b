"""Places that the way control took made integers of Python's or of NumPy's."""

from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...behaviours.harness import observe
from ...end_to_end.comparison import compare

X = np.random.default_rng(0).random(50)
NEXT = np.array([1, 2, 0])
TABLE = (1.5, 2.5, 3.5)


def in_text(text, pattern, failure):
    k, found = 0, []
    for i, c in enumerate(text):
        while k and pattern[k] != c:
            k = failure[k - 1]
        if pattern[k] == c:
            k += 1
        if k == len(pattern):
            found.append(i - k + 1)
            k = failure[k - 1]
    return found


def in_tuple(x, following, table):
    k, total = 0, 0.0
    for v in x:
        total += TABLE[k] * v
        if v > 0.5:
            k = following[k]
    return total


def in_list(x, following, table):
    own = [1.5, 2.5, 3.5]
    k, total = 0, 0.0
    for v in x:
        total += own[k] * v
        if v > 0.5:
            k = following[k]
            own[k] += v
    return total, own


def in_list_handed_in(x, following, table):
    k = 0
    for v in x:
        table[k] += v
        if v > 0.5:
            k = following[k]
    return table


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function, given",
    [
        (in_text, ("ABABDABACDABABCABAB" * 3, "ABABC", np.array([0, 0, 1, 2, 0]))),
        (in_tuple, (X, NEXT, None)),
        (in_list, (X, NEXT, None)),
        (in_list_handed_in, (X, NEXT, [1.0, 2.0, 3.0])),
    ],
)
def test_both_kinds_of_integers_are_places(function: Any, given: tuple[Any, ...], device: str) -> None:
    converted = convert(function, strict=True, device=device)
    for _ in range(2):
        compare(observe(function, given), observe(converted, given))
    assert not any(entry.deoptimised for entry in converted.calls.entries)
