"""What dims integer values are."""

from __future__ import annotations

from .dim import Dim, DimLike
from .ir import Value
from .types import INT

# How many sums, differences and products of each other are seen through: a loop that is written out makes thousands.
_LAYERS = 100


def dim_of(value: Value, layers: int = _LAYERS) -> DimLike:
    """Return the dim that a value of Python's type int is: sums, differences and products are seen through, so many `layers` of them."""
    op = value.op
    if op is not None and layers:
        if op.name == "constant":
            return int(op.attributes["value"])
        if op.name in ("add", "subtract", "multiply", "negative") and value.type == INT:
            parts = [dim_of(operand, layers - 1) for operand in op.operands]
            if op.name == "add":
                return parts[0] + parts[1]
            if op.name == "subtract":
                return parts[0] - parts[1]
            return parts[0] * parts[1] if op.name == "multiply" else -parts[0]
    return Dim.of_value(value)
