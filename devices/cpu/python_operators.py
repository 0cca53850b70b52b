"""Python's own operators on Python numbers, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transpile.devices.loops.expression import Apply, Constant, Expression
from transpile.runtime.graph.types import BOOL, FLOAT64, INT64

from . import floats, integers, ranges

if TYPE_CHECKING:
    from .scalars import Scalars

# Up to it all integers are floats.
_EXACT = 2**53
_COMPARISONS = {
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
    "equal": "==",
    "not_equal": "!=",
}
_PYTHON = {
    "add": "{0} + {1}",
    "subtract": "{0} - {1}",
    "multiply": "{0} * {1}",
    "bitwise_and": "{0} & {1}",
    "bitwise_or": "{0} | {1}",
    "bitwise_xor": "{0} ^ {1}",
    "negative": "-{0}",
    "positive": "{0}",
    "absolute": "abs({0})",
    "invert": "~{0}",
    "logical_not": "not {0}",
}
# What is no operator: the helper for operands of Python's int, and of float.
_HELPERS: dict[str, tuple[Any, Any]] = {
    "divide": (integers.true_divide, None),
    "floor_divide": (integers.floor_divide_checked, floats.float_floor_divide),
    "remainder": (integers.modulo, floats.float_modulo),
    "power": (integers.power_checked, floats.power),
    "left_shift": (integers.left_shift_checked, None),
    "right_shift": (integers.right_shift_checked, None),
}
_PAIRS = frozenset(("floor_divide", "power", "left_shift", "right_shift"))
CHECKED: dict[str, Any] = {
    "add": integers.add_checked,
    "subtract": integers.subtract_checked,
    "multiply": integers.multiply_checked,
    "negative": integers.negative_checked,
    "absolute": integers.absolute_checked,
    "power": integers.power_checked,
    "left_shift": integers.left_shift_checked,
    "floor_divide": integers.floor_divide_checked,
    "index": ranges.index_checked,
}


def python_operator(scalars: Scalars, expression: Apply) -> str:
    """Return the text of Python's operator on Python numbers."""
    name, operands = expression.name, expression.operands
    dtypes = {operand.type.dtype for operand in operands}
    if name in _COMPARISONS:
        if dtypes == {INT64, FLOAT64} or dtypes == {BOOL, FLOAT64}:
            return _compare_mixed(scalars, name, operands)
        return f"{scalars.inner(operands[0])} {_COMPARISONS[name]} {scalars.inner(operands[1])}"
    dtype = operands[0].type.dtype
    if ("wraps", True) in expression.attributes:
        wrapping = integers.SHIFTS[name] if name in integers.SHIFTS else integers.WRAPPING[name]
        return f"{scalars.use(wrapping)}({', '.join(map(scalars.text, operands))})"
    if ("near", True) in expression.attributes:
        return f"{scalars.use(integers.modulo_near)}({', '.join(map(scalars.text, operands))})"
    if ("natural", True) in expression.attributes:
        return f"{scalars.use(integers.NATURAL[name])}({', '.join(map(scalars.text, operands))})"
    if name in _HELPERS:
        if name == "divide" and dtype != INT64:
            return f"{scalars.inner(operands[0])} / {scalars.inner(operands[1])}"
        if ("exact", True) in expression.attributes:
            kind = scalars.dtype(FLOAT64)
            return f"{kind}({scalars.text(operands[0])}) / {kind}({scalars.text(operands[1])})"
        if name == "power" and dtype == FLOAT64 and operands[1] == Constant(2.0, operands[1].type):
            return f"{scalars.use(floats.square_power)}({scalars.text(operands[0])})"
        helper = _HELPERS[name][0 if dtype == INT64 else 1]
        text = f"{scalars.use(helper)}({scalars.text(operands[0])}, {scalars.text(operands[1])})"
        return f"{text}[0]" if dtype == INT64 and name in _PAIRS else text
    if name in ("maximum", "minimum"):
        return f"{name[:3]}({scalars.text(operands[0])}, {scalars.text(operands[1])})"
    if dtype == BOOL and name == "bitwise_xor":
        return f"{scalars.inner(operands[0])} != {scalars.inner(operands[1])}"
    if name == "rint":
        return f"{scalars.use(ranges.MACHINE['rint'], 'rint')}({scalars.text(operands[0])})"
    return _PYTHON[name].format(*map(scalars.inner, operands))


def _compare_mixed(scalars: Scalars, name: str, operands: tuple[Expression, ...]) -> str:
    """Return the text of the exact comparison of an int with a float."""
    sign = _COMPARISONS[name]
    left, right = operands
    if left.type.dtype == FLOAT64:
        left, right = right, left
        sign = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(sign, sign)
    if isinstance(left, Constant) and abs(int(left.value)) <= _EXACT:
        return f"{scalars.float(float(left.value))} {sign} {scalars.inner(right)}"
    number = (
        scalars.text(left) if left.type.dtype == INT64 else f"{scalars.dtype(INT64)}({scalars.text(left)})"
    )
    order = f"{scalars.use(integers.compare_int_float)}({number}, {scalars.text(right)})"
    # 2 stands for NaN, which is unequal to everything and neither more nor less.
    return {
        "<": f"{order} == -1", "<=": f"{order} <= 0", ">": f"{order} == 1",
        ">=": f"{scalars.use(ranges.is_zero_or_one)}({order})", "==": f"{order} == 0", "!=": f"{order} != 0",
    }[sign]  # fmt: skip
