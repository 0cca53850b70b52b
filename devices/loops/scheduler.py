"""The scheduler: lowers the ops of a graph, in program order, to statements: loop nests, library calls, branches and loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from transpile.runtime.errors import DeviceError
from transpile.runtime.graph.bounds import Bounds, dim_of
from transpile.runtime.graph.dim import Dim
from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import INT, PYBOOL, ArrayType, ScalarType, dims_of
from transpile.runtime.ops.scalars import outgrown
from transpile.runtime.ops.table import TABLE

from .buffer import Buffer, Variable
from .counters import Counters
from .exits import Exits
from .expression import Apply, Constant, Expression, IndexFunction, Indices
from .low_bits import LowBits
from .memory import is_array
from .multiples import Multiples
from .program import Program
from .statement import CheckedLet, LeaveIf
from .stepped import stepped
from .uses import users
from .values import Array, Stored, Values, whole

# Integer ops on Python numbers that may leave 64 bits.
_CHECKED = frozenset(
    ("add", "subtract", "multiply", "negative", "absolute", "power", "left_shift", "floor_divide")
)
_LARGEST = 2**63 - 1

# What schedules an op, by the op's name; ops on elements need none.
LOWERINGS: dict[str, Callable[[Scheduler, Op], None]] = {}

Lowering = TypeVar("Lowering", bound="Callable[[Scheduler, Op], None]")


def lowers(*names: str) -> Callable[[Lowering], Lowering]:
    """Declare what schedules the ops of these names."""

    def declare(lowering: Lowering) -> Lowering:
        LOWERINGS.update(dict.fromkeys(names, lowering))
        return lowering

    return declare


class Scheduler(Values):
    """Schedules one graph."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.counters = Counters(graph)
        self.low_bits = LowBits(graph)
        self.multiples = Multiples(users(graph))
        # Integers of which it was asked where they are made whether they fit into 64 bits.
        self.fitting: set[Value] = set()
        self.bounds = Bounds(
            graph.assumptions,
            (a for a, i in zip(graph.block.arguments, graph.inputs, strict=True) if i.source == "dim"),
        )
        self.copies: list[Any] = []
        # Whose memory arrays have that branches give, where that was asked.
        self.homes: dict[Value, Value | None] = {}
        self.exits = Exits(self)

    # -- the whole ---------------------------------------------------------------------------------------------

    def run(self) -> Program:
        """Return the scheduled program."""
        graph = self.graph
        inputs: list[Value | Buffer] = []
        for argument, input_ in zip(graph.block.arguments, graph.inputs, strict=True):
            if input_.source == "array":
                buffer = _input_buffer(argument, input_)
                self.arrays[argument] = whole(buffer)
                inputs.append(buffer)
            else:
                self.scalars[argument] = Variable(argument)
                inputs.append(argument)
        self.ops(graph.block)
        results: list[Value | Buffer] = []
        assert graph.block.results is not None
        returned = len(graph.block.results) - len(graph.written)
        for value in graph.block.results[:returned]:
            results.append(self.stored(value).buffer if is_array(value) else self.variable(value))
        for place, result in graph.written.items():
            self._hand_back(graph.block.arguments[place], graph.block.results[result])
        exits = self.exits
        heeds, saved, reporter = exits.end()
        return Program(
            graph.name,
            graph,
            inputs,
            self.outputs,
            self.body,
            results,
            exits.sites,
            self.copies,
            set(graph.written),
            saved,
            noted=exits.noted,
            heeds=heeds,
            final=exits.final,
            reporter=reporter,
            tells=exits.tells,
        )

    def _hand_back(self, argument: Value, value: Value) -> None:
        """Have the caller's array hold its contents at the end, which it does unless they were computed elsewhere."""
        if self.memory.origin(value) is argument or self.stored(value).buffer is self.stored(argument).buffer:
            return
        target = self.arrays[argument]
        assert isinstance(target, Stored)
        self.copies.append(())
        self.nest(target, self.stored(value).at, dims_of(argument.type))

    # -- ops ---------------------------------------------------------------------------------------------------

    def ops(self, block: Block) -> None:
        """Schedule the ops of a block, in program order."""
        for op in block.ops:
            handler = LOWERINGS.get(op.name)
            if handler is not None:
                handler(self, op)
            elif TABLE[op.name].family in ("elementwise", "scalar"):
                self.elementwise(op)
            else:
                raise DeviceError("D100-op", f"{op.name} is not scheduled", location=op.location)
            self.exits.note_effects(op)

    def elementwise(self, op: Op) -> None:
        """Schedule an op on elements."""
        if not op.result_is_array():
            self.scalar_op(op)
            return
        for output, result in enumerate(op.results):
            type_ = result.type
            assert isinstance(type_, ArrayType)
            attributes = _attributes(op, output)
            if places := stepped(op, result):
                attributes += (("stepped", places),)

            def at(
                indices: Indices,
                dtype: Any = type_.dtype,
                attributes: Any = attributes,
                rank: int = len(type_.dims),
            ) -> Expression:
                operands = tuple(self.element(operand, indices, rank) for operand in op.operands)
                return Apply(op.name, operands, ScalarType(dtype), attributes)

            self.define(op, result, IndexFunction(type_.dims, at))

    def define(self, op: Op, result: Value, array: Array) -> None:
        """Give a result its array: computed where it is used, if it is lazy, else now."""
        if result in self.memory.lazy:
            self.arrays[result] = array
            return
        target = whole(self.allocate(result))
        self.nest(target, array.at, dims_of(result.type), op.location)
        self.arrays[result] = target

    def scalar_op(self, op: Op) -> None:
        """Schedule an op on scalars."""
        for output, result in enumerate(op.results):
            type_ = result.type
            assert isinstance(type_, ScalarType)
            dim = dim_of(result) if type_ == INT else None
            if isinstance(dim, int):
                self.scalars[result] = Constant(dim, type_)
                continue
            expression = Apply(op.name, tuple(map(self.scalar, op.operands)), type_, _attributes(op, output))
            if type_ == INT and self.low_bits.wraps(op):
                self.let(result, replace(expression, attributes=(("wraps", True),)))
            elif type_ == INT and op.name in _CHECKED and not self.fits(op, result):
                self.checked(op, expression)
            elif type_ == INT and op.name == "remainder" and self.bounds.is_near(op):
                self.let(result, replace(expression, attributes=(("near", True),)))
            elif type_ == INT and op.name in ("floor_divide", "remainder") and self.is_natural(op):
                self.let(result, replace(expression, attributes=(("natural", True),)))
            elif op.name == "divide" and all(map(self.is_float, op.operands)):
                self.let(result, replace(expression, attributes=(("exact", True),)))
            else:
                self.let(result, expression)

    def checked(self, op: Op, expression: Apply) -> None:
        """Schedule an op on integers that may leave 64 bits."""
        site = self.exits.way_out(op, "an integer leaves 64 bits", exception=outgrown(op.location))
        within = self.multiples.within(op)
        if within is None:
            self.body.append(CheckedLet(op.result, expression, site))
            self.scalars[op.result] = Variable(op.result)
            return
        value = self.variable(within.value)
        tests = [
            Apply(name, (Variable(value), Constant(end, INT)), PYBOOL)
            for name, end, inside in (
                ("less", within.least, Dim.of_value(value) - within.least),
                ("greater", within.most, within.most - Dim.of_value(value)),
            )
            if not self.bounds.nonnegative(inside)
        ]
        self.body += [LeaveIf(test, site) for test in tests]
        self.fitting.update(within.fitting)
        self.let(op.result, expression)

    def is_natural(self, op: Op) -> bool:
        """Whether a dividend is proved not to be negative, and its divisor to be more than that."""
        dividend, divisor = map(dim_of, op.operands)
        return self.bounds.nonnegative(dividend) and self.bounds.nonnegative(divisor - 1)

    def is_float(self, value: Value) -> bool:
        """Whether a number is one of Python's integers, and proved to be a float as well, without rounding."""
        ends = (self.bounds.extreme(value, upper) for upper in (False, True)) if value.type == INT else ()
        return value.type == INT and all(abs(end) <= 2**53 for end in ends)

    def fits(self, op: Op, result: Value) -> bool:
        """Whether a Python integer is proved to stay within 64 bits."""
        if result in self.fitting:
            return True
        dim = dim_of(result)
        if op.name == "floor_divide" and self.bounds.extreme(op.operands[1], upper=False) >= 0:
            return True
        if op.name == "left_shift":
            number, places = op.operands
            ends = [abs(self.bounds.extreme(number, upper)) for upper in (False, True)]
            least, most = (self.bounds.extreme(places, upper) for upper in (False, True))
            return least >= 0 and most < 63 and max(ends) << most <= _LARGEST
        if op.name in ("floor_divide", "absolute", "negative"):
            # Only the most negative number has no counterpart.
            return self.bounds.nonnegative(dim_of(op.operands[0]) + (_LARGEST - 1))
        proved = self.bounds.nonnegative(_LARGEST - dim) and self.bounds.nonnegative(dim + _LARGEST)
        return proved or self.counters.counts(result)

    def result_target(self, op: Op) -> Buffer | Value:
        """Return where a reduction puts its result."""
        result = op.result
        if not is_array(result):
            self.scalars[result] = Variable(result)
            return result
        stored = whole(self.allocate(result))
        self.arrays[result] = stored
        return stored.buffer


def _attributes(op: Op, output: int) -> tuple[tuple[str, Any], ...]:
    attributes = tuple(sorted(op.attributes.items(), key=lambda item: item[0]))
    return (*attributes, ("output", output)) if len(op.results) > 1 else attributes


def _input_buffer(argument: Value, input_: Any) -> Buffer:
    type_ = argument.type
    assert isinstance(type_, ArrayType)
    buffer = Buffer(argument.name, type_.dtype, type_.dims, type_.order, source="input", value=argument)
    if not input_.contiguous:
        buffer.layout = "A"
    buffer.aligned = input_.aligned
    return buffer
