"""Makes room for the arrays that a call returns: as much of the kept memory goes as they take, before they are written first."""

from __future__ import annotations

import sys
from typing import Any

from transpile.devices.loops.accesses import accesses
from transpile.devices.loops.program import Program, Upcall
from transpile.devices.loops.sharing import all_bodies
from transpile.devices.loops.statement import Allocate, Statement

from . import pool
from .lanes import named_intrinsic
from .scalars import Scalars
from .toolkit import types
from .writer import Writer

# Note [Room]
# The pool does not count what is returned: pages are there from the first write on. What a kernel has done with by then would stay kept
# beside it, where NumPy's temporaries are gone. So the pool is told before that write, as if it were asked for a block of that size which is given back at once. It is told likewise of arrays
# that NumPy makes for the kernel.


def _define_make_room(typing_context: Any, x: Any) -> Any:
    if not isinstance(x, types.Array):
        return None

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        array = context.make_array(x)(context, builder, values[0])
        pool.make_room(builder, builder.mul(array.nitems, array.itemsize))
        return context.get_dummy_value()

    return types.void(x), generate


make_room = named_intrinsic(
    "make_room",
    _define_make_room,
    ["x"],
    "``make_room(x)``: an array is going to be written for the first time.",
)


def _define_make_room_of(typing_context: Any, size: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pool.make_room(builder, values[0])
        return context.get_dummy_value()

    return types.void(types.int64), generate


make_room_of = named_intrinsic(
    "make_room_of",
    _define_make_room_of,
    ["size"],
    "``make_room_of(size)``: Python is going to make an array of so many bytes.",
)


class Room:
    """Prints where room is made for the results of a program."""

    def __init__(self, writer: Writer, scalars: Scalars, program: Program) -> None:
        self.writer = writer
        self.scalars = scalars
        # Whether there may be kept memory of the call's own.
        self.matters = sys.maxsize > 2**32 and any(
            isinstance(statement, Allocate) and statement.buffer.source != "result"
            for body in all_bodies(program.body)
            for statement in body
        )
        self.waiting = list(program.outputs)

    def before(self, statement: Statement) -> None:
        """Make room for the results that a statement is the first to write."""
        if self.waiting:
            written = {access.buffer.root for access in accesses(statement).writes}
            for buffer in self.waiting:
                if buffer in written:
                    self.of(self.scalars.buffer(buffer))
            self.waiting = [buffer for buffer in self.waiting if buffer not in written]

    def of(self, array: str) -> None:
        """Make room for an array, by the name of its variable."""
        if self.matters:
            self.writer.line(f"{self.writer.use('make_room', make_room)}({array})")

    def taken(self, statement: Upcall) -> None:
        """Make room for the array that a call of Python gives the kernel."""
        buffer = statement.gives
        if self.matters and buffer is not None and buffer.source == "taken":
            dims = (text if text.isalnum() else f"({text})" for text in map(self.scalars.dim, buffer.dims))
            size = " * ".join((str(buffer.dtype.itemsize), *dims))
            self.writer.line(f"{self.writer.use('make_room_of', make_room_of)}({size})")
