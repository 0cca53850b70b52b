"""What passes share that walk a graph in program order and replace values by others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from transpile.runtime.graph.bounds import dim_of
from transpile.runtime.graph.dim import Dim, DimLike, substitute, values_of
from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import INT, ArrayType, Type, dims_of


class Rewriter:
    """Walks a graph in program order; a pass says in `visit` what becomes of each op.

    An op reaches `visit` with its operands, and the dims in its types and attributes, replaced already.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.changed = False
        self._replaced: dict[Value, Value] = {}
        self._dims_replaced = False
        self._ops: list[Op] = []
        self._block = graph.block

    @cached_property
    def sizes(self) -> set[Value]:
        """The values that dims are over."""
        return _values_in_dims(self.graph.block)

    def run(self) -> Graph:
        """Rewrite the graph, in place, and return it."""
        self.walk(self.graph.block)
        return self.graph

    def visit(self, op: Op) -> bool:
        """Look at an op, whose regions come later; return whether it stays."""
        return True

    def leave(self, op: Op) -> None:
        """Look at an op with regions, which have been walked."""

    def enter_region(self, region: Block) -> None:
        """Start a region."""

    def leave_region(self, region: Block) -> None:
        """End a region."""

    # -- walking -----------------------------------------------------------------------------------------------

    def walk(self, block: Block) -> None:
        """Rewrite a block."""
        outer = self._ops, self._block
        self._ops, self._block = [], block
        old = list(block.ops)
        for op in old:
            self.rewrite(op)
        block.ops[:] = self._ops
        if block.results is not None:
            block.results = self.values(block.results)
        self._ops, self._block = outer

    def rewrite(self, op: Op) -> None:
        """Rewrite an op, and add it to the block at hand unless it goes."""
        self._update(op)
        if not self.visit(op):
            self.changed = True
            return
        op.block = self._block
        self._ops.append(op)
        self.regions(op)
        if op.regions:
            self.leave(op)
            if self._dims_replaced:
                self._update_types(op.results)
                op.attributes["types"] = tuple(result.type for result in op.results)

    def regions(self, op: Op) -> None:
        """Walk the regions of an op; the body of a `while_loop` lies inside its test."""
        for region in op.regions:
            self.enter_region(region)
            if self._dims_replaced:
                self._update_types(region.arguments)
            self.walk(region)
            if op.name != "while_loop":
                self.leave_region(region)
        if op.name == "while_loop":
            for region in reversed(op.regions):
                self.leave_region(region)

    def emit(self, like: Op, name: str, operands: Sequence[Value], type_: Type, **attributes: Any) -> Value:
        """Add an op that stands where `like` stood, and return its result."""
        op = Op(name, tuple(operands), (type_,), attributes, (), like.location)
        op.block = self._block
        op.result.name = like.results[0].name if like.results else ""
        self._ops.append(op)
        return op.result

    def constant(self, like: Op, number: Any, type_: Type) -> Value:
        """Add a constant, and return it."""
        return self.emit(like, "constant", (), type_, value=number, type=type_)

    # -- replacing ---------------------------------------------------------------------------------------------

    def can_replace(self, old: Value, new: Value) -> bool:
        """Whether `new` can stand for `old`.

        A size is not replaced by a number: an axis of length 1 would then seem to be one that broadcasts, which is settled when the graph is recorded.
        """
        return old.type != INT or old not in self.sizes or not isinstance(dim_of(new), int)

    def replace(self, old: Value, new: Value) -> None:
        """Have `new` stand for `old` from here on."""
        self._replaced[old] = new
        self.changed = True
        if old.type == INT and old in self.sizes:
            self._dims_replaced = True
            self.sizes.update(values_of(dim_of(new)))

    def values(self, values: Sequence[Value]) -> tuple[Value, ...]:
        """Return values, replaced."""
        return tuple(map(self.value, values))

    def value(self, value: Value) -> Value:
        """Return what stands for a value."""
        while value in self._replaced:
            value = self._replaced[value]
        return value

    def _update(self, op: Op) -> None:
        if not self._replaced:
            return
        op.operands = self.values(op.operands)
        if self._dims_replaced:
            for key, attribute in op.attributes.items():
                op.attributes[key] = self._attribute(attribute)
            if not op.regions:
                self._update_types(op.results)

    def _attribute(self, attribute: Any) -> Any:
        if isinstance(attribute, Dim):
            return self._dim(attribute)
        if isinstance(attribute, tuple):
            return tuple(map(self._attribute, attribute))
        if hasattr(attribute, "all_dims") and any(self._dim(dim) is not dim for dim in attribute.all_dims()):
            return attribute.substitute(self._dim_of)
        return attribute

    def _update_types(self, values: Sequence[Value]) -> None:
        for value in values:
            value.type = self.type_of(value)

    def type_of(self, value: Value) -> Type:
        """Return the type of a value, its dims replaced."""
        type_ = value.type
        if not self._dims_replaced or not isinstance(type_, ArrayType):
            return type_
        dims = tuple(map(self._dim, type_.dims))
        return type_ if dims == type_.dims else ArrayType(type_.dtype, dims, type_.order)

    def _dim_of(self, value: Value) -> DimLike:
        return dim_of(self.value(value)) if value in self._replaced else Dim.of_value(value)

    def _dim(self, dim: DimLike) -> DimLike:
        if self._replaced.keys().isdisjoint(values_of(dim)):
            return dim
        return substitute(dim, self._dim_of)


def _values_in_dims(block: Block) -> set[Value]:
    found: set[Value] = set()
    for op in block.walk():
        for dim in op.attribute_dims():
            found.update(values_of(dim))
        for value in (*op.results, *[argument for region in op.regions for argument in region.arguments]):
            for dim in dims_of(value.type):
                if isinstance(dim, Dim):
                    found.update(dim.values())
    return {value for value in found if value.type == INT}
