"""Lists that have grown in a region, and have to be staged before it."""

from __future__ import annotations

from transpile.runtime.arrays.lists import Grows, StagedList

from .heap import Heap


def stage_grown(heap: Heap, grows: Grows) -> None:
    """Put everything back as it was when a region began, and stage the lists that were found to grow in it, all at once."""
    grown = [(thing, thing.row) for thing in heap.things if isinstance(thing, StagedList)]
    heap.restore()
    for thing, row in [(grows.things, grows.row), *grown]:
        if row is not None and thing.row is None:
            thing.stage(row)
