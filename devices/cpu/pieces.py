"""Lowers a loop whose turns may be spread over threads: what it does becomes a function of the turns that are to run."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import array_values, memory, owners, threads, variables
from .arithmetic import Number
from .array_values import Array
from .calls import Calls
from .statements import Statements, Turns
from .toolkit import cgutils, ir

if TYPE_CHECKING:
    from .lowering import Lowering

# Note [Pieces]
# A piece is handed what the loop reads of the variables around it, as values, in memory that nobody writes meanwhile. What the loop assigns to is its own, and nobody outside may
# ask for it. Scratch memory is made anew for each piece: what blocks hold is stored and read in one turn, and single numbers are copied. It is one function, whoever
# runs it: where threads do not pay, the whole loop is one piece. So nothing is compiled twice.

# The work for which another thread is woken: a tenth of a millisecond, as measured. What takes half as long gains nothing by it.
LEAST = 5_000_000
_INT64 = ir.IntType(64)


class Closure:
    """Values of one function that are handed to another."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def add(self, value: Any) -> None:
        """Hand over a value, unless it is a constant."""
        if not isinstance(value, ir.Constant) and not any(value is known for known in self.values):
            self.values.append(value)

    def packed(self, builder: Any) -> Any:
        """Return memory that holds the values."""
        kind = ir.LiteralStructType([value.type for value in self.values])
        place = cgutils.alloca_once(builder, kind)
        for number, value in enumerate(self.values):
            builder.store(value, cgutils.gep_inbounds(builder, place, 0, number))
        return builder.bitcast(place, memory.BYTES)

    def unpack(self, builder: Any, place: Any) -> None:
        """Read the values where they are handed to."""
        kind = ir.LiteralStructType([value.type for value in self.values])
        place = builder.bitcast(place, kind.as_pointer())
        self.found = [
            builder.load(cgutils.gep_inbounds(builder, place, 0, number))
            for number in range(len(self.values))
        ]

    def get(self, value: Any) -> Any:
        """Return what stands for a value of the one function in the other."""
        return next(
            (found for known, found in zip(self.values, self.found, strict=True) if known is value), value
        )


def spread(outer: Lowering, loop: ast.For, work: Any) -> bool:
    """Lower a loop by pieces, given the work of each turn; return whether that can be done."""
    if not threads.available or not is_apart(outer, loop):
        return False
    builder, bindings = outer.builder, outer.bindings
    turns = outer.range(loop)
    own = assigned(loop)
    used = {
        name: bindings.read(name)
        for name in variables.mentions(loop)
        if name in bindings.values and name not in own
    }
    closure = Closure()
    for value in (turns.first, turns.start, turns.stride):
        if value is not None:
            closure.add(value)
    for thing in used.values():
        for value in thing.numbers() if isinstance(thing, Array) else [thing.value]:
            closure.add(value)
    place = closure.packed(builder)
    name = f"piece_{len(builder.module.functions)}"
    function, inside = owners.own_function(
        builder.module, name, ir.VoidType(), [memory.BYTES, _INT64, _INT64]
    )
    function.args[0].add_attribute("noalias")
    closure.unpack(inside, function.args[0])
    inner = bindings.inside(inside)
    scratch = scratches(outer)
    for name, thing in used.items():
        inner.values[name] = _moved(inside, closure, thing, name in scratch)
    calls = Calls(inner, function)
    calls.functions = outer.expressions.functions
    piece = Statements(inner, calls)
    first = closure.get(turns.first)
    start, stride = (None if value is None else closure.get(value) for value in (turns.start, turns.stride))
    begin, end = (inside.add(first, argument, flags=("nsw",)) for argument in function.args[1:])
    piece.turns(loop, Turns(begin, end, start, stride))
    inside.ret_void()

    count = builder.sub(turns.last, turns.first)
    total = builder.fmul(*(builder.sitofp(value, ir.DoubleType()) for value in (count, work)))
    pays = builder.fcmp_ordered(">=", total, ir.Constant(ir.DoubleType(), LEAST))
    with builder.if_else(pays, likely=False) as (then, otherwise):
        with then:
            threads.run(builder, function, place, count)
        with otherwise:
            builder.call(function, [place, ir.Constant(_INT64, 0), count])
    return True


def shared(kernel: ast.FunctionDef, namespace: Mapping[str, Any]) -> set[str]:
    """Return the variables that are mentioned outside of the loops that may be spread and assign to them, or that they are the index of."""
    counts = variables.mentions(kernel)

    def visit(suite: list[ast.stmt]) -> None:
        for before, statement in zip([None, *suite], suite, strict=False):
            if isinstance(statement, ast.For):
                is_spread = before is not None and is_mark(before, namespace)
                own = assigned(statement) if is_spread else set(variables.targets(statement))
                mentioned = variables.mentions(statement)
                counts.subtract({name: mentioned[name] for name in own})
                if is_spread:
                    continue
            for inner in variables.bodies(statement):
                visit(inner)

    visit(kernel.body)
    return {name for name, count in counts.items() if count}


def assigned(loop: ast.For) -> set[str]:
    """Return the variables that a loop assigns to."""
    return {name for node in ast.walk(loop) if isinstance(node, ast.stmt) for name in variables.targets(node)}


def is_mark(statement: ast.stmt, namespace: Mapping[str, Any]) -> bool:
    """Whether a statement says that the loop that follows may be spread."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    is_named = isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
    return is_named and namespace.get(call.func.id) is threads.spread  # type: ignore[union-attr]


def is_apart(outer: Lowering, loop: ast.For) -> bool:
    """Whether all that a loop assigns to is its own, it is left at its end alone, and no memory changes hands in it."""
    lifetimes = outer.lifetimes
    for node in ast.walk(loop):
        if isinstance(node, ast.Return):
            return False
        if isinstance(node, ast.stmt):
            for name in variables.targets(node):
                if name in outer.bindings.arrays or name in outer.shared:
                    return False
            suites = map(id, variables.bodies(node))
            if any(suite in lifetimes.before for suite in suites) or (
                node is not loop and id(node) in lifetimes.after
            ):
                return False
    return not any(map(_leaves, loop.body))


def _leaves(statement: ast.stmt) -> bool:
    """Whether a statement ends the loop that it stands in."""
    if isinstance(statement, (ast.For, ast.While)):
        return False
    return isinstance(statement, ast.Break) or any(
        _leaves(inner) for suite in variables.bodies(statement) for inner in suite
    )


def scratches(outer: Lowering) -> set[str]:
    """Return the variables that hold scratch memory."""
    return {
        name
        for statement in outer.kernel.body
        if isinstance(statement, ast.Assign)
        and isinstance(statement.value, ast.Call)
        and isinstance(statement.value.func, ast.Name)
        and outer.bindings.namespace.get(statement.value.func.id) is memory.scratch
        for name in variables.targets(statement)
    }


def _moved(builder: Any, closure: Closure, thing: Number | Array, is_scratch: bool) -> Number | Array:
    """Return in a piece what stands for a value outside of it."""
    if not isinstance(thing, Array):
        return Number(thing.kind, closure.get(thing.value))
    parts = list(map(closure.get, thing.numbers()))
    if is_scratch:
        lengths = [length.constant for length in thing.dims]
        block = memory.stack_block(builder, thing.data.type.pointee, lengths)
        own = builder.bitcast(block, thing.data.type)
        if math.prod(lengths) == 1:
            builder.store(builder.load(parts[0]), own)
        parts[0] = own
    return array_values.from_numbers(thing.context, builder, thing.kind, parts)
