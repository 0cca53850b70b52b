"""Known tuples that are read at places that run time gives."""

from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...behaviours.harness import observe
from ...end_to_end.comparison import compare

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
WEIGHTS = (1, 2.5, None, True)


def turned(x):
    a = b = 0
    for v in x:
        da, db = STEPS[v % 4]
        a += da
        b -= db
    return a, b, STEPS, STEPS[0], STEPS[-1], len(STEPS)


def weighed(x):
    own = (1.5, -2.5, 3.5)
    total, nothing = 0.0, 0
    for v in x:
        w = WEIGHTS[v % 4]
        if w is None:
            nothing += 1
        else:
            total += w
        total += own[v % 3]
    return (
        total,
        nothing,
        own,
        (*own, 1),
        own[1:],
        type(own),
        isinstance(own, tuple),
        own == (1.5, -2.5, 3.5),
    )


def beyond(x):
    own = ((1, 2), (3, 4))
    return own[x[0]]


def kept(x):
    own, found = (3, 4), []
    for v in x:
        found.append(own)
        own = (v, 1)
    print(own, found[0])
    return found, {own: 1} if len(x) == 0 else None, hash((3, 4))


X = np.array([1, 7, 2, 0, 5])


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [turned, weighed, beyond, kept])
@pytest.mark.parametrize("x", [X, X[2:], X[3:] * 3])
def test_they_are_what_pythons_are(function: Any, x: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    compare(observe(function, (x,)), observe(converted, (x,)))


def as_keys(x):
    key = (1, 7)
    return {key: x[0], (key, 2): {key: x[1]}}


def given_as_keys(x, held):
    key = (1, 7)
    held[key] = x[0]
    held.update({(key, 2): x[1]})
    return held


def raised_as_keys(x):
    key = (1, 7)
    if x[0] >= 0:
        raise ValueError({key: 1})
    return x


def classes_of(key: Any) -> Any:
    return type(key), list(map(classes_of, key)) if isinstance(key, tuple) else None


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function, given", [(as_keys, []), (given_as_keys, [{}])])
def test_they_are_tuples_as_keys(function: Any, given: Any, device: str) -> None:
    held = convert(function, strict=True, device=device)(np.arange(3.0), *given)
    assert held.keys() == {(1, 7), ((1, 7), 2)}
    assert all(classes_of(key)[0] is tuple for key in held)
    assert classes_of(list(held)[1]) == classes_of(((1, 7), 2))


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_they_are_tuples_as_keys_that_an_exception_holds(device: str) -> None:
    with pytest.raises(ValueError) as caught:
        convert(raised_as_keys, strict=True, device=device)(np.arange(3.0))
    assert [type(key) for key in caught.value.args[0]] == [tuple]
