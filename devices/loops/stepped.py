"""Which operands NumPy's loops step along, of those whose step decides how they compute."""

from __future__ import annotations

from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import ArrayType, dims_of

# The operands by whose steps ufuncs choose a way: see Note [Loops that look at their operands].
_LOOKED_AT = {"power": (1,), "clip": (1, 2)}


def stepped(op: Op, result: Value) -> tuple[int, ...]:
    """Return the places of such operands as are arrays along the innermost axis, though their elements may all be one number."""
    type_ = result.type
    if op.name not in _LOOKED_AT or not isinstance(type_, ArrayType) or type_.dtype.kind not in "fc":
        return ()
    rank = len(type_.dims)
    inner = next((axis - rank for axis in reversed(type_.axes) if type_.dims[axis] != 1), None)
    if inner is None:
        return ()
    return tuple(place for place in _LOOKED_AT[op.name] if _steps_along(op.operands[place], inner))


def _steps_along(operand: Value, axis: int) -> bool:
    """Whether memory lies between the elements along an axis, counted from the last."""
    dims = dims_of(operand.type)
    if -axis > len(dims) or dims[axis] == 1:
        return False
    if operand.op is None or operand.op.name != "view":
        return True
    terms = (term for _, terms in operand.op.attributes["view"].axes for term in terms)
    return any(own == len(dims) + axis for own, _ in terms)
