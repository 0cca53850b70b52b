"""Lists and dictionaries that classes hold may be read at places that run time gives, where they are read of an instance."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import StagingError


class Walker:
    moves: ClassVar[Any] = [(-1, 0), (0, 1), (1, 0), (0, -1)]
    steps: ClassVar[Any] = {0: (-1, 0), 1: (0, 1), 2: (1, 0), 3: (0, -1)}
    costs: ClassVar[Any] = {0: 1.5, 1: 2.5, 2: 3.5}
    visited: ClassVar[Any] = []

    def by_move(self, k):
        x, y = self.moves[k % 4]
        return x + 2 * y + len(self.moves)

    def by_step(self, k):
        x, y = self.steps[k % 4]
        return x + 2 * y

    def by_cost(self, k):
        return self.costs[k % 3]

    def note(self, k):
        self.visited.append(k)
        return 0


def made(ks, name):
    walker = Walker()
    total = 0
    for k in ks:
        total += getattr(walker, name)(k)
    return total


def handed(ks, name, walker):
    total = 0
    for k in ks:
        total += getattr(walker, name)(k)
    return total


PLACES = np.random.default_rng(0).integers(0, 1000, 50)


@pytest.mark.parametrize("name", ["by_move", "by_step", "by_cost"])
@pytest.mark.parametrize("function", [made, handed])
def test_they_are_read_at_places_of_run_time(function: Any, name: str) -> None:
    more = (Walker(),) if function is handed else ()
    converted = transpile.convert(function, strict=True)
    assert converted(PLACES, name, *more) == function(PLACES, name, *more)


@pytest.mark.parametrize("function", [made, handed])
def test_other_contents_are_seen(function: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    more = (Walker(),) if function is handed else ()
    converted = transpile.convert(function, strict=True)
    assert converted(PLACES, "by_move", *more) == function(PLACES, "by_move", *more)
    monkeypatch.setattr(Walker, "moves", [(1, 1), (2, 0), (3, 5), (4, 1), (9, 9)])
    assert converted(PLACES, "by_move", *more) == function(PLACES, "by_move", *more)
    Walker.moves[2] = (7, 5)
    assert converted(PLACES, "by_move", *more) == function(PLACES, "by_move", *more)


def test_stores_into_them_are_left_to_python() -> None:
    converted = transpile.convert(handed, strict=True)
    with pytest.raises(StagingError, match="S249"):
        converted(PLACES, "note", Walker())
    assert Walker.visited == []


def asked_otherwise(ks):
    walker = Walker()
    total = 0
    for k in ks:
        total += walker.by_move(k)
    return total, walker.moves is Walker.moves, Walker.moves is not walker.moves, walker.moves


def test_they_are_what_the_class_holds() -> None:
    found = transpile.convert(asked_otherwise, strict=True)(PLACES)
    assert found == asked_otherwise(PLACES)
    assert found[3] is Walker.moves


def changed_meanwhile(ks):
    walker = Walker()
    total = 0
    for k in ks:
        total += walker.by_move(k)
    Walker.moves[0] = (100, 100)
    for k in ks:
        total += walker.by_move(k)
    Walker.moves[0] = (-1, 0)
    return total


def test_changes_by_the_class_itself_are_left_to_python() -> None:
    with pytest.warns(transpile.FallbackWarning):
        assert transpile.convert(changed_meanwhile)(PLACES) == changed_meanwhile(PLACES)
