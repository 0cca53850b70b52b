"""The regions that a trace is in, and the cells that each has touched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from transpile.runtime.graph.dim import DimLike, values_of
from transpile.runtime.graph.ir import Block, Op, Value

from .cells import Cell, Resource
from .signals import Diverged


class Frame:
    """A region being traced: its block, and the cells it has touched."""

    def __init__(self, kind: str, parent: Frame | None) -> None:
        self.kind = kind
        self.parent = parent
        self.block = Block()
        self.cells: dict[Cell, Value] = {}
        self.captured: dict[Cell, tuple[Value, Value]] = {}
        self.written: dict[Cell, None] = {}
        self.memo: dict[Any, Value] = {}
        # The places of the true elements of masks, an array for each axis.
        self.places: dict[Value, tuple[Value, ...]] = {}
        self.diverged = False

    def outwards(self) -> Iterator[Frame]:
        """Yield this frame, the one around it, and so on."""
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.parent


class Frames:
    """The frames of one graph, and what each cell holds in them."""

    def __init__(self, escaped: Callable[[Cell], NoReturn]) -> None:
        self.frame = self.graph_frame = Frame("entry", None)
        # Exceptions that left a region halfway, and those that Python perhaps raises in other words.
        self.halfway: list[Exception] = []
        self.reworded: list[Exception] = []
        self._escaped = escaped

    @contextmanager
    def region(self, frame: Frame) -> Iterator[Frame]:
        """Record into `frame`; a region that raises is marked as one that never ends."""
        outer, self.frame = self.frame, frame
        try:
            yield frame
        except Diverged:
            frame.diverged = True
            frame.block.results = None
        except Exception as error:
            self.halfway.append(error)
            raise
        finally:
            self.frame = outer

    def unsure(self, error: Exception) -> Exception:
        """Note that what Python or NumPy says in the place of an error depends on more than is known here: plain Python has to handle it. Return it."""
        self.reworded.append(error)
        return error

    def child(self, kind: str) -> Frame:
        """Return a new frame for a region inside the present one."""
        return Frame(kind, self.frame)

    def known(self, key: Any) -> Value | None:
        """Return what was noted under a key, in the present region or around it."""
        # Asked for each scalar op: without a generator.
        frame: Frame | None = self.frame
        while frame is not None:
            if key in frame.memo:
                return frame.memo[key]
            frame = frame.parent
        return None

    def visible(self, dim: DimLike) -> bool:
        """Whether every value of a dim is known in the region being recorded."""
        blocks = {frame.block for frame in self.frame.outwards()}
        return all(value.block in blocks for value in values_of(dim))

    # -- cells -------------------------------------------------------------------------------------------------

    def create(self, cell: Cell, value: Value) -> None:
        """Give a new cell its first value."""
        self.frame.cells[cell] = value

    def start_resource(self, resource: Resource) -> None:
        """Give a resource that the function has not touched yet its token."""
        token = Op("token", (), (resource.type,), {"type": resource.type})
        token.result.name = resource.name
        self.graph_frame.block.ops.insert(0, token)
        token.block = self.graph_frame.block
        self.graph_frame.cells[resource] = token.result

    def read(self, cell: Cell) -> Value:
        """Return the current value of a cell."""
        return self._read(cell, self.frame)

    def _read(self, cell: Cell, frame: Frame) -> Value:
        if cell in frame.cells:
            return frame.cells[cell]
        if frame.parent is None:
            self._escaped(cell)
        outer = self._read(cell, frame.parent)
        if frame.kind != "loop":
            return outer
        # The value of later turns is not known yet: a block argument stands for it, and is replaced by the
        # outer value where it turns out that the loop never writes the cell.
        argument = frame.block.argument(outer.type, outer.name)
        frame.cells[cell] = argument
        frame.captured[cell] = (argument, outer)
        return argument

    def write(self, cell: Cell, value: Value) -> None:
        """Give a cell a new value."""
        self._read(cell, self.frame)
        self.frame.cells[cell] = value
        self.frame.written[cell] = None

    def is_local(self, cell: Cell, frame: Frame) -> bool:
        """Whether the cell was made in the region of `frame`."""
        return frame.parent is None or not any(cell in outer.cells for outer in frame.parent.outwards())

    def made_this_turn(self, cell: Cell) -> bool:
        """Whether a cell was made in the turn under way of the innermost loop, or outside of loops."""
        loop = next((frame for frame in self.frame.outwards() if frame.kind == "loop"), None)
        return loop is None or self.is_local(cell, loop)

    def knows(self, cell: Cell) -> bool:
        """Whether a cell was made in the region being recorded or around it."""
        return any(cell in frame.cells for frame in self.frame.outwards())
