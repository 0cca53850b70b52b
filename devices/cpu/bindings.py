"""The variables of a kernel that is lowered, and the shares in memory that they hold."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import array_values, memory, variables
from .arithmetic import NotLowered, Number
from .array_values import Array
from .lifetimes import Lifetimes
from .toolkit import cgutils, ir, types


class Cell:
    """A variable that is assigned in several places."""

    def __init__(self, builder: Any, kind: Any, values: Sequence[Any]) -> None:
        self.kind = kind
        self.places = [cgutils.alloca_once(builder, value.type) for value in values]


class Bindings:
    """What the variables of a kernel stand for, at the place that is lowered."""

    def __init__(
        self,
        context: Any,
        builder: Any,
        kernel: ast.FunctionDef,
        namespace: Mapping[str, Any],
        given: Mapping[str, Any],
    ) -> None:
        self.context = context
        self.builder = builder
        self.namespace = namespace
        self.fixed = variables.fixed(kernel)
        self.arrays = variables.array_types(kernel, given, namespace)
        self.lifetimes = Lifetimes(kernel, self.arrays, self.fixed, namespace)
        self.values: dict[str, Number | Array | Cell] = {}
        count = len(self.lifetimes.slots)
        self.slots = cgutils.alloca_once(builder, ir.ArrayType(memory.BYTES, count)) if count else None

    def inside(self, builder: Any) -> Bindings:
        """Return bindings of the same variables in another function, where nothing is known of them yet."""
        other = copy.copy(self)
        other.builder, other.values = builder, {}
        return other

    def kind(self, node: ast.expr) -> Any:
        """Return the type of an expression that is an array."""
        return variables.array_type(node, self.arrays, self.namespace)

    def assign(self, name: str, value: Any) -> None:
        """Give a variable a value."""
        if isinstance(value, Array):
            value = value.loosened(self.arrays[name])
            if name in self.lifetimes.slots:
                self.builder.store(value.meminfo, self.slot(name))
        if name in self.fixed:
            self.values[name] = value
            return
        parts = value.numbers() if isinstance(value, Array) else [value.value]
        cell = self.values.get(name)
        if cell is None:
            cell = self.values[name] = Cell(self.builder, value.kind, parts)
        if not isinstance(cell, Cell) or cell.kind != value.kind:
            raise NotLowered(f"a variable of several types: {name}")
        for part, place in zip(parts, cell.places, strict=True):
            self.builder.store(part, place)

    def read(self, name: str) -> Number | Array:
        """Return the value of a variable."""
        found = self.values.get(name)
        if found is None:
            raise NotLowered(f"a variable that is read first: {name}")
        if not isinstance(found, Cell):
            return found
        values = [self.builder.load(place) for place in found.places]
        if not isinstance(found.kind, types.Array):
            return Number(found.kind, values[0])
        return array_values.from_numbers(self.context, self.builder, found.kind, values)

    def slot(self, name: str) -> Any:
        """Return where the owner of a variable's memory is kept."""
        return cgutils.gep_inbounds(self.builder, self.slots, 0, self.lifetimes.slots[name])

    def release(self, names: Iterable[str]) -> None:
        """Give back what variables hold."""
        for name in names:
            self.builder.call(self.builder.module.globals["release"], [self.slot(name)])

    def release_all(self) -> None:
        """Give back whatever is held."""
        if self.slots is not None:
            count = ir.Constant(memory.INTP, len(self.lifetimes.slots))
            first = cgutils.gep_inbounds(self.builder, self.slots, 0, 0)
            self.builder.call(self.builder.module.globals["release_all"], [first, count])
