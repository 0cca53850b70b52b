"""The verifier: says whether a graph is well formed, and what is wrong where it is not. Linear in the size of the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn, Protocol

from .bounds import dim_of
from .dim import Dim, DimLike, substitute, values_of
from .ir import Block, Graph, Op, Value
from .types import BOOL, INT, ArrayType, ScalarType, TokenType, Type, dims_of


class Rule(Protocol):
    """What the verifier asks of the declaration of an op."""

    @property
    def types(self) -> Callable[[Sequence[Type], Mapping[str, Any]], tuple[Type, ...]]:
        """Gives the result types of operand types and attributes."""


class InvalidGraph(Exception):
    """A graph breaks a law of graphs: a tracer or pass is wrong."""


def verify(graph: Graph, rules: Mapping[str, Rule]) -> None:
    """Raise InvalidGraph unless a graph keeps the laws of graphs; `rules` is the op table.

    * Every value is defined once, before it is used, in the block of its use or one around it; the body of a `while_loop` sees its test's values.
    * Types follow from the op's rule; what regions take and yield has the types of what it is bound to; dims are over Python integers in scope.
    * A view fits its base, a written value has the dtype of its base, a constant that of its type.
    * The tokens of a resource make one line: each effect takes the one that the last effect gave.
    * The last results are the final contents of the arguments that are written.
    """
    _Verifier(graph, rules).run()


class _Verifier:
    def __init__(self, graph: Graph, rules: Mapping[str, Rule]) -> None:
        self.graph = graph
        self.rules = rules
        self.visible: set[Value] = set()
        self.defined: set[Value] = set()
        self.equal = dict(graph.equalities)
        # The token that the next effect on each resource must take.
        self.tokens: dict[str, Value] = {}
        self.op: Op | None = None

    def fail(self, message: str) -> NoReturn:
        """Raise what is wrong with the op at hand."""
        op = self.op
        if op is None:
            raise InvalidGraph(f"{self.graph.name}: {message}")
        results = ", ".join(result.name or "?" for result in op.results)
        operands = ", ".join(operand.name or "?" for operand in op.operands)
        where = f", from {op.location[-1]}" if op.location else ""
        raise InvalidGraph(f"{self.graph.name}: {results} = {op.name}({operands}){where}: {message}")

    def check(self, holds: bool, message: str) -> None:
        """Raise unless something holds."""
        if not holds:
            self.fail(message)

    # -- the whole ---------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Verify the graph."""
        block, graph = self.graph.block, self.graph
        self.check(len(block.arguments) == len(graph.inputs), "not every argument is fed")
        self.define(block.arguments, block)
        for argument, input_ in zip(block.arguments, graph.inputs, strict=True):
            self.type_in_scope(argument)
            if input_.source == "dim":
                self.check(argument.type == INT, f"the dim {argument.name} is no Python integer")
                of = block.arguments[input_.of].type
                fits = isinstance(of, ArrayType) and input_.axis < len(of.dims)
                self.check(fits, f"the dim {argument.name} is not the dim of an array")
            else:
                kind = ArrayType if input_.source == "array" else ScalarType
                self.check(
                    isinstance(argument.type, kind), f"the argument {argument.name} is no {input_.source}"
                )
        arguments = set(block.arguments)
        for dim in (*graph.assumptions, *(dim for _, dim in graph.equalities)):
            self.check(
                arguments.issuperset(values_of(dim)), f"{dim} is assumed, which is not over arguments alone"
            )
        self.check(
            arguments.issuperset(self.equal), "something else than an argument is assumed to equal a dim"
        )
        self.block(block)
        self.op = None
        results = block.results
        if results is None:
            self.fail("control never reaches the end")
        returned = len(results) - len(graph.written)
        self.check(
            [*graph.written.values()] == [*range(returned, len(results))],
            "what is written does not come last",
        )
        for place, result in graph.written.items():
            argument = block.arguments[place]
            self.same(results[result].type, argument.type, f"the contents of {argument.name} at the end")

    def block(self, block: Block) -> None:
        """Verify the ops of a block, whose arguments are defined, and leave its values visible."""
        for op in block.ops:
            self.op = op
            self.check(op.block is block, "the op does not know its block")
            self.check(op.name in self.rules, "there is no such op")
            for value in op.used_values():
                if value not in self.visible and value not in op.results:
                    self.fail(f"{value.name or 'a value'} is used where it is not defined")
            self.attributes(op)
            self.effect(op)
            if op.regions:
                self.control(op)
                self.op = op
            else:
                self.types(op)
            self.define(op.results, op)
            for result in op.results:
                self.type_in_scope(result)
                if isinstance(result.type, TokenType):
                    self.tokens[result.type.resource] = result
        leaves = bool(block.ops) and block.ops[-1].name == "raise"
        self.check(not leaves or block.results is None, "control is said to go on after it")
        for value in block.results or ():
            self.check(value in self.visible, f"{value.name or 'a value'} is yielded where it is not defined")

    def define(self, values: Iterable[Value], owner: Op | Block) -> None:
        """Make values visible."""
        for place, value in enumerate(values):
            self.check(value not in self.defined, f"{value.name} is defined twice")
            self.check(
                value.owner is owner and value.index == place,
                f"{value.name} does not know where it is defined",
            )
            self.defined.add(value)
            self.visible.add(value)

    def type_in_scope(self, value: Value) -> None:
        """Check what the dims of a value's type are over."""
        for dim in dims_of(value.type):
            for other in values_of(dim):
                self.check(
                    other in self.visible,
                    f"a dim of {value.name} is over {other.name}, which is not defined there",
                )
                self.check(
                    other.type == INT,
                    f"a dim of {value.name} is over {other.name}, which is no Python integer",
                )

    # -- types -------------------------------------------------------------------------------------------------

    def normal(self, dim: DimLike) -> DimLike:
        """Return a dim with the equalities that are assumed applied."""
        if not self.equal or self.equal.keys().isdisjoint(values_of(dim)):
            return dim
        return substitute(dim, lambda v: self.normal(self.equal[v]) if v in self.equal else Dim.of_value(v))

    def same(
        self, found: Type, wanted: Type, what: str, bound: Mapping[Value, DimLike] | None = None
    ) -> None:
        """Check that two types are equal, once the values in `bound` are replaced in the one that is wanted."""
        if found == wanted:
            return
        if (
            isinstance(found, ArrayType)
            and isinstance(wanted, ArrayType)
            and len(found.dims) == len(wanted.dims)
        ):
            dims = [substitute(d, lambda v: (bound or {}).get(v, Dim.of_value(v))) for d in wanted.dims]
            equal = all(self.normal(a) == self.normal(b) for a, b in zip(found.dims, dims, strict=True))
            if equal and (found.dtype, found.order) == (wanted.dtype, wanted.order):
                return
        self.fail(f"{what}: {found} is not {wanted}")

    def types(self, op: Op) -> None:
        """Check the types of results against the op's rule."""
        try:
            wanted = self.rules[op.name].types([operand.type for operand in op.operands], op.attributes)
        except Exception as error:
            self.fail(f"no type can be told for it: {error!r}")
        self.check(
            len(wanted) == len(op.results), f"it has {len(op.results)} results instead of {len(wanted)}"
        )
        for result, type_ in zip(op.results, wanted, strict=True):
            self.same(result.type, type_, "the type of a result")

    def attributes(self, op: Op) -> None:
        """Check the attributes that ops of several kinds share."""
        attributes = op.attributes
        view = attributes.get("view")
        if view is not None:
            dims = dims_of(op.operands[0].type)
            self.check(
                len(view.axes) == len(view.base_dims) == len(dims), "the view is of an array of another rank"
            )
            agree = all(self.normal(a) == self.normal(b) for a, b in zip(view.base_dims, dims, strict=True))
            self.check(agree, "the view is of an array of other dims")
            axes = [axis for _, terms in view.axes for axis, _ in terms]
            self.check(
                all(0 <= axis < len(view.dims) for axis in axes),
                "the view moves along an axis it does not have",
            )
        for dim in op.attribute_dims():
            for value in values_of(dim):
                self.check(value.type == INT, f"a dim is over {value.name}, which is no Python integer")
        if "input" in attributes:
            base, value = op.operands[:2]
            self.check(
                getattr(base.type, "dtype", 0) == getattr(value.type, "dtype", 1),
                "a value of another dtype is stored",
            )
            fits = op.name != "update" or (view is not None and len(dims_of(value.type)) <= len(view.dims))
            self.check(fits, "a value of more axes than the view is stored")
            place = attributes["input"]
            if place is not None:
                inputs = self.graph.inputs
                fits = place < len(inputs) and inputs[place].source == "array" and inputs[place].writable
                self.check(fits, "it writes to an argument that is no array or cannot be written")
        elif op.name == "constant":
            number, type_ = attributes["value"], op.result.type
            python = isinstance(type_, ScalarType) and type_.weak
            weak = isinstance(type_, ScalarType) and python and type(number) is type_.python
            strong = not python and getattr(number, "dtype", 0) == getattr(type_, "dtype", 1)
            self.check(weak or strong, f"{number!r} is no {type_}")

    # -- regions -----------------------------------------------------------------------------------------------

    def control(self, op: Op) -> None:
        """Verify an op with regions."""
        before = dict(self.tokens)
        if op.name == "cond":
            self.check(
                len(op.regions) == 2 and len(op.operands) == 1, "a branch has one test and two regions"
            )
            self.truth(op.operands[0])
            for region in op.regions:
                self.check(not region.arguments, "the region of a branch takes no arguments")
                self.tokens = dict(before)
                self.region(region, op, op.results)
        else:
            self.loop(op)
        self.tokens = before

    def loop(self, op: Op) -> None:
        """Verify a loop."""
        first = 3 if op.name == "for_loop" else 0
        arguments = op.regions[0].arguments
        carried = arguments[1:] if first else arguments
        initial = op.operands[first:]
        self.check(len(op.regions) == (1 if first else 2), "it has too few or too many regions")
        self.check(
            len(carried) == len(initial) == len(op.results), "it does not carry as many values as it gives"
        )
        self.check(all(limit.type == INT for limit in op.operands[:first]), "a limit is no Python integer")
        until = op.attributes["until"]
        self.check(until is None or until < len(carried), "it ends on a value that it does not carry")
        if until is not None:
            self.truth(carried[until])
        self.define(arguments, op.regions[0])
        for argument in arguments:
            self.type_in_scope(argument)
        self.bound(initial, carried, "the first value of")
        for argument in carried:
            if isinstance(argument.type, TokenType):
                self.tokens[argument.type.resource] = argument
        if first:
            self.region(op.regions[0], op, carried)
        else:
            test, body = op.regions
            self.check(bool(test.results), "its test yields no truth")
            self.check(not body.arguments, "the body of a while_loop takes no arguments")
            self.block(test)
            self.op = op
            truth, *left = test.results or ()
            self.truth(truth)
            self.check(len(left) == len(carried), "its test does not yield as many values as it carries")
            self.bound(left, carried, "what its test yields for")
            self.region(body, op, carried)
            self.visible.difference_update(*(inner.results for inner in test.ops))
        self.visible.difference_update(arguments)
        bound: dict[Value, DimLike] = {r: Dim.of_value(a) for r, a in zip(op.results, carried, strict=True)}
        for argument, result in zip(carried, op.results, strict=True):
            self.same(argument.type, result.type, f"the result {result.name}", bound)

    def region(self, region: Block, op: Op, takers: Sequence[Value]) -> None:
        """Verify a region whose results are bound to `takers`, and forget its values."""
        self.block(region)
        self.op = op
        if region.results is not None:
            self.check(
                len(region.results) == len(takers), "a region does not yield as many values as are taken"
            )
            self.bound(region.results, takers, "what a region yields for")
            for value in region.results:
                if isinstance(value.type, TokenType):
                    current = self.tokens.get(value.type.resource)
                    self.check(
                        current is value, f"a region yields the token {value.name}, which is not the last one"
                    )
        for inner in region.ops:
            self.visible.difference_update(inner.results)

    def bound(self, values: Sequence[Value], takers: Sequence[Value], what: str) -> None:
        """Check that values have the types of what takes them, whose dims may be over others of the values."""
        bound = {
            taker: dim_of(value) for taker, value in zip(takers, values, strict=True) if value.type == INT
        }
        for value, taker in zip(values, takers, strict=True):
            self.same(value.type, taker.type, f"{what} {taker.name}", bound)

    def truth(self, value: Value) -> None:
        """Check that a value is a truth."""
        holds = isinstance(value.type, ScalarType) and value.type.dtype == BOOL
        self.check(holds, f"{value.name} is tested, which is no truth")

    def effect(self, op: Op) -> None:
        """Check that an op takes the last token of its resource."""
        for operand in op.operands:
            if isinstance(operand.type, TokenType):
                current = self.tokens.get(operand.type.resource)
                self.check(
                    current is operand, f"it takes the token {operand.name}, which is not the last one"
                )


__all__ = ["InvalidGraph", "Rule", "verify"]
