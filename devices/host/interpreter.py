"""The interpreter: runs a graph op by op on NumPy values. It is the oracle for every other device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from transpile.runtime.graph.bounds import LARGEST_SIZE
from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.ops.scalars import Deoptimise, NotAssumed, is_handled
from transpile.runtime.ops.table import TABLE
from transpile.runtime.tracebacks import raise_at
from transpile.runtime.views.view import View


class Interpreter:
    """Runs one call of a graph.

    Nothing is written in place while it runs: the caller's arrays get their new contents at the end, or, where an op fails, those they have by then.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.values: dict[Value, Any] = {}
        self.contents: dict[int, Any] = {}

    def run(self, inputs: Sequence[Any]) -> tuple[Any, ...]:
        """Run the graph on what its inputs name, dims left out; return the results of its block."""
        given = iter(inputs)
        arguments: list[Any] = [None if i.source == "dim" else next(given) for i in self.graph.inputs]
        for place, input_ in enumerate(self.graph.inputs):
            if input_.source == "dim":
                arguments[place] = arguments[input_.of].shape[input_.axis]
        self.values.update(zip(self.graph.block.arguments, arguments, strict=True))
        self.check_assumptions()
        try:
            results = self.block(self.graph.block)
            assert results is not None
            return results
        except Deoptimise:
            self.contents.clear()
            raise
        finally:
            for place, contents in self.contents.items():
                arguments[place][...] = contents.reshape(arguments[place].shape)

    def check_assumptions(self) -> None:
        """Raise NotAssumed where the call is not one that the graph was traced for."""
        if any(self.number(dim) < 0 for dim in self.graph.assumptions):
            raise NotAssumed("an assumption on dims does not hold")
        if any(self.values[value] != self.number(dim) for value, dim in self.graph.equalities):
            raise NotAssumed("dims that must agree do not")
        sizes = zip(self.graph.block.arguments, self.graph.inputs, strict=True)
        if any(self.values[value] > LARGEST_SIZE for value, input_ in sizes if input_.source == "dim"):
            raise Deoptimise("an array is too large")

    def number(self, dim: DimLike) -> int:
        """Return the run-time value of a dim."""
        if isinstance(dim, int):
            return dim
        result = dim.substitute(lambda value: int(self.values[value]))
        assert isinstance(result, int)
        return result

    def block(self, block: Block) -> tuple[Any, ...] | None:
        """Run a block; return what it yields."""
        for op in block.ops:
            results = self.op(op)
            self.values.update(zip(op.results, results, strict=True))
            if TABLE[op.name].writes is not None and op.attributes["input"] is not None:
                self.contents[op.attributes["input"]] = results[0]
        assert block.results is not None, "control came to the end of a block that has none"
        return tuple(self.values[value] for value in block.results)

    def op(self, op: Op) -> Sequence[Any]:
        """Run one op; return its results."""
        control = _CONTROL.get(op.name)
        if control is not None:
            return control(self, op)
        evaluate = TABLE[op.name].evaluate
        assert evaluate is not None, op.name
        attributes = {key: self.attribute(attribute) for key, attribute in op.attributes.items()}
        operands = [self.values[operand] for operand in op.operands]
        try:
            result = evaluate(attributes, *operands)
        except Exception as error:
            if is_handled(op):
                raise Deoptimise("an error that a handler may catch") from None
            raise_at(op.location, error)
        if len(op.results) == 1:
            return (result,)
        assert isinstance(result, tuple)
        return result

    def attribute(self, attribute: Any) -> Any:
        """Return an attribute with its dims as numbers."""
        if isinstance(attribute, Dim):
            return self.number(attribute)
        if isinstance(attribute, View):
            return attribute.substitute(lambda value: int(self.values[value]))
        if isinstance(attribute, tuple):
            return tuple(map(self.attribute, attribute))
        return attribute

    def cond(self, op: Op) -> Sequence[Any]:
        """Run one of two regions."""
        taken = self.block(op.regions[0 if self.values[op.operands[0]] else 1])
        assert taken is not None
        return taken

    def while_loop(self, op: Op) -> Sequence[Any]:
        """Run a region as long as another one says."""
        test, body = op.regions
        carried: Sequence[Any] = [self.values[operand] for operand in op.operands]
        until = op.attributes["until"]
        while True:
            self.values.update(zip(test.arguments, carried, strict=True))
            ends = self.block(test)
            assert ends is not None
            if not ends[0]:
                return ends[1:]
            after = self.block(body)
            assert after is not None
            carried = after
            if until is not None and carried[until]:
                return carried

    def for_loop(self, op: Op) -> Sequence[Any]:
        """Run a region for each number of a range."""
        (body,) = op.regions
        start, stop, step, *carried = (self.values[operand] for operand in op.operands)
        until = op.attributes["until"]
        for position in range(start, stop, step):
            self.values.update(zip(body.arguments, (position, *carried), strict=True))
            after = self.block(body)
            assert after is not None
            carried = list(after)
            if until is not None and carried[until]:
                break
        return carried


_CONTROL: dict[str, Callable[[Interpreter, Op], Sequence[Any]]] = {
    "cond": Interpreter.cond,
    "while_loop": Interpreter.while_loop,
    "for_loop": Interpreter.for_loop,
}
