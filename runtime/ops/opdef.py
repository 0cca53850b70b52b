"""The declaration of an op, and the table of all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from transpile.runtime.graph.types import Type

TypeRule = Callable[[Sequence[Type], Mapping[str, Any]], tuple[Type, ...]]


@dataclass(frozen=True)
class OpDef:
    """One op, declared once; a field left out has a meaning.

    `types` gives the result types of operand types and attributes. `evaluate(attributes, *values)` computes the op on NumPy values and is the
    oracle. `numpy` is the NumPy function that the op is (none: no user calls it by name). `cpu` maps the kinds of the loop's dtype
    ("iufcb") to an inline expression over `{0}`, `{1}`, ... (none: NumPy's own inner loop, or the family's own lowering). `fails`: may leave the function with an exception.
    `effect`: is never pruned, doubled or moved across its like. `view_of`: the operand whose memory the result shows. `writes`: the operand whose memory the result takes over.
    `samples` makes operands for the tests.
    """

    name: str
    types: TypeRule
    evaluate: Callable[..., Any] | None = None
    family: str = ""
    numpy: Any = None
    cpu: Mapping[str, str] = field(default_factory=dict)
    fails: bool = False
    effect: bool = False
    view_of: int | None = None
    writes: int | None = None
    samples: Callable[..., Any] | None = None


TABLE: dict[str, OpDef] = {}


def define(op: OpDef) -> OpDef:
    """Add an op to the table."""
    assert op.name not in TABLE, op.name
    TABLE[op.name] = op
    return op
