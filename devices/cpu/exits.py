"""Prints where a kernel is left: at its end, for the original, with an error, or for Python to do something meanwhile."""

from __future__ import annotations

from collections.abc import Sequence

from transpile.devices.loops.buffer import Buffer
from transpile.devices.loops.expression import Constant
from transpile.devices.loops.program import Program, Site, Upcall
from transpile.devices.loops.statement import LeaveIf
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ScalarType
from transpile.runtime.ops.floating_errors import Reporter

from . import flags, handovers, memory, upcall
from .scalars import Scalars
from .statuses import DEOPTIMISED, FLAGGED
from .toolkit import types
from .writer import Writer


class Exits:
    """Prints the exits of one kernel. The frame has `slots` for what Python is handed and gives back."""

    def __init__(self, writer: Writer, scalars: Scalars, program: Program) -> None:
        self.writer = writer
        self.scalars = scalars
        self.program = program
        self.returned = [value for value in dict.fromkeys(program.results) if isinstance(value, Value)]
        self.slots = 1
        # Of each place where floating-point errors are reported, those that need not be reported again.
        self.said: list[str] = []
        given = {id(buffer) for buffer in (*program.inputs, *program.outputs)}
        # Results in arrays that Python makes when the kernel knows their dims: at once, or at the end for what lies in memory of the kernel's own.
        self.late = [
            b for b in dict.fromkeys(program.results) if isinstance(b, Buffer) and id(b) not in given
        ]

    def leave_where(self, tests: Sequence[str], status: int) -> None:
        """Leave the kernel where one of some tests holds."""
        if tests:
            with self.writer.block(f"if {' or '.join(dict.fromkeys(tests))}:"):
                self.leave(status)

    def leave(self, status: int | str, done: bool = False) -> None:
        """Return from the kernel, with its results where all is done."""
        if not self.returned:
            self.writer.line(f"return {status}")
            return
        texts = [self.result(value, done) for value in self.returned]
        self.writer.line(f"return {status}, {', '.join(texts)}")

    def result(self, value: Value, real: bool) -> str:
        """Return the text of a returned scalar; where the kernel fails, one that nobody looks at."""
        assert isinstance(value.type, ScalarType)
        if real:
            return self.scalars.variable(value)
        return self.scalars.constant(value.type.dtype.type(0), value.type)

    def raised(self) -> str:
        """Return the text of the floating-point errors of which the processor's flags tell, as far as they matter."""
        return f"{self.writer.use('test_fp_flags', flags.test_fp_flags)}() & {self.program.heeds}"

    def leave_if(self, statement: LeaveIf) -> None:
        """Print a place where the kernel may be left."""
        if statement.test is None:
            self.leave_at(statement.site)
            return
        if statement.test == Constant(False, statement.test.type):
            return
        with self.writer.block(f"if {self.scalars.text(statement.test)}:"):
            self.leave_at(statement.site)

    def leave_at(self, site: Site) -> None:
        """Print the leaving at a site, with the operands of its exception."""
        if site.exception is None:
            self.leave(FLAGGED if site.flagged else DEOPTIMISED)
            return
        if self.program.heeds and not site.final:
            self.leave_where([self.raised()], FLAGGED)
        self.operands(site)
        self.leave(site.number)

    def operands(self, site: Site) -> None:
        """Print the handing over of a site's operands."""
        slot = 1
        for operand in site.operands:
            if isinstance(operand, Buffer):
                text, width = self.scalars.buffer(operand), 2 + 2 * len(operand.dims)
            else:
                text, width = self.scalars.text(operand), 2 if operand.type.dtype.itemsize == 16 else 1
                text = self.scalars.stored(text, operand.type.dtype)
            self.writer.line(f"{self.writer.use('put', handovers.put)}(frame, {slot}, {text})")
            slot += width
        self.slots = max(self.slots, slot)

    def make(self, buffer: Buffer, target: str, dims: list[str]) -> None:
        """Have Python make the array for a result."""
        site = len(self.program.sites) + 1 + self.late.index(buffer)
        put = self.writer.use("put", handovers.put)
        for slot, dim in enumerate(dims, 1):
            self.writer.line(f"{put}(frame, {slot}, {dim})")
        self.slots = max(self.slots, len(dims) + 2)
        with self.writer.block(f"if {self.writer.use('upcall', handovers.upcall)}(frame, {site}) != 0:"):
            self.leave(site)
        get = self.writer.use("get", handovers.get)
        shape = tuple_text([dims[axis] for axis in buffer.axes])
        wrap, kind = self.writer.use("wrap", memory.wrap), self.scalars.dtype(buffer.dtype)
        address = f"{get}(frame, {len(dims) + 1}, {self.writer.use('int64', types.int64)})"
        text = f"{wrap}({address}, {shape}, {kind})"
        if buffer.order is not None:
            text += f".transpose({tuple_text(buffer.places)})"
        self.writer.line(f"{target} = {text}")

    def call_python(self, statement: Upcall) -> None:
        """Print a call of Python."""
        if isinstance(statement.function, Reporter):
            self.report(statement)
            return
        if statement.tells and self.program.heeds and not statement.site.final:
            self.leave_where([self.raised()], FLAGGED)
        self.operands(statement.site)
        self.call_site(statement.site)
        if statement.result is not None:
            type_ = statement.result.type
            assert isinstance(type_, ScalarType)
            get = self.writer.use("get", handovers.get)
            self.slots = max(self.slots, 3)
            text = self.scalars.loaded(f"{get}(frame, 1, {self.scalars.dtype(type_.dtype)})", type_.dtype)
            self.writer.line(f"{self.scalars.variable(statement.result)} = {text}")
        if statement.gives is not None and statement.gives.source == "taken":
            self.take(statement.gives)

    def take(self, buffer: Buffer) -> None:
        """Print the taking over of an array that Python has given."""
        get, kind = self.writer.use("get", handovers.get), self.writer.use("int64", types.int64)
        words = ", ".join(f"{get}(frame, {slot}, {kind})" for slot in (upcall.GIVEN, upcall.GIVEN + 1))
        self.slots = max(self.slots, upcall.GIVEN + 2)
        shape = tuple_text([self.scalars.dim(dim) for dim in buffer.dims])
        owned, dtype = self.writer.use("owned", memory.owned), self.scalars.dtype(buffer.dtype)
        self.writer.line(f"{self.scalars.buffer(buffer)} = {owned}({words}, {shape}, {dtype})")

    def report(self, statement: Upcall) -> None:
        """Print the report of floating-point errors, of those that were not reported here before and whose warnings would not be shown again."""
        (errors,) = statement.site.operands
        assert not isinstance(errors, Buffer)
        said = self.writer.new("said")
        self.said.append(said)
        with self.writer.block(f"if {self.scalars.text(errors)} & ~{said} != 0:"):
            self.operands(statement.site)
            self.call_site(statement.site)
            get = (
                f"{self.writer.use('get', handovers.get)}(frame, 1, {self.writer.use('int64', types.int64)})"
            )
            self.slots = max(self.slots, 3)
            self.writer.line(f"{said} |= {get}")

    def call_site(self, site: Site) -> None:
        """Print the call of what Python does at a site. Where it fails, what there is to be warned of before comes first."""
        with self.writer.block(
            f"if {self.writer.use('upcall', handovers.upcall)}(frame, {site.number}) != 0:"
        ):
            if self.program.heeds and not site.final:
                self.leave_where([self.raised()], FLAGGED)
            self.leave(site.number)


def tuple_text(items: Sequence[object]) -> str:
    """Return the text of a tuple."""
    return f"({', '.join(map(str, items))}{',' * (len(items) == 1)})"
