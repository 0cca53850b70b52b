"""Indices, slices and the small things that kernels compute of numbers."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from .lanes import Lane, helper, named_intrinsic
from .toolkit import types


@helper("int64, int64 -> int64, boolean")
def index_checked(position: Lane, size: Lane) -> tuple[Lane, Lane]:
    """A position counted from the front, and whether it is out of range."""
    builder, inside = position.builder, position.unsigned() < size.unsigned()
    with builder.if_else(inside.value, likely=True) as (front, other):
        with front:
            first = builder.block
        with other:
            behind = position + size
            outside = (position >= 0) | (behind < 0)
            second = builder.block
    place, failed = builder.phi(position.type), builder.phi(outside.type)
    for phi, values in (
        (place, (position.value, behind.value)),
        (failed, (outside.constant(0).value, outside.value)),
    ):
        for value, block in zip(values, (first, second), strict=True):
            phi.add_incoming(value, block)
    return position.like(place), outside.like(failed)


@helper("int64, int64, int64 -> int64")
def slice_bound(bound: Lane, size: Lane, step: Lane) -> Lane:
    """Where a slice with a step of this sign starts or stops: ``slice.indices``."""
    back = (step < 0).to_int(64)
    place = (bound < 0).where(bound + size, bound)
    low, high = -back, size - back
    place = (place < low).where(low, place)
    return (place > high).where(high, place)


@helper("int64, int64, int64 -> int64")
def slice_length(start: Lane, stop: Lane, step: Lane) -> Lane:
    """How many numbers there are in ``range(start, stop, step)``."""
    down = step < 0
    span, stride = down.where(start - stop, stop - start), down.where(-step, step)
    builder = span.builder
    count = span.like(builder.udiv((span - 1).value, stride.value)) + 1
    return (span <= 0).where(span.constant(0), count)


@helper("int64, int64 -> int64")
def room_for(length: Lane, room: Lane) -> Lane:
    """The room of a list that another item is added to."""
    return (length < room).where(room, length + length + 4)


@helper("float64 -> boolean")
def leaves_int64(number: Lane) -> Lane:
    """Whether a float is no int64 when its fraction is cut off."""
    return ~((number >= -(2.0**63)) & (number < 2.0**63))


@helper("float64, float64, float64 -> int64")
def arange_length(start: Lane, stop: Lane, step: Lane) -> Lane:
    """How many elements numpy.arange makes of floats."""
    turns = (stop - start) / step
    # A step that is too long to tell how many is one.
    lost = (turns == 0.0) & (stop != start)
    count = lost.where(turns.constant(1.0).copysign(turns), turns.intrinsic("llvm.ceil"))
    return (count > 0.0).where(count, 0.0).truncated(64)


@helper("int64 -> boolean")
def is_zero_or_one(order: Lane) -> Lane:
    """Whether the outcome of a comparison is 0 or 1."""
    return (order == 0) | (order == 1)


def _machine(name: str) -> Any:
    def formula(x: Lane) -> Lane:
        return x.intrinsic(f"llvm.{name}")

    formula.__name__ = f"float_{name}"
    formula.__doc__ = f"``{name}(x)`` of a float, as a float."
    return helper("same -> same")(formula)


def _extreme(name: str) -> Any:
    def formula(x: Lane, y: Lane) -> Lane:
        return (x != x).where(x, (x > y if name == "maximum" else x < y).where(x, y))

    formula.__name__ = f"float_{name}"
    formula.__doc__ = f"``numpy.{name}(x, y)`` of two floats, where `extremes_are_known`."
    return helper("same, same -> same")(formula)


@cache
def extremes_are_known() -> bool:
    """Whether NumPy's maximum and minimum on this machine give the first of two numbers that is NaN, and the second of zeros that differ in sign."""
    numbers = np.array([0.0, -0.0, 1.0, -1.0, np.inf, np.nan, -np.nan] * 8)
    first, second = numbers.repeat(len(numbers)), np.tile(numbers, len(numbers))
    for dtype in (np.float32, np.float64):
        x, y = first.astype(dtype), second.astype(dtype)
        for extreme, better in ((np.maximum, np.greater), (np.minimum, np.less)):
            expected = np.where(np.isnan(x) | better(x, y), x, y)
            if extreme(x, y).tobytes() != expected.tobytes():
                return False
    return True


@helper("same -> same")
def float_sign(x: Lane) -> Lane:
    """``numpy.sign(x)`` of a float: 0.0 of both zeros, and a NaN itself."""
    one = x.constant(1.0)
    return (x > 0.0).where(one, (x < 0.0).where(-one, (x == 0.0).where(x.constant(0.0), x)))


@helper("same -> boolean")
def float_isinf(x: Lane) -> Lane:
    """``numpy.isinf(x)`` of a float."""
    return x.intrinsic("llvm.fabs") == math.inf


@helper("same -> boolean")
def float_isfinite(x: Lane) -> Lane:
    """``numpy.isfinite(x)`` of a float, by comparisons that leave the processor's flags alone, as ``inf - inf`` does not."""
    return (x.intrinsic("llvm.fabs") != math.inf) & (x == x)


# Functions of floats that are a few instructions of the machine.
MACHINE = {name: _machine(name) for name in ("sqrt", "floor", "ceil", "trunc", "rint")} | {
    name: _extreme(name) for name in ("maximum", "minimum")
}
MACHINE |= {"sign": float_sign, "isinf": float_isinf, "isfinite": float_isfinite}


def _define_select(typing_context: object, test: object, first: object, second: object) -> object:
    kind = types.unliteral(first)
    if not isinstance(test, types.Boolean) or types.unliteral(second) != kind:
        return None

    def generate(context: object, builder: object, signature: object, values: list[object]) -> object:
        chosen = builder.select(values[0], values[1], values[2])  # type: ignore[attr-defined]
        # Or LLVM may make a branch of it, and compute only what is chosen: then flags were missing of what is not.
        chosen.set_metadata("unpredictable", builder.module.add_metadata([]))  # type: ignore[attr-defined]
        return chosen

    return kind(test, kind, kind), generate


select = named_intrinsic(
    "select",
    _define_select,
    ["test", "first", "second"],
    "``select(test, first, second)``: one of two numbers; both are computed.",
)
