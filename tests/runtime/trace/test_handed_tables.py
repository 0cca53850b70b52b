"""Dictionaries of integers that are handed in, or are globals, are looked into by keys of run time; they stay the caller's own."""

from typing import Any

import numpy as np
import pytest

from transpile import StagingError, convert

from ...behaviours.harness import observe
from ...end_to_end.comparison import compare

MOVES = {0: (0, 1), 1: (1, 0), 2: (0, -1), 3: (-1, 0)}
WEIGHTS = {(0, 0): 1.5, (0, 1): 2, (1, 0): -1.0}
X = np.arange(40) * 7 % 11


def moves(x):
    a = b = 0
    for v in x:
        da, db = MOVES[int(v) % 4]
        a, b = a + da, b + db
    return a, b


def pairs(x):
    total = []
    for v in x.tolist():
        total.append(WEIGHTS.get((v % 2, v % 3), 0) if v % 2 else WEIGHTS[v % 2, 0])
    return total, len(WEIGHTS), list(WEIGHTS), (1, 1) in WEIGHTS


def of_an_argument(x, d):
    total = 0.0
    for v in x:
        if v in d:
            total += d[int(v)]
    for k, w in d.items():
        total = total * 0.5 + k * w
    other = d.copy()
    other[int(x[0])] = 7.5
    return total, other, max(d.values()), sorted(d), d.get(int(x[1]), None)


def of_an_instance(x, thing):
    return [thing.table[v % 3] for v in x.tolist()]


class Holder:
    def __init__(self, table):
        self.table = table


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (moves, (X,)),
        (pairs, (X,)),
        (of_an_argument, (X, {3: 2.5, 7: -1.0, 0: 0.25})),
        (of_an_argument, (X, {1: 2, 5: 3.5, 1000: 7})),
        (of_an_instance, (X, Holder({0: 5, 1: 6, 2: 7}))),
    ],
)
def test_they_are_what_pythons_are(function: Any, arguments: Any, device: str) -> None:
    compare(observe(function, arguments), observe(convert(function, strict=True, device=device), arguments))


def test_other_keys_and_values_are_seen() -> None:
    converted = convert(of_an_argument, strict=True, device="host")
    for d in ({1: 2.0}, {1: 3.0}, {2: 3.0, 1: 1.0}, {1: 4}):
        compare(observe(of_an_argument, (X, d)), observe(converted, (X, d)))


def missing(x, d):
    return d[int(x[3]) + 1]


def by_floats(x, d):
    return [d.get(v * 0.5, -1) for v in x]


def changed(x, d):
    for v in x.tolist():
        d[v] = d.get(v, 0) + 1
    return len(d)


def given_back(x, d):
    return d[int(x[0])], d


def shown(x, d):
    print(d[int(x[0])], d)


@pytest.mark.parametrize("function", [missing, by_floats, changed, given_back, shown])
def test_what_is_no_look_is_as_in_python(function: Any) -> None:
    d = {0: 1.0, 1: 2.0, 7: 3.0}
    compare(observe(function, (X, dict(d))), observe(convert(function, device="host"), (X, dict(d))))


def graph(x, d):
    return [len(d[v % 2]) for v in x.tolist()]


def test_lists_in_them_are_left_to_python() -> None:
    d = {0: [1, 2], 1: [0]}
    with pytest.raises(StagingError):
        convert(graph, strict=True, device="host")(X, d)
    compare(observe(graph, (X, d)), observe(convert(graph, device="host"), (X, d)))


def counts_of_many(x, counts):
    for key in counts:
        counts[key][0] = len(counts[key])
    total = 0.0
    for v in x:
        total += WEIGHTS[int(v) % 2, 0]
    return total


def test_many_dictionaries_in_one_that_change_are_the_callers_own() -> None:
    def many():
        return {key: {0: 0, key + 1: 1} for key in range(60)}

    converted = convert(counts_of_many, strict=True)
    theirs, ours = many(), many()
    assert converted(X, ours) == counts_of_many(X, theirs)
    assert ours == theirs
