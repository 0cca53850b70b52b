"""Lists that have grown in a region, or hold one more kind of thing, and objects that became items: they have to be staged for that before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from transpile.runtime.arrays.lists import Grows, StagedList
from transpile.runtime.arrays.pools import known_pool
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.rows import Row, in_pools
from transpile.runtime.graph.types import ScalarType

from .heap import Heap


def stage_grown(heap: Heap, grows: Grows) -> list[StagedList]:
    """Put everything back as it was when a region began, and stage the lists that were found to grow in it, all at once; return these."""
    grown: dict[int, tuple[StagedList, Row | None]] = {
        id(thing): (thing, thing.row) for thing in heap.things if isinstance(thing, StagedList)
    }
    grown[id(grows.things)] = (grows.things, grows.row)
    pooled = recorder().pooled
    moved = [(thing, pooled[id(thing)][1]) for thing in heap.things if id(thing) in pooled]
    heap.restore()
    staged = []
    for thing, row in grown.values():
        if row is not None and row != thing.row:
            # A list that holds objects may have had another one staged by now, with pools of its own.
            thing.widen(in_pools(row, known_pool))
            staged.append(thing)
    for thing, pool in moved:
        pool.adopt(thing)
    return staged


def replaced_by_staged(before: Sequence[Any], after: Sequence[Any]) -> Grows | None:
    """Return that a list of numbers is to be staged that a turn of a loop replaces by a staged one of such, as a search does with what it has found; None where there is none."""
    for first, last in zip(before, after, strict=False):
        if not isinstance(first, StagedList) or first.is_staged or not isinstance(last, StagedList):
            continue
        row = last.row if last.pool is None else None
        if isinstance(row, ScalarType) and (not list.__len__(first) or first.row_of_numbers() == row):
            return Grows(first, row)
    return None
