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
        # The slots of variables that are assigned anew lie by themselves: LLVM makes values of them, and nothing of moving a share. The others lie in a row, to be emptied by few calls.
        slots = sorted(self.lifetimes.slots)
        self.moving = {
            name: cgutils.alloca_once(builder, memory.BYTES) for name in slots if name not in self.fixed
        }
        self.places = {name: place for place, name in enumerate(n for n in slots if n in self.fixed)}
        count = len(self.places)
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
        if name in self.moving:
            return self.moving[name]
        return cgutils.gep_inbounds(self.builder, self.slots, 0, self.places[name])

    def release(self, names: Iterable[str]) -> None:
        """Give back what variables hold."""
        builder, functions = self.builder, self.builder.module.globals
        for name in names:
            if name not in self.moving:
                builder.call(functions["release"], [self.slot(name)])
                continue
            owner = builder.load(self.slot(name))
            builder.store(array_values.NOBODY, self.slot(name))
            with builder.if_then(cgutils.is_not_null(builder, owner)):
                builder.call(functions["NRT_decref"], [owner])

    def release_all(self) -> None:
        """Give back whatever is held."""
        builder, functions = self.builder, self.builder.module.globals
        for slot in self.moving.values():
            builder.call(functions["NRT_decref"], [builder.load(slot)])
        if self.slots is not None:
            first = cgutils.gep_inbounds(builder, self.slots, 0, 0)
            builder.call(functions["release_all"], [first, ir.Constant(memory.INTP, len(self.places))])
