"""Sets that were there before the call are looked into, and guarded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import StagingError

KNOWN: set[Any] = {1, 2, "a"}
X = np.arange(3.0)


def look(x: Any, n: int, key: Any) -> Any:
    return (
        (x + 1 if n in KNOWN else -x),
        key in KNOWN,
        len(KNOWN),
        bool(KNOWN),
        isinstance(KNOWN, set),
        type(KNOWN) is set,
    )


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_what_is_in_a_set_is_known_until_it_changes(device: str) -> None:
    converted = transpile.convert(look, strict=True, device=device)
    try:
        for n, key in ((1, "a"), (3, "a"), (3, "b"), (2, None)):
            assert str(converted(X, n, key)) == str(look(X, n, key))
        KNOWN.add(3)
        assert str(converted(X, 3, "a")) == str(look(X, 3, "a"))
    finally:
        KNOWN.discard(3)


WALLS: set[Any] = {(0, 1), (2, 3), (4, (5, "a"))}


def bump(x: Any, way: Any) -> Any:
    return [
        ((i, i + 1) in WALLS, (x[i], way) in WALLS, (4, (i + 3, "a")) not in WALLS) for i in range(len(x))
    ]


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_sets_of_tuples_are_looked_into(device: str) -> None:
    converted = transpile.convert(bump, strict=True, device=device)
    try:
        for x, way in ((X, 3), (X.astype(int), 1), (X, 1.0), (X.astype(int), 1)):
            assert converted(x, way) == bump(x, way)
        WALLS.add((1, 1))
        assert converted(X.astype(int), 1) == bump(X.astype(int), 1)
    finally:
        WALLS.discard((1, 1))


def each(x: Any) -> Any:
    for item in KNOWN:
        x = x + len(str(item))
    return x


def added(x: Any) -> Any:
    KNOWN.add(4)
    return x


def compared(x: Any) -> Any:
    return x if not KNOWN.isdisjoint({1}) else -x


@pytest.mark.parametrize("function", [each, added, compared])
def test_more_than_what_is_in_a_set_is_refused(function: Any) -> None:
    with pytest.raises(StagingError) as error:
        transpile.convert(function, strict=True)(X)
    assert error.value.code == "S201-argument"
