"""Calls of Python of which only run time tells how large the arrays are that they give: what one gives is kept until its parts are taken."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transpile.runtime.graph.types import INT, ArrayType, ScalarType, Type

from .handles import keep, kept
from .opdef import OpDef, define


@dataclass(frozen=True)
class ArrayPart:
    """An array among what a call gives, whose axes lie in memory in `order`, in C order perhaps with gaps."""

    dtype: np.dtype[Any]
    ndim: int
    order: tuple[int, ...] | None
    gaps: bool = False

    def holds(self, thing: Any, operands: Sequence[Any]) -> bool:
        """Whether a thing is such an array, with memory of its own."""
        if type(thing) is not np.ndarray or thing.dtype != self.dtype or thing.ndim != self.ndim:
            return False
        packed = thing if self.order is None else thing.transpose(self.order)
        lies = pitches_of(thing) is not None if self.gaps else packed.flags.c_contiguous
        return lies and not any(
            isinstance(operand, np.ndarray) and np.may_share_memory(thing, operand) for operand in operands
        )


def pitches_of(array: Any) -> tuple[int, ...] | None:
    """Return how many of an array's elements, with the gaps between them, fit between the starts of its rows along each axis but the first, and of one element.

    None where it does not lie in C order.
    """
    if array.flags.c_contiguous:
        return (*array.shape[1:], 1)
    strides = (*array.strides, array.itemsize)
    if min(strides) <= 0 or any(step % rest for step, rest in itertools.pairwise(strides)):
        return None
    pitches = tuple(step // rest for step, rest in itertools.pairwise(strides))
    return pitches if all(p >= n for p, n in zip(pitches, (*array.shape[1:], 1), strict=True)) else None


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
    """Return the parts of what a call gives of its operands, in order; None where it is not of this pattern, or where arrays in it share elements."""
    found = _parts(pattern, thing, operands)
    arrays = [part for part in found or () if isinstance(part, np.ndarray)]
    return None if any(itertools.starmap(_share, itertools.combinations(arrays, 2))) else found


def _parts(pattern: Pattern, thing: Any, operands: Sequence[Any]) -> list[Any] | None:
    if not isinstance(pattern, SequenceParts):
        return [thing] if pattern.holds(thing, operands) else None
    if type(thing) is not pattern.kind or len(thing) != len(pattern.items):
        return None
    found: list[Any] = []
    for item, part in zip(pattern.items, thing, strict=True):
        inner = _parts(item, part, operands)
        if inner is None:
            return None
        found += inner
    return found


def _share(one: Any, other: Any) -> bool:
    try:
        # NumPy's own annotations know of two numbers only.
        return np.shares_memory(one, other, max_work=1000)  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True


def _evaluate(attributes: Mapping[str, Any], *operands: Any) -> int:
    parts = parts_of(attributes["pattern"], attributes["function"](operands), operands)
    # An empty view of what cannot be written has memory of its own, but cannot be written either.
    if parts is None or not all(part.flags.writeable for part in parts if isinstance(part, np.ndarray)):
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
    part, axis = kept(place)[attributes["part"]], attributes["axis"]
    if axis is not None:
        return (*part.shape, *(pitches_of(part) or ()))[axis]
    if not attributes.get("gaps"):
        return part
    base = np.zeros((len(part), *(pitches_of(part) or ())), part.dtype)
    whole: Any = (*map(slice, part.shape), 0)
    base[whole] = part
    return base


# kept_part(place): a part of what is kept: the number of `type`; or with an `axis` the length of an array along it, and counted on from its last axis its
# pitches; or the array, whose axes have `dims`, one with `gaps` as what it is the start of along all axes, and one axis more.
define(OpDef("kept_part", _part_types, _evaluate_part, family="host"))
