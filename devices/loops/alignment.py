"""Refuses what asks for addresses that fit a dtype of memory that may lie anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from transpile.runtime.errors import DeviceError

from .buffer import Buffer
from .expression import Element
from .program import Program
from .statement import Assign, Body, For, If, LibraryCall, Operand, Reduction, Reshape, While

# Note [Memory at any address]
# Fields of records may lie at addresses that are no multiples of what their dtype asks for. Kernels read and write such elements one by one; NumPy's inner loops are given
# copies of them, block by block, as NumPy does. What would have to be handed to a routine as it lies is NumPy's: reductions of floats, products. Whatever else there is, is left to Python.


def check_alignment(program: Program) -> None:
    """Raise DeviceError where memory that is not aligned is used otherwise than by elements."""
    if all(not isinstance(item, Buffer) or item.aligned for item in program.inputs):
        return
    for statement in _statements(program.body):
        if not all(buffer.aligned for buffer in _asked_of(statement)):
            raise DeviceError(
                "D130-unaligned",
                "a field of records that does not lie at addresses that fit its dtype is used as a whole",
                location=getattr(statement, "location", ()),
            )


def _statements(body: Body) -> Iterator[Any]:
    for statement in body:
        yield statement
        if isinstance(statement, If):
            yield from _statements([*statement.then, *statement.otherwise])
        elif isinstance(statement, While):
            yield from _statements([*statement.head, *statement.body, statement.end])
        elif isinstance(statement, For):
            yield from _statements(statement.body)


def _asked_of(statement: Any) -> Iterator[Buffer]:
    """Yield the buffers that a statement takes to lie at addresses that fit."""
    if isinstance(statement, LibraryCall):
        for operand in (*statement.operands, statement.target, *statement.more):
            if isinstance(operand, (Operand, Buffer)):
                yield operand.buffer if isinstance(operand, Operand) else operand
    elif isinstance(statement, Reshape):
        yield statement.base
    elif isinstance(statement, Assign):
        yield from (
            source
            for target, source in statement.pairs
            if isinstance(source, Buffer) and isinstance(target, Buffer) and target.aligned
        )
    elif isinstance(statement, Reduction) and isinstance(statement.expression, Element):
        # In which order NumPy adds up floats depends on how it copies them.
        free = statement.free or statement.ufunc.startswith("logical")
        if statement.expression.type.dtype.kind in "fc" and not free:
            yield statement.expression.buffer
