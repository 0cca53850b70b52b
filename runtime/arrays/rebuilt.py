"""Dims that were computed in a region, computed in front of it."""

from __future__ import annotations

from transpile.runtime.graph.dim import DimLike, substitute, values_of
from transpile.runtime.graph.ir import Value

from .recorder import recorder

# What can neither fail nor stop the machine, whatever integers it is computed of; and what can not where it divides by a number that is known.
_SAFE = frozenset(
    ("constant", "cast", "add", "subtract", "multiply", "minimum", "maximum", "slice_bound", "slice_length")
)
_DIVISIONS = frozenset(("floor_divide", "remainder"))


def rebuilt(dim: DimLike) -> DimLike | None:
    """Return a dim as it is computed in the region being recorded, of what is known there; None where it depends on more."""
    found: dict[Value, Value] = {}
    for value in values_of(dim):
        if (made := _rebuilt(value)) is None:
            return None
        found[value] = made
    return substitute(dim, lambda value: recorder().dim(found[value]))


def _rebuilt(value: Value) -> Value | None:
    record = recorder()
    if any(value.block is frame.block for frame in record.frame.outwards()):
        return value
    op = value.op
    if op is None or not (op.name in _SAFE or (op.name in _DIVISIONS and _divides_by_known(op.operands[1]))):
        return None
    operands = []
    for operand in op.operands:
        if (made := _rebuilt(operand)) is None:
            return None
        operands.append(made)
    return record.emit(op.name, *operands, **op.attributes)


def _divides_by_known(divisor: Value) -> bool:
    return divisor.op is not None and divisor.op.name == "constant" and divisor.op.attributes["value"] > 0
