"""Taking back what has been recorded since a point of the trace."""

from __future__ import annotations

from typing import Any

from transpile.runtime.graph.ir import Value

from .cells import Cell, Resource
from .recorder import Recorder


class Checkpoint:
    """A point of a trace, to which it goes back where a function that does nothing but compute cannot be traced to its end."""

    def __init__(self, record: Recorder) -> None:
        self.record = record
        self.frame = record.frame
        self.count = len(self.frame.block.ops)
        self.cells = dict(self.frame.cells)
        self.effects = self._effects()
        graph = record.graph
        lists: list[list[Any]] = [graph.assumptions, graph.equalities, record.raised, record.halfway]
        self.lists = [(kept, len(kept)) for kept in lists]
        self.equal = dict(record._equal)

    def _effects(self) -> dict[Cell, Value]:
        cells = self.record.graph_frame.cells
        return {cell: value for cell, value in cells.items() if isinstance(cell, Resource)}

    @property
    def is_silent(self) -> bool:
        """Whether nothing has been recorded since that can be seen, and no array been written that was there."""
        frame = self.frame
        unchanged = all(frame.cells.get(cell) is value for cell, value in self.cells.items())
        return unchanged and self.record.frame is frame and self._effects() == self.effects

    def restore(self) -> None:
        """Go back: nothing that was computed since is, nor reported. It may rest on what was assumed since."""
        record, ops = self.record, self.frame.block.ops
        removed = set(ops[self.count :])
        del ops[self.count :]
        memo, places = self.frame.memo, self.frame.places
        for key in [key for key, value in memo.items() if value.op in removed]:
            del memo[key]
        for mask in [mask for mask, found in places.items() if any(v.op in removed for v in found)]:
            del places[mask]
        for op in removed:
            record.reporters.pop(op, None)
            record.heeds.pop(op, None)
        for kept, length in self.lists:
            del kept[length:]
        record.bounds.assumed.forget()
        record._refused.clear()
        record._equal = dict(self.equal)
