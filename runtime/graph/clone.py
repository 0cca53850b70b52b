"""Copies of ops, with values of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .dim import Dim, DimLike, substitute
from .ir import Block, Op, Value
from .types import ArrayType, Type


class Cloner:
    """Copies ops one after the other: what they use of one another, the copies use of the copies."""

    def __init__(self) -> None:
        self._values: dict[Value, Value] = {}
        # The copy of each op, those in regions, too.
        self.copies: dict[Op, Op] = {}

    def clone(self, op: Op) -> Op:
        """Return a copy of an op, with its regions, that is in no block."""
        attributes = {name: self._attribute(attribute) for name, attribute in op.attributes.items()}
        regions = tuple(map(self._block, op.regions))
        types = tuple(result.type for result in op.results)
        copy = Op(op.name, self._all(op.operands), types, attributes, regions, op.location)
        for old, new in zip(op.results, copy.results, strict=True):
            # What has dims may be over values that the op itself gives.
            self._follow(old, new)
            new.type = self._type(old.type)
        self.copies[op] = copy
        return copy

    def _block(self, block: Block) -> Block:
        copy = Block()
        for argument in block.arguments:
            self._follow(argument, copy.argument(argument.type))
        for argument in copy.arguments:
            argument.type = self._type(argument.type)
        for op in block.ops:
            copy.append(self.clone(op))
        copy.results = None if block.results is None else self._all(block.results)
        return copy

    def _follow(self, old: Value, new: Value) -> None:
        new.name = old.name
        self._values[old] = new

    def _all(self, values: Sequence[Value]) -> tuple[Value, ...]:
        return tuple(self._values.get(value, value) for value in values)

    def _dim(self, dim: DimLike) -> DimLike:
        return substitute(dim, self._size)

    def _size(self, value: Value) -> DimLike:
        return Dim.of_value(self._values.get(value, value))

    def _type(self, type_: Type) -> Type:
        if not isinstance(type_, ArrayType):
            return type_
        return ArrayType(type_.dtype, tuple(map(self._dim, type_.dims)), type_.order)

    def _attribute(self, attribute: Any) -> Any:
        if isinstance(attribute, Dim):
            return self._dim(attribute)
        if isinstance(attribute, tuple):
            return tuple(map(self._attribute, attribute))
        if hasattr(attribute, "all_dims"):
            return attribute.substitute(self._size)
        return attribute
