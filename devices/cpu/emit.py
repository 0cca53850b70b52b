"""Prints a scheduled program as the text of one function for numba."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import Any

from transpile.devices.loops.buffer import Buffer
from transpile.devices.loops.expression import Apply
from transpile.devices.loops.program import Program, Upcall
from transpile.devices.loops.statement import (
    Allocate,
    ArgReduction,
    Assign,
    Body,
    CheckedLet,
    Collect,
    For,
    Fused,
    If,
    LeaveIf,
    Let,
    LibraryCall,
    Nest,
    Reduction,
    Reshape,
    SumBegin,
    SumEnd,
    SumRow,
    While,
)
from transpile.runtime.graph.bounds import LARGEST_SIZE
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT
from transpile.runtime.positions import Location

from . import flags, memory, opaque
from .blocks import Blocks
from .draws import Draws
from .exits import Exits, tuple_text
from .fused import Fusions
from .kernel import Kernel
from .libraries import Libraries
from .python_numbers import Numbers
from .python_operators import CHECKED
from .reductions import Reductions
from .room import Room
from .running_sums import RunningSums
from .scalars import Scalars
from .searches import Searches
from .statuses import DEOPTIMISED, FLAGGED, REPORTED, UNASSUMED
from .writer import Writer

# The text of LARGEST_SIZE, a power of two.
_LARGEST_SIZE = f"1 << {LARGEST_SIZE.bit_length() - 1}"


class Emitter:
    """Prints one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.writer = Writer({program.name, "frame"})
        self.scalars = Scalars(self.writer, program.graph.accuracy == "fast")
        self.blocks = Blocks(self.writer, self.scalars)
        self.reductions = Reductions(self.writer, self.scalars, self.blocks)
        self.running_sums = RunningSums(self.writer, self.scalars, self.blocks)
        self.searches = Searches(self.writer, self.scalars, self.blocks, self.reductions)
        self.fusions = Fusions(self.writer, self.scalars, self.blocks, self.reductions)
        self.libraries = Libraries(self.writer, self.scalars)
        self.draws = Draws(self.writer, self.scalars)
        self.numbers = Numbers(self.writer, self.scalars)
        self.line = 0
        self.exits = Exits(self.writer, self.scalars, program)
        self.room = Room(self.writer, self.scalars, program)

    def run(self) -> Kernel:
        """Return the kernel."""
        program, writer = self.program, self.writer
        name = writer.new("kernel")
        arrays = [item for item in (*program.inputs, *program.outputs) if isinstance(item, Buffer)]
        scalars = [
            item
            for item, source in zip(program.inputs, program.graph.inputs, strict=True)
            if source.source == "scalar"
        ]
        parameters = [
            "frame",
            *map(self.buffer, arrays),
            *(self.scalars.variable(v) for v in scalars if isinstance(v, Value)),
        ]
        with writer.block(f"def {name}({', '.join(parameters)}):"):
            self.prologue()
            for statement in program.body:
                self.room.before(statement)
                self.body([statement])
            self.epilogue()
        exits = self.exits
        declarations = [*self.blocks.declarations(), *(f"    {said} = 0" for said in exits.said)]
        lines = [writer.lines[0], *declarations, *writer.lines[1:]]
        return Kernel(
            name, "\n".join(lines) + "\n", writer.namespace, exits.slots, exits.returned, exits.late
        )

    # -- beginning and end -------------------------------------------------------------------------------------

    def prologue(self) -> None:
        """Read the dims, and check what the graph assumes of the arguments."""
        program, graph = self.program, self.program.graph
        for argument, source in zip(graph.block.arguments, graph.inputs, strict=True):
            if source.source == "dim":
                array = self.buffer(program.inputs[source.of])
                self.writer.line(f"{self.scalars.variable(argument)} = {array}.shape[{source.axis}]")
        tests = [f"{self.dim(dim)} < 0" for dim in graph.assumptions]
        tests += [f"{self.scalars.variable(value)} != {self.dim(dim)}" for value, dim in graph.equalities]
        self.exits.leave_where(tests, UNASSUMED)
        sizes = [
            self.scalars.variable(value)
            for value, source in zip(graph.block.arguments, graph.inputs, strict=True)
            if source.source == "dim"
        ]
        if sizes:
            largest = f"max({', '.join(sizes)})" if len(sizes) > 1 else sizes[0]
            self.exits.leave_where([f"{largest} > {_LARGEST_SIZE}"], DEOPTIMISED)
        if program.heeds:
            self.writer.line(f"{self.writer.use('clear_fp_flags', flags.clear_fp_flags)}()")
            self.settle(value for value in program.inputs if isinstance(value, Value) and value.type != INT)

    def epilogue(self) -> None:
        """Hand out what is returned."""
        for buffer in self.exits.late:
            if buffer.source not in ("result", "given"):
                self.hand_out(buffer)
        heeds = self.program.heeds
        if heeds and not self.program.final:
            self.settle(self.exits.returned)
            raised = self.exits.raised()
            if self.program.reporter is None:
                self.exits.leave_where([raised], FLAGGED)
            else:
                with self.writer.block(f"if {raised}:"):
                    self.exits.leave(f"{REPORTED} - ({raised})", done=True)
        self.exits.leave(0, done=True)

    def settle(self, values: Iterable[Value]) -> None:
        """Have numbers be computed before what follows, and what is computed of them after it: see Note [Status flags]."""
        for value in values:
            name = self.scalars.variable(value)
            self.writer.line(f"{name} = {self.writer.use('settled', flags.settled)}({name})")

    def hand_out(self, buffer: Buffer) -> None:
        """Have Python make an array for a result, and copy the result into it."""
        dims = [f"{self.buffer(buffer)}.shape[{axis}]" for axis in range(len(buffer.dims))]
        target = self.writer.new(f"{buffer.name}_result")
        self.exits.make(buffer, target, dims)
        self.room.of(target)
        indices = [self.writer.new(letter) for letter in "ijklmnpq"[: len(dims)]]
        with ExitStack() as stack:
            for index, dim in zip(indices, dims, strict=True):
                stack.enter_context(self.writer.block(f"for {index} in range({dim}):"))
            place = ", ".join(indices) or "()"
            self.writer.line(f"{target}[{place}] = {self.buffer(buffer)}[{place}]")

    # -- statements --------------------------------------------------------------------------------------------

    def buffer(self, buffer: Buffer | Value) -> str:
        """Return the name of a buffer's variable."""
        assert isinstance(buffer, Buffer)
        return self.scalars.buffer(buffer)

    def dim(self, dim: DimLike) -> str:
        """Return the text of a dim."""
        return self.scalars.dim(dim)

    def body(self, body: Body) -> None:
        """Print statements."""
        for statement in body:
            self.mark(getattr(statement, "location", ()))
            _PRINTERS[type(statement)](self, statement)

    def mark(self, location: Location) -> None:
        """Print the user's line that the next statements come from, where it is another one than before."""
        if location and location[-1].line != self.line:
            self.line = location[-1].line
            text = location[-1].text.strip()
            if text:
                self.writer.line(f"# {self.line}: {text}")

    def let(self, statement: Let) -> None:
        """Print the value of a scalar."""
        self.writer.line(
            f"{self.scalars.variable(statement.value)} = {self.scalars.text(statement.expression)}"
        )

    def allocate(self, statement: Allocate) -> None:
        """Print the making of a buffer."""
        buffer = statement.buffer
        if buffer.source == "result" and buffer in self.exits.late:
            self.exits.make(buffer, self.buffer(buffer), list(map(self.dim, buffer.dims)))
            self.room.of(self.buffer(buffer))
            return
        shape = tuple_text([self.dim(dim) for dim in buffer.dims])
        kind = self.scalars.dtype(buffer.dtype)
        if buffer.source == "scratch":
            text = f"{self.writer.use('scratch', memory.scratch)}({self.dim(buffer.dims[0])}, {kind})"
        elif buffer.layout == "F":
            text = f"{self.writer.use('empty_f', memory.empty_f)}({shape}, {kind})"
        elif buffer.order is None:
            text = f"{self.writer.use('empty', memory.empty)}({shape}, {kind})"
        else:
            shape = tuple_text([self.dim(buffer.dims[axis]) for axis in buffer.axes])
            text = f"{self.writer.use('empty', memory.empty)}({shape}, {kind}).transpose({tuple_text(buffer.places)})"
        self.writer.line(f"{self.buffer(buffer)} = {text}")

    def reshape(self, statement: Reshape) -> None:
        """Print other dims for a buffer."""
        if statement.merged is not None:
            axis, count = statement.merged
            merged = self.writer.use("merged", memory.merged)
            base = self.buffer(statement.base)
            self.writer.line(f"{self.buffer(statement.buffer)} = {merged}({base}, {axis}, {count})")
            return
        shape = tuple_text([self.dim(dim) for dim in statement.buffer.dims])
        self.writer.line(f"{self.buffer(statement.buffer)} = {self.buffer(statement.base)}.reshape({shape})")

    def assign(self, statement: Assign) -> None:
        """Print assignments; several that depend on each other as one."""
        targets = [self.target(target) for target, _ in statement.pairs]
        sources = [self.source(source, target) for target, source in statement.pairs]
        later = [set(sources[place + 1 :]) for place in range(len(sources))]
        if any(
            any(_mentions(text, name) for text in rest) for name, rest in zip(targets, later, strict=True)
        ):
            self.writer.line(f"{', '.join(targets)} = {', '.join(sources)}")
            return
        for name, text in zip(targets, sources, strict=True):
            self.writer.line(f"{name} = {text}")

    def if_(self, statement: If) -> None:
        """Print a branch."""
        test = self.scalars.text(statement.test)
        if not statement.then:
            if statement.otherwise:
                with self.writer.block(f"if not {self.scalars.inner(statement.test)}:"):
                    self.body(statement.otherwise)
            return
        with self.writer.block(f"if {test}:"):
            self.body(statement.then)
        if statement.otherwise:
            with self.writer.block("else:"):
                self.body(statement.otherwise)

    def while_(self, statement: While) -> None:
        """Print a loop on a test."""
        simple = not statement.head and not statement.end.pairs
        # numba takes a variable for what it was before the loop, on every turn, where it is assigned to right before a `break`: others carry it out.
        pairs = [(self.target(target), self.source(source)) for target, source in statement.end.pairs]
        left = [(name, text, self.writer.new(f"{name}_end")) for name, text in pairs if name != text]
        with self.writer.block(f"while {self.scalars.text(statement.test) if simple else True}:"):
            if not simple:
                self.body(statement.head)
                with self.writer.block(f"if not {self.scalars.inner(statement.test)}:"):
                    for _, text, end in left:
                        self.writer.line(f"{end} = {text}")
                    self.writer.line("break")
            self.body(statement.body)
            if statement.until is not None:
                with self.writer.block(f"if {self.scalars.variable(statement.until)}:"):
                    for name, _, end in left:
                        self.writer.line(f"{end} = {name}")
                    self.writer.line("break")
        for name, _, end in left:
            self.writer.line(f"{name} = {end}")

    def target(self, target: Any) -> str:
        """Return the name of a variable that is assigned to."""
        return self.buffer(target) if isinstance(target, Buffer) else self.scalars.variable(target)

    def source(self, source: Any, target: Any = None) -> str:
        """Return the text of what is assigned."""
        if not isinstance(source, Buffer):
            return self.scalars.text(source)
        name = self.buffer(source)
        is_lent = isinstance(target, Buffer) and target.source == "lent" != source.source
        return f"{self.writer.use('lent', memory.lent)}({name})" if is_lent else name

    def until(self, flag: Value | None) -> None:
        """Print the end of a loop by a flag."""
        if flag is not None:
            with self.writer.block(f"if {self.scalars.variable(flag)}:"):
                self.writer.line("break")

    def for_(self, statement: For) -> None:
        """Print a loop over a range."""
        start, stop, step = (
            self.scalars.text(bound) for bound in (statement.start, statement.stop, statement.step)
        )
        bounds = [start, stop, step]
        if step == "1":
            bounds = [stop] if start == "0" else [start, stop]
        self.blocks.spread(statement.spread, statement.index)
        index = self.scalars.variable(statement.index)
        with self.writer.block(f"for {index} in range({', '.join(bounds)}):"):
            if statement.in_order:
                self.writer.line(f"{index} = {self.writer.use('opaque', opaque.opaque)}({index})")
            self.body(statement.body)
            self.until(statement.until)

    def leave_if(self, statement: LeaveIf) -> None:
        """Print a place where the kernel may be left."""
        self.exits.leave_if(statement)

    def checked_let(self, statement: CheckedLet) -> None:
        """Print an op on integers that may fail."""
        expression = statement.expression
        assert isinstance(expression, Apply)
        helper = CHECKED[expression.name]
        failed = self.writer.name("failed", "failed")
        arguments = ", ".join(map(self.scalars.text, expression.operands))
        variable = self.scalars.variable(statement.value)
        self.writer.line(f"{variable}, {failed} = {self.writer.use(helper.__name__, helper)}({arguments})")
        with self.writer.block(f"if {failed}:"):
            self.exits.leave_at(statement.site)

    def upcall(self, statement: Upcall) -> None:
        """Print a call of Python, where the kernel does not draw by itself what it would give."""
        self.room.taken(statement)
        with self.draws.or_else(statement), self.numbers.or_else(statement):
            self.exits.call_python(statement)

    def nest(self, statement: Nest) -> None:
        """Print a loop nest."""
        self.blocks.nest(statement)

    def fused(self, statement: Fused) -> None:
        """Print a nest that does several things."""
        self.fusions.fused(statement, self.mark)

    def collect(self, statement: Collect) -> None:
        """Print the search for true elements."""
        self.blocks.collect(statement)

    def reduction(self, statement: Reduction) -> None:
        """Print a reduction."""
        self.reductions.reduction(statement)

    def sum_begin(self, statement: SumBegin) -> None:
        """Print the beginning of a sum over rows."""
        self.running_sums.begin(statement)

    def sum_row(self, statement: SumRow) -> None:
        """Print what adds up a row."""
        self.running_sums.row(statement)

    def sum_end(self, statement: SumEnd) -> None:
        """Print the end of a sum over rows."""
        self.running_sums.end(statement)

    def argreduction(self, statement: ArgReduction) -> None:
        """Print the search for an extreme."""
        self.searches.argreduction(statement)

    def library_call(self, statement: LibraryCall) -> None:
        """Print a call of a library routine."""
        self.libraries.call(statement)


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


_PRINTERS: dict[type, Callable[[Emitter, Any], None]] = {
    Let: Emitter.let,
    Allocate: Emitter.allocate,
    Reshape: Emitter.reshape,
    Assign: Emitter.assign,
    If: Emitter.if_,
    While: Emitter.while_,
    For: Emitter.for_,
    LeaveIf: Emitter.leave_if,
    CheckedLet: Emitter.checked_let,
    Upcall: Emitter.upcall,
    Nest: Emitter.nest,
    Fused: Emitter.fused,
    Collect: Emitter.collect,
    Reduction: Emitter.reduction,
    SumBegin: Emitter.sum_begin,
    SumRow: Emitter.sum_row,
    SumEnd: Emitter.sum_end,
    ArgReduction: Emitter.argreduction,
    LibraryCall: Emitter.library_call,
}


def emit(program: Program) -> Kernel:
    """Print a program."""
    return Emitter(program).run()
