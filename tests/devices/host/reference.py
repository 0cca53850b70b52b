"""Runs a graph op by op with the functions of the op table, and writes to copies alone: what the interpreter is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transpile.runtime.errors import Deoptimise, NotAssumed
from transpile.runtime.graph.bounds import LARGEST_SIZE
from transpile.runtime.graph.dim import Dim
from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import INT
from transpile.runtime.ops.scalars import is_handled
from transpile.runtime.ops.table import TABLE
from transpile.runtime.views.view import View


class Reference:
    """One call of a graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.values: dict[Value, Any] = {}
        self.contents: dict[int, Any] = {}

    def run(self, inputs: Sequence[Any]) -> tuple[Any, ...]:
        given = iter(inputs)
        arguments: list[Any] = [None if i.source == "dim" else next(given) for i in self.graph.inputs]
        for place, input_ in enumerate(self.graph.inputs):
            if input_.source == "dim":
                arguments[place] = arguments[input_.of].shape[input_.axis]
        self.values.update(zip(self.graph.block.arguments, arguments, strict=True))
        self.check_assumptions()
        try:
            return self.block(self.graph.block)
        except Deoptimise:
            self.contents.clear()
            raise
        except Exception:
            if not self.graph.stores:
                raise
            self.contents.clear()
            raise Deoptimise("an error that a handler may catch") from None
        finally:
            for place, contents in self.contents.items():
                arguments[place][...] = contents.reshape(arguments[place].shape)

    def check_assumptions(self) -> None:
        """Raise NotAssumed where the call is not one that the graph was traced for."""
        if any(self.attribute(dim) < 0 for dim in self.graph.assumptions):
            raise NotAssumed("an assumption on dims does not hold")
        if any(self.values[value] != self.attribute(dim) for value, dim in self.graph.equalities):
            raise NotAssumed("dims that must agree do not")
        sizes = zip(self.graph.block.arguments, self.graph.inputs, strict=True)
        if any(self.values[value] > LARGEST_SIZE for value, input_ in sizes if input_.source == "dim"):
            raise Deoptimise("an array is too large")

    def block(self, block: Block) -> tuple[Any, ...]:
        for op in block.ops:
            results = self.op(op)
            self.values.update(zip(op.results, results, strict=True))
            if TABLE[op.name].writes is not None and op.attributes["input"] is not None:
                self.contents[op.attributes["input"]] = results[0]
        assert block.results is not None
        return tuple(self.values[value] for value in block.results)

    def op(self, op: Op) -> Sequence[Any]:
        operands = [self.values[operand] for operand in op.operands]
        if op.name == "cond":
            return self.block(op.regions[0 if operands[0] else 1])
        if op.name == "while_loop":
            return self.while_loop(op, operands)
        if op.name == "for_loop":
            return self.for_loop(op, *operands)
        attributes = {key: self.attribute(attribute) for key, attribute in op.attributes.items()}
        evaluate = TABLE[op.name].evaluate
        assert evaluate is not None
        try:
            result = evaluate(attributes, *operands)
        except Deoptimise:
            raise
        except Exception:
            if not is_handled(op):
                raise
            raise Deoptimise("an error that a handler may catch") from None
        results = (result,) if len(op.results) == 1 else result
        # Sizes that NumPy gives as numbers of its own are Python's in a graph.
        return [
            int(found) if value.type == INT and isinstance(found, np.integer) else found
            for value, found in zip(op.results, results, strict=True)
        ]

    def while_loop(self, op: Op, carried: Sequence[Any]) -> Sequence[Any]:
        test, body = op.regions
        until = op.attributes["until"]
        while True:
            self.values.update(zip(test.arguments, carried, strict=True))
            again, *ends = self.block(test)
            if not again:
                return ends
            carried = self.block(body)
            if until is not None and carried[until]:
                return carried

    def for_loop(self, op: Op, start: int, stop: int, step: int, *carried: Any) -> Sequence[Any]:
        (body,) = op.regions
        until = op.attributes["until"]
        for position in range(start, stop, step):
            self.values.update(zip(body.arguments, (position, *carried), strict=True))
            carried = self.block(body)
            if until is not None and carried[until]:
                break
        return carried

    def attribute(self, attribute: Any) -> Any:
        """Return an attribute with its dims as numbers."""
        if isinstance(attribute, Dim):
            return attribute.substitute(lambda value: int(self.values[value]))
        if isinstance(attribute, View):
            return attribute.substitute(lambda value: int(self.values[value]))
        if isinstance(attribute, tuple):
            return tuple(map(self.attribute, attribute))
        return attribute
