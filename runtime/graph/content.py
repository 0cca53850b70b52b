"""All that a graph says, as a text: two graphs of one content are the same, but for the objects that they name."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from .dim import Dim
from .ir import Block, Graph, Op, Value
from .types import Type


class Untold(Exception):
    """A graph holds something of which no text tells all."""


# What is only handed on: functions that are called, or that make exceptions. A text says which of them are one, and what they are called.
_HANDED_ON = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, type)

# What Python writes so that there is no other thing of its type that it writes so.
_PLAIN = frozenset((type(None), bool, int, str, bytes))


# The names of the fields of dataclasses.
_NAMES: dict[type, tuple[str, ...]] = {}


def _names_of(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass, which takes long to be asked anew."""
    names = _NAMES.get(kind)
    if names is None:
        names = _NAMES[kind] = tuple(field.name for field in dataclasses.fields(kind))
    return names


class Content:
    """The content of a graph, and what it speaks of, in the order in which it does: the graph, values, ops, locations, and objects.

    Raises Untold where there is no text for all of it.
    """

    def __init__(self, graph: Graph) -> None:
        self.things: list[Any] = []
        self.places: dict[int, int] = {}
        self._parts: list[str] = []
        # Texts of types, of which many values have one, by the identity of what the graph keeps.
        self._types: dict[int, str] = {}
        self._note(graph)
        # All values first: types and attributes speak of some that come later.
        self._number(graph.block)
        self._fields(graph, "block", "inputs")
        for item in graph.inputs:
            # Where the caller's value is found is for the caller.
            self._fields(item, "path")
        self._block(graph.block)

    @property
    def text(self) -> str:
        """The text."""
        return "\n".join(self._parts)

    def _note(self, thing: Any) -> int:
        """Return the number of a thing, which is given when it is first spoken of."""
        place = self.places.get(id(thing))
        if place is None:
            place = self.places[id(thing)] = len(self.things)
            self.things.append(thing)
        return place

    def _number(self, block: Block) -> None:
        for argument in block.arguments:
            self._note(argument)
        for op in block.ops:
            self._note(op)
            for result in op.results:
                self._note(result)
            for region in op.regions:
                self._number(region)

    def _fields(self, record: Any, *but: str) -> None:
        for name in _names_of(type(record)):
            if name not in but:
                self._parts.append(f"{name}: {self._text(getattr(record, name))}")

    def _block(self, block: Block) -> None:
        self._values("(", block.arguments)
        for op in block.ops:
            self._op(op)
        self._parts.append("never" if block.results is None else self._list(block.results))

    def _op(self, op: Op) -> None:
        # Where it stands in the user's program says nothing of what it does. There is one empty tuple, which is many other things, too.
        place = f"@{self._note(op.location)} " if op.location else ""
        self._parts.append(f"{place}{op.name}({self._list(op.operands)})")
        self._values("=", op.results)
        for name, attribute in op.attributes.items():
            self._parts.append(f"{name}: {self._text(attribute)}")
        for region in op.regions:
            self._parts.append("{")
            self._block(region)
            self._parts.append("}")

    def _values(self, sign: str, values: Iterable[Value]) -> None:
        self._parts += [
            f"{sign}{self._text(value)} {value.name} {self._type(value.type)}" for value in values
        ]

    def _type(self, type_: Type) -> str:
        text = self._types.get(id(type_))
        if text is None:
            text = self._types[id(type_)] = self._text(type_)
        return text

    def _list(self, things: Iterable[Any]) -> str:
        return ", ".join(map(self._text, things))

    def _text(self, thing: Any) -> str:
        kind = type(thing)
        if kind is Value:
            if id(thing) not in self.places:
                raise Untold("a value of another graph")
            return f"${self.places[id(thing)]}"
        if kind in _PLAIN:
            return f"{kind.__name__} {thing!r}"
        if kind in (tuple, list):
            return f"{kind.__name__}[{self._list(thing)}]"
        if kind is Dim:
            return f"dim[{self._list(thing.terms)}]"
        if kind in (float, complex):
            # A NaN has a sign, of which its text says nothing.
            return f"{kind.__name__} {np.asarray(thing).tobytes().hex()}"
        if kind is dict:
            return f"dict[{self._list(thing.items())}]"
        if isinstance(thing, np.dtype):
            return f"dtype {thing.str} {thing.num} {thing.names}"
        if isinstance(thing, np.generic) or kind is np.ndarray:
            if thing.dtype.hasobject:
                raise Untold(f"a {kind.__name__} of objects")
            strides = thing.strides if kind is np.ndarray else ()
            return f"{kind.__name__} {thing.dtype.str} {thing.shape} {strides} {thing.tobytes().hex()}"
        if isinstance(thing, _HANDED_ON):
            return f"!{self._note(thing)} {thing.__module__}.{thing.__qualname__}"
        if dataclasses.is_dataclass(thing) and kind.__module__.startswith("transpile."):
            if not kind.__dataclass_params__.frozen:
                raise Untold(f"a {kind.__name__}, which may change")
            if not kind.__dataclass_params__.eq:
                # It is known by what it is, not by what it holds.
                return f"!{self._note(thing)} {kind.__name__}"
            return f"{kind.__name__}[{self._list(getattr(thing, name) for name in _names_of(kind))}]"
        raise Untold(f"a {kind.__name__}")
