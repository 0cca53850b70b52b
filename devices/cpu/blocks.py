"""Loop nests: plain where the machine has every op, else in blocks through NumPy's inner loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace

import numpy as np

from transpile.devices.loops.buffer import Buffer, Variable
from transpile.devices.loops.expression import Apply, Element, Expression, Gather, Position, elements, walk
from transpile.devices.loops.statement import Collect, Let, Nest, Reduction, Spread
from transpile.runtime.graph.dim import Dim, DimLike, substitute, values_of
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import BOOL, INT, DType
from transpile.runtime.ops.table import TABLE

from . import memory, shared_loops
from .hypotenuses import hypotenuse, is_hypotenuse, usual_sides
from .scalars import Scalars, is_inline, signature_of
from .writer import Writer

# The elements that are worked on at a time, between calls of NumPy's inner loops: few enough for the cache, enough for the calls not to count.
LENGTH = 512
# As many where nothing is kept between calls.
LONG = 16 * LENGTH
# The truth values that are looked at together for one that is true.
_PIECE = 64


class Blocks:
    """Prints loop nests."""

    def __init__(self, writer: Writer, scalars: Scalars) -> None:
        self.writer = writer
        self.scalars = scalars
        # Blocks that are free for use, and all of them, by dtype; one-element ones for what is the same all along.
        self._all: list[tuple[Buffer, int]] = []
        # Those that hold something between the statements of a kernel.
        self._owned: set[Buffer] = set()

    def declarations(self) -> list[str]:
        """Return the lines that make the blocks, for the beginning of the kernel."""
        scratch = self.writer.use("scratch", memory.scratch) if self._all else ""
        return [
            f"    {self.name(buffer)} = {scratch}({length}, {self.scalars.dtype(buffer.dtype)})"
            for buffer, length in self._all
        ]

    def name(self, buffer: Buffer) -> str:
        """Return the name of a buffer."""
        return self.writer.name(buffer, buffer.name)

    def block(self, dtype: DType, taken: set[Buffer], length: int = LENGTH) -> Buffer:
        """Return a block that is not taken."""
        for buffer, own in self._all:
            if buffer not in taken | self._owned and buffer.dtype == dtype and own == length:
                taken.add(buffer)
                return buffer
        buffer = Buffer(self.writer.new("block" if length > 1 else "single"), np.dtype(dtype), (length,))
        self.writer.name(buffer, buffer.name)
        self._all.append((buffer, length))
        taken.add(buffer)
        return buffer

    def own(self, dtype: DType, length: int) -> Buffer:
        """Return a block that nobody else takes."""
        taken = {buffer for buffer, _ in self._all}
        buffer = self.block(dtype, taken, length)
        self._owned.add(buffer)
        return buffer

    def spread(self, spread: Spread | None, index: Value, turns: int = 1) -> None:
        """Print that the loop that follows may be spread over threads, where it is the one; each of its turns is so many."""
        if spread is not None and spread.index is index:
            work = self.scalars.dim(spread.work * turns)
            self.writer.line(f"{self.writer.use('spread', shared_loops.spread)}({work})")

    def loops(
        self, stack: ExitStack, indices: list[tuple[Value, DimLike]], spread: Spread | None = None
    ) -> None:
        """Open loops."""
        for index, dim in indices:
            self.spread(spread, index)
            stack.enter_context(
                self.writer.block(f"for {self.index(index)} in range({self.scalars.dim(dim)}):")
            )

    def index(self, index: Value) -> str:
        """Return the name of a loop's variable."""
        return self.writer.name(index, index.name)

    def store(self, target: Element, expression: Expression) -> None:
        """Print one assignment."""
        value = self.scalars.stored(self.scalars.text(expression), target.type.dtype)
        self.writer.line(f"{self.scalars.element(target)} = {value}")

    def nest(self, nest: Nest) -> None:
        """Print a nest."""
        if not nest.indices or not self.calls(nest.expression):
            with ExitStack() as stack:
                self.loops(stack, nest.indices, nest.spread)
                self.store(nest.target, nest.expression)
            return
        with ExitStack() as stack:
            self.loops(stack, nest.indices[:-1], nest.spread)
            run = Run(self, *nest.indices[-1])
            run.prepare([nest.expression])
            alone = nest.spread is None and run.needs_no_block(nest.expression, nest.target)
            with run.blocks(LONG if alone else LENGTH, nest.spread):
                direct = run.compute(nest.expression, nest.target)
                if not direct:
                    run.loop(lambda: self.store(run.moved_element(nest.target), run.moved(nest.expression)))

    def collect(self, collect: Collect) -> None:
        """Print the search for true elements."""
        place = self.index(collect.place[0])
        self.writer.line(f"{place} = 0")
        index, extent = collect.indices[-1]
        with ExitStack() as stack:
            if not self.calls(collect.test):
                if collect.test.type.dtype == BOOL and all(map(_is_cheap, collect.parts)):
                    self.loops(stack, collect.indices[:-1])
                    self.pieces(stack, collect)
                    # Stored whether it is wanted or not, for what comes next to be stored over it: nothing to guess wrong.
                    with self.writer.block(f"if {place} == {self.scalars.dim(collect.place[1])}:"):
                        self.writer.line("break")
                    self.parts(collect.parts)
                    self.writer.line(f"{place} += {self.scalars.inner(collect.test)}")
                    return
                self.loops(stack, collect.indices)
                self.keep(collect, collect.test, collect.parts)
                return
            self.loops(stack, collect.indices[:-1])
            run = Run(self, index, extent)
            run.prepare([collect.test])
            with run.blocks():
                run.compute(collect.test)
                parts = [replace(part, expression=run.moved(part.expression)) for part in collect.parts]
                run.loop(lambda: self.keep(collect, run.moved(collect.test), parts))

    def pieces(self, stack: ExitStack, collect: Collect) -> None:
        """Open the innermost loop of a search: by pieces, and those without a true element, which vectors find, are passed over."""
        index, extent = collect.indices[-1]
        if not isinstance(collect.test, Element):
            self.loops(stack, [(index, extent)])
            return
        first, stop, some = (self.writer.new(name) for name in ("first", "stop", "some"))
        size, turn = self.scalars.dim(extent), f"for {self.index(index)} in range({first}, {stop}):"
        stack.enter_context(self.writer.block(f"for {first} in range(0, {size}, {_PIECE}):"))
        self.writer.line(f"{stop} = min({first} + {_PIECE}, {size})")
        self.writer.line(f"{some} = False")
        with self.writer.block(turn):
            self.writer.line(f"{some} = {some} | {self.scalars.inner(collect.test)}")
        stack.enter_context(self.writer.block(f"if {some}:"))
        stack.enter_context(self.writer.block(turn))

    def keep(self, collect: Collect, test: Expression, parts: Sequence[Let | Nest | Reduction]) -> None:
        """Print what is done where a test holds."""
        with self.writer.block(f"if {self.scalars.text(test)}:"):
            self.parts(parts)
            self.writer.line(f"{self.index(collect.place[0])} += 1")

    def parts(self, parts: Sequence[Let | Nest | Reduction]) -> None:
        """Print stores, and the variables that they use."""
        for part in parts:
            if isinstance(part, Let):
                self.writer.line(
                    f"{self.scalars.variable(part.value)} = {self.scalars.text(part.expression)}"
                )
            elif isinstance(part, Nest):
                self.store(part.target, part.expression)

    def calls(self, expression: Expression) -> list[Apply]:
        """Return the ops of an expression that NumPy's inner loops compute, operands first."""
        found: list[Apply] = []
        for part in walk(expression):
            if isinstance(part, Apply) and not is_inline(part) and part not in found:
                found.append(part)
        return found[::-1]


def _is_cheap(part: Let | Nest | Reduction) -> bool:
    """Whether a part costs no more than the decision not to do it."""
    return isinstance(part, Nest) and isinstance(part.expression, (Element, Position))


class Run:
    """One innermost loop, worked on in blocks."""

    def __init__(self, blocks: Blocks, index: Value, extent: DimLike) -> None:
        self.owner = blocks
        self.writer, self.scalars = blocks.writer, blocks.scalars
        self.index = index
        self.extent = extent
        self.taken: set[Buffer] = set()
        self.first = Value(INT, f"{index.name}0")
        self.inside = Value(INT, index.name)
        self.count = Value(INT, "count")
        self.length = LENGTH
        # What has been computed into a block, by expression.
        self.done: dict[Expression, Buffer] = {}
        self.singles: dict[Expression, Buffer] = {}
        # The variables that change along the run.
        self.varying: set[Value] = set()

    def depends(self, expression: Expression) -> bool:
        """Whether an expression changes along the run."""
        for part in walk(expression):
            dims = (
                part.indices
                if isinstance(part, Element)
                else (part.dim,)
                if isinstance(part, Position)
                else ()
            )
            if any(self.index in values_of(dim) for dim in dims):
                return True
            if isinstance(part, Variable) and part.value in self.varying:
                return True
        return False

    def prepare(self, expressions: list[Expression]) -> None:
        """Compute, before the blocks, the operands of inner loops that are the same all along."""
        for expression in expressions:
            for call in self.owner.calls(expression):
                for operand in call.operands:
                    if not self.depends(operand) and operand not in self.singles:
                        single = self.owner.block(operand.type.dtype, self.taken, 1)
                        self.singles[operand] = single
                        self.owner.store(Element(single, (0,), operand.type), operand)

    def blocks(self, length: int = LENGTH, spread: Spread | None = None) -> ExitStack:
        """Open the loop over blocks."""
        self.length = length
        stack = ExitStack()
        first, count = self.scalars.variable(self.first), self.scalars.variable(self.count)
        extent = self.scalars.dim(self.extent)
        self.owner.spread(spread, self.index, length)
        stack.enter_context(self.writer.block(f"for {first} in range(0, {extent}, {length}):"))
        self.writer.line(f"{count} = min({length}, {extent} - {first})")
        return stack

    def loop(self, body: Callable[[], None]) -> None:
        """Print a loop over the elements of a block."""
        inside, count = self.scalars.variable(self.inside), self.scalars.variable(self.count)
        with self.writer.block(f"for {inside} in range({count}):"):
            body()

    def compute(self, expression: Expression, target: Element | None = None) -> bool:
        """Print the calls that an expression takes; return whether the last one went straight into `target`."""
        calls = [call for call in self.owner.calls(expression) if call not in self.done]
        for call in calls:
            direct = (
                target if call is expression and target is not None and self.is_direct(call, target) else None
            )
            self.call(call, direct)
            if direct is not None:
                return True
        return False

    def needs_no_block(self, expression: Expression, target: Element) -> bool:
        """Whether an expression is one call of an inner loop, from memory to memory."""
        if self.owner.calls(expression) != [expression] or not isinstance(expression, Apply):
            return False
        stepped = dict(expression.attributes).get("stepped", ())
        return (
            TABLE[expression.name].numpy.nout == 1
            and not is_hypotenuse(expression)
            and self.is_direct(expression, target)
            and all(
                place not in stepped
                if operand in self.singles
                else isinstance(operand, Element) and operand.buffer.aligned
                for place, operand in enumerate(expression.operands)
            )
        )

    def is_direct(self, call: Apply, target: Element) -> bool:
        """Whether a call can store into the target itself: NumPy's loops take other ways, to other bits, where operands overlap their result in part."""
        fits = target.type.dtype == call.type.dtype and target.buffer.aligned
        return fits and not any(
            element.buffer is target.buffer and element.indices != target.indices
            for element in elements(call)
        )

    def call(self, call: Apply, target: Element | None) -> None:
        """Print one call of an inner loop."""
        ufunc = TABLE[call.name].numpy
        function = self.scalars.block_loop(call)
        stepped = dict(call.attributes).get("stepped", ())
        operands = [self.operand(operand, place in stepped) for place, operand in enumerate(call.operands)]
        results: list[str] = []
        home = None if target is None else self.moved_element(target)
        output = dict(call.attributes).get("output", 0)
        for place in range(ufunc.nout):
            if place == output and target is not None:
                results.append(self.address(target))
                continue
            dtype = np.dtype(signature_of(call).split("->")[1][place])
            block = self.owner.block(dtype, self.taken, self.length)
            results.append(f"{self.owner.name(block)}, 0, {dtype.itemsize}")
            if place == output:
                self.done[call] = block
                home = Element(block, (Dim.of_value(self.inside),), call.type)
        line = f"{function}({self.scalars.variable(self.count)}, {', '.join([*operands, *results])})"
        if function.startswith("np_") and is_hypotenuse(call) and home is not None:
            self.hypotenuses(call, home, line)
        else:
            self.writer.line(line)

    def hypotenuses(self, call: Apply, target: Element, line: str) -> None:
        """Print the hypotenuses of usual numbers, or the line that has the C library compute them."""
        use, usual = self.writer.use, self.writer.new("usual")
        sides = ", ".join(map(self.scalars.text, map(self.moved, call.operands)))
        self.writer.line(f"{usual} = True")
        self.loop(lambda: self.writer.line(f"{usual} = {usual} & {use('usual_sides', usual_sides)}({sides})"))
        with self.writer.block(f"if {usual}:"):
            place = self.scalars.element(target)
            self.loop(lambda: self.writer.line(f"{place} = {use('hypotenuse', hypotenuse)}({sides})"))
        with self.writer.block("else:"):
            self.writer.line(line)

    def operand(self, operand: Expression, stepped: bool = False) -> str:
        """Return the text of an operand: array, offset and step in bytes; it is computed into a block where it has to be.

        One that is the same all along fills a block where the loop, which goes another way for no step, is to be `stepped` along it.
        """
        if stepped and operand in self.singles:
            operand = Apply("repeated", (operand,), operand.type)
            if operand not in self.done:
                self.repeat(operand)
        if operand in self.done:
            block = self.done[operand]
            return f"{self.owner.name(block)}, 0, {block.dtype.itemsize}"
        if operand in self.singles:
            return f"{self.owner.name(self.singles[operand])}, 0, 0"
        if isinstance(operand, Element) and self.depends(operand) and operand.buffer.aligned:
            return self.address(operand)
        return self.stored(operand)

    def repeat(self, repeated: Apply) -> None:
        """Print the filling of a block with what is the same all along."""
        block = self.owner.block(repeated.type.dtype, self.taken, self.length)
        place = Element(block, (Dim.of_value(self.inside),), repeated.type)
        single = Element(self.singles[repeated.operands[0]], (0,), repeated.type)
        self.loop(lambda: self.owner.store(place, single))
        self.done[repeated] = block

    def stored(self, operand: Expression) -> str:
        """Return the text of an operand that is computed into a block."""
        block = self.owner.block(operand.type.dtype, self.taken, self.length)
        place = Element(block, (Dim.of_value(self.inside),), operand.type)
        self.loop(lambda: self.owner.store(place, self.moved(operand)))
        self.done[operand] = block
        return f"{self.owner.name(block)}, 0, {block.dtype.itemsize}"

    def address(self, element: Element) -> str:
        """Return the text of array, offset and step in bytes of the elements along the run, from the first of the block on."""
        return ", ".join(self.place(element))

    def place(self, element: Element) -> tuple[str, str, str]:
        """Return array, offset and step in bytes of the elements along the run, from the first of the block on."""
        name = self.owner.name(element.buffer)
        size = element.buffer.dtype.itemsize
        offsets, steps = [], []
        last = len(element.indices) - 1
        for axis, place in enumerate(element.indices):
            stride = str(size) if element.buffer.layout == "C" and axis == last else f"{name}.strides[{axis}]"
            start = substitute(place, lambda v: Dim.of_value(self.first if v is self.index else v))
            if start != 0:
                text = self.scalars.dim(start)
                offsets.append(
                    f"{text} * {stride}" if text.isidentifier() or text.isdigit() else f"({text}) * {stride}"
                )
            step = place.coefficient(self.index) if isinstance(place, Dim) else 0
            assert step is not None
            if step != 0:
                steps.append(stride if step == 1 else f"{self.scalars.dim(step)} * {stride}")
        return name, " + ".join(offsets) or "0", " + ".join(steps) or "0"

    def moved(self, expression: Expression) -> Expression:
        """Return an expression at the element of the block, with what is in blocks taken from there."""
        if expression in self.done:
            return Element(self.done[expression], (Dim.of_value(self.inside),), expression.type)
        if isinstance(expression, Element):
            return self.moved_element(expression)
        if isinstance(expression, Position):
            return Position(self._moved_dim(expression.dim), expression.type)
        if isinstance(expression, Apply):
            return Apply(
                expression.name,
                tuple(map(self.moved, expression.operands)),
                expression.type,
                expression.attributes,
            )
        if isinstance(expression, Gather):
            places = tuple((value, self.moved(place)) for value, place in expression.places)
            return Gather(places, self.moved(expression.element))
        return expression

    def moved_element(self, element: Element) -> Element:
        """Return an element at the element of the block."""
        return Element(element.buffer, tuple(map(self._moved_dim, element.indices)), element.type)

    def _moved_dim(self, dim: DimLike) -> DimLike:
        here = Dim.of_value(self.first) + Dim.of_value(self.inside)
        return substitute(dim, lambda v: here if v is self.index else Dim.of_value(v))
