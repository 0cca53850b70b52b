"""Calls of NumPy's generalised inner loops."""

from __future__ import annotations

import numpy as np

from transpile.devices.loops.expression import Buffer
from transpile.devices.loops.statement import LibraryCall, Operand
from transpile.runtime.graph.types import strong

from . import inner_loops, memory, sorts
from .scalars import Scalars
from .writer import Writer


class Libraries:
    """Prints library calls."""

    def __init__(self, writer: Writer, scalars: Scalars) -> None:
        self.writer = writer
        self.scalars = scalars

    def call(self, statement: LibraryCall) -> None:
        """Print a call of a routine."""
        if statement.name in ("sort", "argsort"):
            self.sort(statement)
        else:
            self.product(statement)

    def sort(self, statement: LibraryCall) -> None:
        """Print a sort of rows."""
        (operand,) = statement.operands
        assert isinstance(statement.target, Buffer)
        character = operand.buffer.dtype.char
        name = f"np_{statement.name}_{character.replace('?', 't')}"
        sort = self.writer.use(name, sorts.sort(statement.name, character))
        *rows, count = [self.scalars.dim(dim) for dim in statement.dims.values()]
        arrays = [self.writer.name(buffer, buffer.name) for buffer in (operand.buffer, statement.target)]
        whole = " * ".join(f"({row})" for row in rows) or "1"
        self.writer.line(f"{sort}({', '.join(arrays)}, {whole}, {count})")

    def product(self, statement: LibraryCall) -> None:
        """Print a matrix product: one call of the loop for operands of at most two dims."""
        first, second = statement.operands
        character = first.buffer.dtype.char
        function = inner_loops.loop(np.matmul, f"{character}{character}->{character}")
        letter = character.replace("?", "b")
        name = self.writer.use(f"np_matmul_{letter}{letter}_{letter}", function)
        sizes = [self.scalars.dim(statement.dims[letter]) for letter in "mnp"]
        itemsize = first.buffer.dtype.itemsize
        left = self.strides(first)
        right = self.strides(second)
        # A row on the left, or a column on the right, lacks an axis, along which nothing moves.
        left = left if len(left) > 1 else ["0", *left]
        right = right if len(right) > 1 else [*right, str(itemsize)]
        target, result = self.target(statement)
        out = [str(itemsize)] * 2
        if result is None and isinstance(statement.target, Buffer):
            buffer = self.writer.name(statement.target, statement.target.name)
            own = [f"{buffer}.strides[{axis}]" for axis in range(len(statement.target.dims))]
            rows, columns = len(first.view.dims) > 1, len(second.view.dims) > 1
            out = [own[0] if rows else str(itemsize), own[-1] if columns else str(itemsize)]
        operands = [
            f"{self.writer.name(operand.buffer, operand.buffer.name)}, {self.offset(operand)}, 0"
            for operand in (first, second)
        ]
        self.writer.line(
            f"{name}(1, {', '.join(sizes)}, {', '.join(operands)}, {target}, 0, 0, {', '.join([*left, *right, *out])})"
        )
        if result is not None:
            self.writer.line(f"{result} = {target}[0]")

    def target(self, statement: LibraryCall) -> tuple[str, str | None]:
        """Return the array that a call writes, and the scalar that is read from it afterwards."""
        if isinstance(statement.target, Buffer):
            return self.writer.name(statement.target, statement.target.name), None
        scratch = self.writer.use("scratch", memory.scratch)
        array = self.writer.new("product")
        dtype = strong(statement.operands[0].buffer.dtype).dtype
        self.writer.line(f"{array} = {scratch}(1, {self.scalars.dtype(dtype)})")
        return array, self.scalars.variable(statement.target)

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
