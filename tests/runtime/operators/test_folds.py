"""Builtins that run over all items: the results, the effects on the way, and the errors of nothing."""

from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...end_to_end.comparison import call, compare


def sums(x):
    return sum(x), sum(x, 2.5), sum(v * 2 for v in x), sum([x, x], start=x)


def sums_of_kept(x):
    return sum(v for v in x if v > 0), sum(1 for v in x if v < 0)


def truths(x):
    return any(x), all(x), any(v > 2 for v in x), all([x.size > 0, True]), all(()), any([])


def asks_as_far_as_it_must(x):
    def asked(v):
        print("asked")
        return v > 0

    return any(asked(v) for v in x), all(asked(v) for v in x)


def extremes(x):
    return (
        max(x),
        min(x),
        max(x, key=abs),
        min(-v for v in x),
        max(x[0], 1.5),
        min([x[-1], 0], key=lambda v: v * v),
    )


def extremes_of_nothing(x):
    return max(v for v in x if v > 100)


def extremes_with_default(x):
    return max((v for v in x if v > 100), default=-1), min(x, default=None)


def extremes_of_tuples(x):
    pairs = [(x[i], i) for i in range(len(x))]
    best = (0.0, -1)
    for i in range(len(x)):
        best = max(best, (x[i], i))
    return (
        max(pairs), min(pairs), max((abs(v), v) for v in x), min(zip(x, -x)), best, max(range(len(x)), key=lambda i: (abs(x[i]), -i)),
        min(pairs, key=lambda pair: (pair[0] > 0, pair[1])),
    )  # fmt: skip


def extremes_of_tuples_with_one_number(x):
    first = x[0]
    return max([(first, i) for i in range(len(x))]), min([(first, -i) for i in range(len(x))])


def extremes_of_tuples_with_arrays(x):
    return max((v, x) for v in x)[0]


def lists(x):
    return list(x), tuple(x), list(range(len(x))), dict(a=x), dict([("b", x)]), len(set([1, 2]))  # noqa: C405, C406, C408


ARRAYS = (
    np.array([1.0, -3.0, 2.0]),
    np.array([4.0]),
    np.array([0, -2, 0]),
    np.array([np.nan, 1.0, np.nan]),
    np.array([2.0, 2.0]),
    np.zeros(0),
)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function",
    [
        sums,
        sums_of_kept,
        truths,
        asks_as_far_as_it_must,
        extremes,
        extremes_of_nothing,
        extremes_with_default,
        extremes_of_tuples,
        extremes_of_tuples_with_one_number,
        extremes_of_tuples_with_arrays,
        lists,
    ],
)
@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_builtins_over_all_items_are_pythons(function: Any, device: str) -> None:
    converted = convert(function, device=device)
    for x in ARRAYS:
        compare(call(function, (x,)), call(converted, (x,)))
    assert any(entry.hits for entry in converted.calls.entries) or function is extremes_of_nothing
