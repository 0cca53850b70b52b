"""Calls of NumPy's generalised inner loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transpile.devices.loops.buffer import Buffer
from transpile.devices.loops.statement import LibraryCall, Operand
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import element, strong
from transpile.runtime.views.view import View

from . import bisection, casts, inner_loops, integers, memory, sorts
from .scalars import Scalars
from .writer import Writer

# The largest matrices for which it matters how long it takes to get to what factors them.
_SMALL = 64


class Libraries:
    """Prints library calls."""

    def __init__(self, writer: Writer, scalars: Scalars) -> None:
        self.writer = writer
        self.scalars = scalars

    def call(self, statement: LibraryCall) -> None:
        """Print a call of a routine."""
        if statement.name in sorts.SORTS:
            self.sort(statement)
        elif statement.name.startswith("bisect"):
            self.bisect(statement)
        elif statement.name == "count":
            self.count(statement)
        elif statement.name == "move":
            self.move(statement)
        elif statement.name.startswith("fft."):
            self.transform(statement)
        elif statement.failed is not None and statement.name == "dot":
            self.dot_forward(statement)
        elif statement.failed is not None:
            self.factor(statement)
        elif not self.dot(statement):
            self.product(statement)

    def sort(self, statement: LibraryCall) -> None:
        """Print a sort of rows."""
        operand = statement.operands[0]
        assert isinstance(statement.target, Buffer)
        character = operand.buffer.dtype.char
        name = f"np_{statement.name}_{character.replace('?', 't')}"
        sort = self.writer.use(name, sorts.sort(statement.name, character))
        *rows, count = [self.scalars.dim(dim) for dim in statement.dims.values()]
        arrays = [self.writer.name(buffer, buffer.name) for buffer in (operand.buffer, statement.target)]
        self.writer.line(f"{sort}({', '.join(arrays)}, {_product(rows)}, {count})")

    def bisect(self, statement: LibraryCall) -> None:
        """Print a search for the places of numbers in a sorted vector."""
        table, numbers = (self.writer.name(o.buffer, o.buffer.name) for o in statement.operands)
        size, *counts = [self.scalars.dim(dim) for dim in statement.dims.values()]
        call = self.writer.use(statement.name, bisection.bisect(statement.name.removeprefix("bisect_")))
        target = statement.target
        single = isinstance(target, Value)
        places = self.new_single("place", np.dtype(np.int64)) if single else self.array(target)
        self.writer.line(f"{call}({table}, {size}, {numbers}, {_product(counts)}, {places})")
        if isinstance(target, Value):
            self.writer.line(f"{self.scalars.variable(target)} = {places}[0]")

    def count(self, statement: LibraryCall) -> None:
        """Print the count of elements by value, all of which have a place among what is counted: the sum of their weights, where they have some."""
        values, *weights = (self.writer.name(o.buffer, o.buffer.name) for o in statement.operands)
        count, size = (self.scalars.dim(dim) for dim in statement.dims.values())
        target, place = self.array(statement.target), self.writer.new("place")
        zero, more = ("0.0", f"{weights[0]}[{place}]") if weights else ("0", "1")
        add = "{} + {}" if weights else f"{self.writer.use('npy_add', integers.npy_add)}({{}}, {{}})"
        with self.writer.block(f"for {place} in range({size}):"):
            self.writer.line(f"{target}[{place}] = {zero}")
        at = self.writer.new("at")
        with self.writer.block(f"for {place} in range({count}):"):
            self.writer.line(
                f"{at} = {self.scalars.use(casts.cast)}({values}[{place}], {self.scalars.dtype(np.dtype(np.int64))})"
            )
            self.writer.line(f"{target}[{at}] = {add.format(f'{target}[{at}]', more)}")

    def move(self, statement: LibraryCall) -> None:
        """Print that what a list holds moves to where there is more room: no loop, of which LLVM would make many lines for each place where a list may grow."""
        (source,) = (self.writer.name(o.buffer, o.buffer.name) for o in statement.operands)
        count = self.scalars.dim(statement.dims["count"])
        self.writer.line(
            f"{self.writer.use('move', memory.move)}({self.array(statement.target)}, {source}, {count})"
        )

    def array(self, target: Any) -> str:
        """Return the name of the array that a call fills."""
        return self.writer.name(target, target.name)

    def new_single(self, hint: str, dtype: np.dtype[Any]) -> str:
        """Print an array of one element."""
        array = self.writer.new(hint)
        scratch = self.writer.use("scratch", memory.scratch)
        self.writer.line(f"{array} = {scratch}(1, {self.scalars.dtype(dtype)})")
        return array

    def dot(self, statement: LibraryCall) -> bool:
        """Print a product of two vectors, by the routine of their dtype; tell whether there is one."""
        character = statement.operands[0].buffer.dtype.char
        # What is a product of one number and another alone, dot does not add to zero, and matmul does.
        alone = statement.name == "dot"
        routine = sorts.dot(character, alone) if character in "fd" else None
        if routine is None or not isinstance(statement.target, Value):
            return False
        name = self.writer.use(f"np_dot_alone_{character}" if alone else f"np_dot_{character}", routine)
        operands = [f"{self.placed(operand)}, {self.strides(operand)[0]}" for operand in statement.operands]
        result, count = self.scalars.variable(statement.target), self.scalars.dim(statement.dims["n"])
        self.writer.line(f"{result} = {name}({', '.join(operands)}, {count})")
        return True

    def dot_forward(self, statement: LibraryCall) -> None:
        """Print a product of two vectors where both lie forward in memory; elsewhere, NumPy copies them first."""
        assert statement.failed is not None
        failed = self.scalars.variable(statement.failed)
        steps = [self.strides(operand)[0] for operand in statement.operands]
        self.writer.line(f"{failed} = True")
        with self.writer.block(f"if {' and '.join(f'{step} > 0' for step in steps)}:"):
            if self.dot(statement):
                self.writer.line(f"{failed} = False")
            else:
                self.writer.line("pass")

    def product(self, statement: LibraryCall) -> None:
        """Print a matrix product: one call of the loop for operands of at most two dims."""
        first, second = statement.operands
        character = first.buffer.dtype.char
        function = inner_loops.loop(np.matmul, f"{character}{character}->{character}")
        letter = character.replace("?", "t")
        name = self.writer.use(f"np_matmul_{letter}{letter}_{letter}", function)
        sizes = [self.scalars.dim(statement.dims[letter]) for letter in "mnp"]
        itemsize = first.buffer.dtype.itemsize
        many = "count" in statement.dims
        count, (left_step, left), (right_step, right) = "1", self.steps(first, many), self.steps(second, many)
        # A row on the left, or a column on the right, lacks an axis, along which nothing moves.
        rows, columns = len(left) > 1, len(right) > 1
        left = left if rows else ["0", *left]
        right = right if columns else [*right, str(itemsize)]
        target, place, step, out, result = self.target(statement, many)
        if many:
            count = self.scalars.dim(statement.dims["count"])
        out = [out[0] if rows and out else str(itemsize), out[-1] if columns and out else str(itemsize)]
        operands = [
            f"{self.placed(operand)}, {step}" for operand, step in ((first, left_step), (second, right_step))
        ]
        self.writer.line(
            f"{name}({count}, {', '.join(sizes)}, {', '.join(operands)}, {target}, {place}, {step}, "
            f"{', '.join([*left, *right, *out])})"
        )
        if result is not None:
            dtype = statement.operands[0].buffer.dtype
            self.writer.line(f"{result} = {self.scalars.loaded(f'{target}[0]', dtype)}")

    def factor(self, statement: LibraryCall) -> None:
        """Print what NumPy computes of a matrix that is small: see Note [Matrices that are factored]."""
        assert statement.failed is not None
        failed = self.scalars.variable(statement.failed)
        sizes = list(map(self.scalars.dim, statement.dims.values()))
        target, place, step, out, result = self.target(statement, False)
        given = statement.target
        assert isinstance(given, (Buffer, Value))
        dtype = element(given.type) if isinstance(given, Value) else given.dtype
        characters = "".join(operand.buffer.dtype.char for operand in statement.operands)
        given_too = dtype.char + "".join(buffer.dtype.char for buffer in statement.more)
        self.writer.line(f"{failed} = True")
        try:
            found = inner_loops.named(f"transpile_linalg_{statement.name}_{characters}_{given_too}")
        except LookupError:
            return
        name = self.writer.use(f"{found.symbol}_told", inner_loops.flagged_loop_of(found))
        operands = [f"{self.placed(operand)}, 0" for operand in statement.operands]
        steps = [step for operand in statement.operands for step in self.strides(operand)]
        targets = [target, place, step]
        for buffer in statement.more:
            other = Operand(buffer, View.identity(buffer.dims))
            targets += [self.placed(other), "0"]
            out = [*out, *self.strides(other)]
        arguments = ["1", *sizes, *operands, *targets, *steps, *out]
        with self.writer.block(f"if {' and '.join(f'0 < ({size}) <= {_SMALL}' for size in sizes)}:"):
            self.writer.line(f"{failed} = {name}({', '.join(arguments)}) & {statement.flags} != 0")
            if result is not None:
                self.writer.line(f"{result} = {self.scalars.loaded(f'{target}[0]', dtype)}")

    def transform(self, statement: LibraryCall) -> None:
        """Print the Fourier transform of a vector: see Note [Transforms]."""
        _, name, scaled = statement.name.split(".")
        assert statement.failed is not None
        assert isinstance(statement.target, Buffer)
        failed = self.scalars.variable(statement.failed)
        (operand,) = statement.operands
        self.writer.line(f"{failed} = True")
        result = statement.target.dtype.char
        parities = ("_n_even", "_n_odd") if name == "rfft" else ("",)
        try:
            loops = [
                inner_loops.named(f"transpile_fft_{name}{parity}_{operand.buffer.dtype.char}d_{result}")
                for parity in parities
            ]
        except LookupError:
            return
        size, length, count = map(self.scalars.dim, statement.dims.values())
        target, place, step, (out,), _ = self.target(statement, False)
        factor = self.new_single("factor", np.dtype(np.float64))
        self.writer.line(f"{factor}[0] = {'1.0' if scaled == 'backward' else f'1.0 / ({count})'}")
        (along,) = self.strides(operand)
        arguments = [
            "1",
            size,
            length,
            f"{self.placed(operand)}, 0",
            f"{factor}, 0, 0",
            target,
            place,
            step,
            along,
            out,
        ]
        for number, found in enumerate(loops):
            call = self.writer.use(f"{found.symbol}_told", inner_loops.flagged_loop_of(found))
            test = f" and ({count}) & 1 == {number}" if len(loops) > 1 else ""
            with self.writer.block(f"if ({size}) > 0 and ({count}) > 0{test}:"):
                self.writer.line(f"{failed} = {call}({', '.join(arguments)}) & {statement.flags} != 0")

    def placed(self, operand: Operand) -> str:
        """Return the text of an operand's buffer, and of where in it the operand's first element lies."""
        return f"{self.writer.name(operand.buffer, operand.buffer.name)}, {self.offset(operand)}"

    def steps(self, operand: Operand, many: bool) -> tuple[str, list[str]]:
        """Return the step, in bytes, from one of many operands to the next, and those along its axes."""
        steps = self.strides(operand)
        return (steps[0], steps[1:]) if many else ("0", steps)

    def target(self, statement: LibraryCall, many: bool) -> tuple[str, str, str, list[str], str | None]:
        """Return the array that a call writes, where in it, the step to the next result, those along its axes, and the scalar that is read from it afterwards."""
        target = statement.target
        if isinstance(target, Buffer):
            target = Operand(target, View.identity(target.dims))
        if isinstance(target, Operand):
            name = self.writer.name(target.buffer, target.buffer.name)
            return name, self.offset(target), *self.steps(target, many), None
        array = self.new_single("product", strong(statement.operands[0].buffer.dtype).dtype)
        return array, "0", "0", [], self.scalars.variable(target)

    def offset(self, operand: Operand) -> str:
        """Return where, in bytes, an operand's first element lies."""
        name = self.writer.name(operand.buffer, operand.buffer.name)
        parts = [
            f"({self.scalars.dim(offset)}) * {name}.strides[{axis}]"
            for axis, (offset, _) in enumerate(operand.view.axes)
            if offset != 0
        ]
        return " + ".join(parts) or "0"

    def strides(self, operand: Operand) -> list[str]:
        """Return the steps, in bytes, along an operand's axes."""
        name = self.writer.name(operand.buffer, operand.buffer.name)
        steps: list[list[str]] = [[] for _ in operand.view.dims]
        for base, (_, terms) in enumerate(operand.view.axes):
            for axis, step in terms:
                stride = f"{name}.strides[{base}]"
                steps[axis].append(stride if step == 1 else f"{step} * {stride}")
        return [" + ".join(parts) or "0" for parts in steps]


def _product(sizes: Sequence[str]) -> str:
    return " * ".join(f"({size})" for size in sizes) or "1"
