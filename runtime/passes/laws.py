"""The laws of `simplify`: each says what value the result of an op is, to the bit."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import (
    BOOL,
    FLOAT64,
    INT,
    INT64,
    PYBOOL,
    ArrayType,
    ScalarType,
    Type,
    element,
)
from transpile.runtime.ops.elementwise import COMPARISONS
from transpile.runtime.ops.table import TABLE
from transpile.runtime.views.view import View


class Context(Protocol):
    """What a law may ask, and do, beside giving a value."""

    changed: bool

    @property
    def sizes(self) -> set[Value]:
        """The values that dims are over."""

    def dim(self, value: Value) -> DimLike:
        """Return the polynomial that a Python integer is."""

    def fresh(self, value: Value) -> bool:
        """Whether nothing was written since a view was taken."""

    def emit(self, like: Op, name: str, operands: Sequence[Value], type_: Type, **attributes: Any) -> Value:
        """Add an op that stands where `like` stood, and return its result."""

    def constant(self, like: Op, number: Any, type_: Type) -> Value:
        """Add a constant, and return it."""


# A law gives the value that an op's result is, or None.
Law = Callable[[Context, Op], Value | None]


def number(value: Value) -> Any:
    """Return the number that a constant is, None for any other value."""
    return value.op.attributes["value"] if value.op is not None and value.op.name == "constant" else None


def equal_constants(first: Value, second: Value) -> bool:
    """Whether two values are constants of the same type and bits."""
    one, other = number(first), number(second)
    if one is None or other is None or first.type != second.type or type(one) is not type(other):
        return False
    return np.asarray(one).tobytes() == np.asarray(other).tobytes() and np.asarray(one).dtype != object


def polynomial(context: Context, op: Op) -> Value | None:
    """n + 1 - 1 -> n    n - n -> 0    n * 1 -> n    (Python's integers)."""
    if op.result.type != INT:
        return None
    known = context.dim(op.result)
    if isinstance(known, Dim):
        ((values, factor), *rest) = known.terms
        return (
            values[0]
            if not rest and len(values) == 1 and factor == 1 and values[0] is not op.result
            else None
        )
    if op.result in context.sizes or not -(2**63) <= known < 2**63:
        return None
    return context.constant(op, known, INT)


def neutral(right: float, either: bool = False, kinds: str = "iu", negative: bool = False) -> Law:
    """x op right -> x, and right op x -> x if `either`, for dtypes of the `kinds`; a zero must have the sign that `negative` says."""

    def is_it(value: Value) -> bool:
        known = number(value)
        if known is None or known != right or element(value.type).kind == "c":
            return False
        return math.copysign(1.0, known) == (-1.0 if negative else 1.0)

    def law(context: Context, op: Op) -> Value | None:
        a, b = op.operands
        if element(op.result.type).kind not in kinds:
            return None
        return a if is_it(b) else b if either and is_it(a) else None

    return law


def idempotent(context: Context, op: Op) -> Value | None:
    """x op x -> x."""
    return op.operands[0] if op.operands[0] is op.operands[1] else None


def double_negation(context: Context, op: Op) -> Value | None:
    """not not x -> x."""
    made = op.operands[0].op
    return (
        made.operands[0]
        if made is not None and made.name == op.name and op.result.type == ScalarType(BOOL)
        else None
    )


def cast_back(context: Context, op: Op) -> Value | None:
    """cast(x) -> x for x's own type    cast(cast(x)) -> x where the way there keeps all numbers."""
    (operand,) = op.operands
    if operand.type == op.result.type:
        return operand
    made = operand.op
    if made is None or made.name != "cast":
        return None
    if isinstance(operand.type, ArrayType):
        # Another user of an array has it stored, which costs more than the cast.
        return None
    there, source = element(operand.type), element(made.operands[0].type)
    keeps = np.can_cast(source, there) and (source.kind == there.kind or source.kind == "b")
    return made.operands[0] if keeps else None


def python_comparison(context: Context, op: Op) -> Value | None:
    """bool(float64(a) < float64(b)) -> a < b for Python's numbers, which compare as NumPy's do if both are of one kind."""
    made = op.operands[0].op
    if made is None or made.name not in COMPARISONS or op.result.type != PYBOOL:
        return None
    numbers = [python_number(context, op, operand) for operand in made.operands]
    if any(found is None for found in numbers) or element(made.operands[0].type) != element(
        made.operands[1].type
    ):
        return None
    return context.emit(op, made.name, [found for found in numbers if found is not None], PYBOOL)


def python_number(context: Context, op: Op, value: Value) -> Value | None:
    """Return the Python number that a NumPy scalar was made of."""
    made, type_ = value.op, value.type
    if made is None or not isinstance(type_, ScalarType) or type_.weak or type_.dtype not in (INT64, FLOAT64):
        return None
    own = ScalarType(type_.dtype, True)
    if made.name == "cast" and made.operands[0].type == own:
        return made.operands[0]
    return context.constant(op, own.python(number(value)), own) if made.name == "constant" else None


def selected(context: Context, op: Op) -> Value | None:
    """select(t, x, x) -> x    select(True, x, y) -> x    select(t, True, False) -> t."""
    test, a, b = op.operands
    known = number(test)
    if known is not None:
        return a if known else b
    if a is b or equal_constants(a, b):
        return a
    if element(op.result.type) == BOOL and number(a) is not None and number(b) is not None:
        return test if number(a) else None
    return None


def compared_choice(context: Context, op: Op) -> Value | None:
    """select(t, 0, 1) == 0 -> t    select(t, 0, 1) == 1 -> t == False    (Python's integers)."""
    choice, known = op.operands
    made = choice.op
    if made is None or made.name != "select" or made.operands[0].type != PYBOOL or number(known) is None:
        return None
    test, a, b = made.operands
    if choice.type != INT or known.type != INT or number(a) is None or number(b) is None:
        return None
    first, second = number(a) == number(known), number(b) == number(known)
    if op.name == "not_equal":
        first, second = not first, not second
    if first == second:
        return context.constant(op, first, PYBOOL)
    return test if first else context.emit(op, "equal", (test, context.constant(op, False, PYBOOL)), PYBOOL)


def compared_truth(context: Context, op: Op) -> Value | None:
    """t == True -> t    t != False -> t    (truths)."""
    a, b = op.operands
    wanted = op.name == "equal"
    truths = element(a.type) == BOOL and element(b.type) == BOOL
    return a if truths and number(b) is not None and bool(number(b)) == wanted else None


def written_element(context: Context, op: Op) -> Value | None:
    """update(x[i], v)[i] -> v    fill(v)[i] -> v."""
    made = op.operands[0].op
    if made is None:
        return None
    if made.name == "fill":
        return made.operands[0]
    return (
        made.operands[1]
        if made.name == "update" and made.attributes["view"] == op.attributes["view"]
        else None
    )


def view_of_view(context: Context, op: Op) -> Value | None:
    """x[1:][2:] -> x[3:]    x[:] -> x."""
    (base,) = op.operands
    view = op.attributes["view"]
    if view.is_identity:
        return base
    made = base.op
    if made is None or made.name != "view" or not context.fresh(base):
        return None
    if made.operands[0].op is not None and TABLE[made.operands[0].op.name].family == "elementwise":
        # It may be computed where this one user wants it: for two users it is stored.
        return None
    whole: View = made.attributes["view"].then(view)
    source, type_ = made.operands[0].type, op.result.type
    assert isinstance(source, ArrayType) and isinstance(type_, ArrayType)
    if whole.order(source.axes) == type_.axes:
        op.operands = made.operands
        op.attributes["view"] = whole
        context.changed = True
    return None


def power_of_integer(context: Context, op: Op) -> Value | None:
    """n ** 2 -> n * n    n ** 3 -> n * n * n    (Python's integers)."""
    base, exponent = op.operands
    known = number(exponent)
    if op.result.type != INT or known not in (2, 3):
        return None
    square = context.emit(op, "multiply", (base, base), INT)
    return square if known == 2 else context.emit(op, "multiply", (square, base), INT)


def reshape_of_reshape(context: Context, op: Op) -> Value | None:
    """reshape(reshape(x)) -> reshape(x)    reshape(x) -> x for x's own dims in C order."""
    made = op.operands[0].op
    if made is not None and made.name == "reshape" and context.fresh(made.result):
        op.operands = made.operands
        context.changed = True
    return op.operands[0]


LAWS: dict[str, Sequence[Law]] = {
    # x + -0.0 -> x    x - 0.0 -> x    x * 1.0 -> x    x / 1.0 -> x
    "add": (polynomial, neutral(0, either=True), neutral(0.0, either=True, kinds="f", negative=True)),
    "subtract": (polynomial, neutral(0, kinds="iuf")),
    "multiply": (polynomial, neutral(1, either=True, kinds="iuf")),
    "divide": (neutral(1, kinds="f"),),
    "power": (power_of_integer,),
    "floor_divide": (neutral(1),),
    "negative": (polynomial,),
    "bitwise_or": (neutral(0, either=True, kinds="biu"), idempotent),
    "bitwise_xor": (neutral(0, either=True, kinds="biu"),),
    "bitwise_and": (neutral(True, either=True, kinds="b"), idempotent),
    "left_shift": (neutral(0),),
    "right_shift": (neutral(0),),
    "maximum": (idempotent,),
    "minimum": (idempotent,),
    "logical_not": (double_negation,),
    "cast": (cast_back, python_comparison),
    "select": (selected,),
    "equal": (compared_choice, compared_truth),
    "not_equal": (compared_choice, compared_truth),
    "load": (written_element,),
    "view": (view_of_view,),
    "reshape": (reshape_of_reshape,),
}
