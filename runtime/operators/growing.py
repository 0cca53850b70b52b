"""Lists that have grown in a region, or hold one more kind of thing: they have to be staged for that before it."""

from __future__ import annotations

from transpile.runtime.arrays.lists import Grows, StagedList
from transpile.runtime.arrays.rows import Row

from .heap import Heap


def stage_grown(heap: Heap, grows: Grows) -> None:
    """Put everything back as it was when a region began, and stage the lists that were found to grow in it, all at once."""
    grown: dict[int, tuple[StagedList, Row | None]] = {
        id(thing): (thing, thing.row) for thing in heap.things if isinstance(thing, StagedList)
    }
    grown[id(grows.things)] = (grows.things, grows.row)
    heap.restore()
    for thing, row in grown.values():
        if row is not None and row != thing.row:
            thing.widen(row)
