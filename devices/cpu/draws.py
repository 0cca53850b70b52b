"""Prints draws of random numbers: by the kernel itself, or, where it cannot, by Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from transpile.devices.loops.buffer import Buffer
from transpile.devices.loops.program import Upcall

from . import random_numbers
from .scalars import Scalars
from .writer import Writer


class Draws:
    """Prints draws; see Note [Draws]."""

    def __init__(self, writer: Writer, scalars: Scalars) -> None:
        self.writer = writer
        self.scalars = scalars

    @contextmanager
    def or_else(self, statement: Upcall) -> Iterator[None]:
        """Print a draw, and what is printed meanwhile as what is done in its stead."""
        if statement.draw is None:
            yield
            return
        draw, count = statement.draw
        operands = statement.site.operands
        target: Any = statement.result or operands[-1]
        dtype = target.dtype if isinstance(target, Buffer) else target.type.dtype
        found = random_numbers.distribution(draw, dtype)
        if found is None:
            yield
            return
        given = [self.scalars.inner(operand) for operand in operands[: 1 + count]]  # type: ignore[arg-type]
        tests = [f"{given[0]} != 0", *(test.format(*given[1:]) for test in found.tests)]
        # Kernels of the same text are one kernel.
        name = f"{draw.replace('.', '_')}_{dtype.name}"
        with self.writer.block(f"if {' and '.join(tests)}:"):
            if isinstance(target, Buffer):
                function = self.writer.use(f"{name}s", random_numbers.filling(found, f"{name}s", count))
                self.writer.line(f"{function}({', '.join(given)}, {self.writer.name(target, target.name)})")
            else:
                function = self.writer.use(name, random_numbers.drawing(found, name, count))
                self.writer.line(f"{self.scalars.variable(target)} = {function}({', '.join(given)})")
        with self.writer.block("else:"):
            yield
