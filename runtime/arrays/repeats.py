"""Axes of operands that only repeat elements."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import dims_of
from transpile.runtime.views.view import View

if TYPE_CHECKING:
    from .recorder import Recorder


def unrepeated(record: Recorder, operands: Sequence[Value]) -> list[Value]:
    """Return operands with axes that only repeat elements left at length 1 where another operand has them at full length.

    They broadcast again, and say nothing of the order of the result, as in NumPy.
    """
    found = list(operands)
    for place, operand in enumerate(found):
        if operand.op is None or operand.op.name != "view":
            continue
        view: View = operand.op.attributes["view"]
        own = dims_of(operand.type)
        others = [other for k, other in enumerate(found) if k != place]
        lone = {a for a in view.broadcast_axes() if own[a] != 1 and _moves(others, a - len(own))}
        if lone:
            view = dataclasses.replace(view, dims=tuple(1 if a in lone else d for a, d in enumerate(own)))
            found[place] = record.emit("view", operand.op.operands[0], view=view)
    return found


def _moves(operands: Sequence[Value], axis: int) -> bool:
    """Whether one of some operands has, at a place counted from the end, an axis that repeats nothing."""
    for operand in operands:
        dims = dims_of(operand.type)
        if len(dims) < -axis or dims[axis] == 1:
            continue
        view = operand.op.attributes["view"] if operand.op is not None and operand.op.name == "view" else None
        if view is None or len(dims) + axis not in view.broadcast_axes():
            return True
    return False
