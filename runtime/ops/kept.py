"""Calls of Python of which only run time tells how large the arrays are that they give: what one gives is kept until its parts are taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transpile.runtime.graph.types import INT, ArrayType, ScalarType, Type

from .handles import keep, kept
from .opdef import OpDef, define


@dataclass(frozen=True)
class ArrayPart:
    """An array among what a call gives, whose axes lie in memory in `order`, its elements `gap` of their size apart."""

    dtype: np.dtype[Any]
    ndim: int
    order: tuple[int, ...] | None
    gap: int = 1

    def holds(self, thing: Any, operands: Sequence[Any]) -> bool:
        """Whether a thing is such an array, with memory of its own."""
        if type(thing) is not np.ndarray or thing.dtype != self.dtype or thing.ndim != self.ndim:
            return False
        packed = thing if self.order is None else thing.transpose(self.order)
        return stepping(packed) in (self.gap, None) and not any(
            isinstance(operand, np.ndarray) and np.may_share_memory(thing, operand) for operand in operands
        )


def stepping(array: Any) -> int | None:
    """Return how many of their size the elements of an array lie apart in C order; 0 where not all as far, None where there is one at most."""
    step: int | None = None
    for size, stride in zip(reversed(array.shape), reversed(array.strides), strict=True):
        if size > 1:
            if step is None:
                step, expected = stride // array.itemsize, stride
            if stride != expected:
                return 0
            expected = stride * size
    return step if array.size else None


@dataclass(frozen=True)
class NumberPart:
    """A number among what a call gives, Python's or NumPy's."""

    type: ScalarType

    def holds(self, thing: Any, operands: Sequence[Any]) -> bool:
        """Whether a thing is such a number."""
        if self.type.weak:
            return type(thing) is self.type.python and (type(thing) is not int or -(2**63) <= thing < 2**63)
        return isinstance(thing, np.generic) and thing.dtype == self.type.dtype


@dataclass(frozen=True)
class ConstantPart:
    """What a call always gives in one place: `None`, or a text."""

    thing: Any

    def holds(self, thing: Any, operands: Sequence[Any]) -> bool:
        """Whether it is this thing."""
        return type(thing) is type(self.thing) and bool(thing == self.thing)


@dataclass(frozen=True)
class SequenceParts:
    """A tuple, a named one or not, or a list of parts."""

    kind: Any
    items: tuple[Any, ...]


Pattern = ArrayPart | NumberPart | ConstantPart | SequenceParts


def parts_of(pattern: Pattern, thing: Any, operands: Sequence[Any]) -> list[Any] | None:
    """Return the parts of what a call gives of its operands, in order; None where it is not of this pattern."""
    if not isinstance(pattern, SequenceParts):
        return [thing] if pattern.holds(thing, operands) else None
    if type(thing) is not pattern.kind or len(thing) != len(pattern.items):
        return None
    found: list[Any] = []
    for item, part in zip(pattern.items, thing, strict=True):
        inner = parts_of(item, part, operands)
        if inner is None:
            return None
        found += inner
    return found


def _evaluate(attributes: Mapping[str, Any], *operands: Any) -> int:
    parts = parts_of(attributes["pattern"], attributes["function"](operands), operands)
    if parts is None:
        return -1
    keep(attributes["place"], parts)
    return int(attributes["place"])


# kept(operands...): the number `place`, under which the parts of what `function` gives of a tuple of the operands are kept, until the op is computed
# again; or -1 where that is not of the `pattern`.
define(OpDef("kept", lambda operands, attributes: (INT,), _evaluate, family="host", fails=True))


def _part_types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    if attributes["type"] is not None:
        return (attributes["type"],)
    return (ArrayType(attributes["dtype"], attributes["dims"], attributes["order"]),)


def _evaluate_part(attributes: Mapping[str, Any], place: int) -> Any:
    part = kept(place)[attributes["part"]]
    if attributes["axis"] is not None:
        return part.shape[attributes["axis"]]
    return part if attributes.get("gap", 1) == 1 else np.stack([part] * attributes["gap"], axis=-1)


# kept_part(place): a part of what is kept: the number of `type`, or with an `axis` the length of an array along it, or the array, whose axes have `dims`.
# One with a `gap` between its elements is repeated along a last axis, of which it is a view.
define(OpDef("kept_part", _part_types, _evaluate_part, family="host"))
