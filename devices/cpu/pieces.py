"""Lowers a loop whose turns may be spread over threads: what it does becomes a function of the turns that are to run."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from . import array_values, memory, owners, shared_loops, variables, workers
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

# The work for which another thread is woken: a tenth of a millisecond, as measured. What takes half as long gains nothing by it. There is one more thread for each time that there is as much.
LEAST = 5_000_000
_INT64 = ir.IntType(64)
_DOUBLE = ir.DoubleType()


class Closure:
    """Values of one function that are handed to another, where that uses them."""

    def __init__(self, function: Any, builder: Any, values: Iterable[Any]) -> None:
        self.values = list(
            {id(value): value for value in values if not isinstance(value, ir.Constant)}.values()
        )
        self.function = function
        self.kind = ir.LiteralStructType([value.type for value in self.values])
        given = builder.bitcast(function.args[0], self.kind.as_pointer())
        self.found = {
            id(value): builder.load(cgutils.gep_inbounds(builder, given, 0, number))
            for number, value in enumerate(self.values)
        }

    def get(self, value: Any) -> Any:
        """Return what stands for a value of the one function in the other."""
        return self.found.get(id(value), value)

    def packed(self, builder: Any) -> Any:
        """Return memory that holds the values, once the function is written."""
        used: set[int] = set()
        for block in self.function.blocks:
            for instruction in block.instructions:
                is_phi = isinstance(instruction, ir.PhiInstr)
                used.update(
                    map(id, (one for one, _ in instruction.incomings) if is_phi else instruction.operands)
                )
        place = cgutils.alloca_once(builder, self.kind)
        for number, value in enumerate(self.values):
            if id(self.get(value)) in used:
                builder.store(value, cgutils.gep_inbounds(builder, place, 0, number))
        return builder.bitcast(place, memory.BYTES)


def spread(outer: Lowering, loop: ast.For, work: Any) -> bool:
    """Lower a loop by pieces, given the work of each turn; return whether that can be done."""
    if not workers.available or not is_apart(outer, loop):
        return False
    builder, bindings = outer.builder, outer.bindings
    turns, own = outer.range(loop), assigned(loop)
    names = [name for name in variables.mentions(loop) if name in bindings.values and name not in own]
    used = {name: bindings.read(name) for name in names}
    label = f"piece_{len(builder.module.functions)}"
    function, inside = owners.own_function(
        builder.module, label, ir.VoidType(), [memory.BYTES, _INT64, _INT64]
    )
    function.args[0].add_attribute("noalias")
    limits = [value for value in (turns.first, turns.start, turns.stride) if value is not None]
    closure = Closure(
        function, inside, [*limits, *(part for thing in used.values() for part in _parts(thing))]
    )
    inner = bindings.inside(inside)
    for name, thing in used.items():
        inner.values[name] = _moved(inside, closure, thing, name in outer.scratch)
    calls = Calls(inner, function)
    calls.functions = outer.expressions.functions
    first, start, stride = map(closure.get, (turns.first, turns.start, turns.stride))
    begin, end = (inside.add(first, argument, flags=("nsw",)) for argument in function.args[1:])
    Statements(inner, calls).turns(loop, Turns(begin, end, start, stride))
    inside.ret_void()
    place = closure.packed(builder)

    count = builder.sub(turns.last, turns.first)
    builder.call(_hand_out(builder.module), [function, place, count, work])
    return True


def _hand_out(module: Any) -> Any:
    """Return the function of a module that runs a piece, with so many turns of so much work each: for threads where there is enough of it."""
    name = "hand_out"
    if name in module.globals:
        return module.globals[name]
    piece = ir.FunctionType(ir.VoidType(), [memory.BYTES, _INT64, _INT64])
    function, builder = owners.own_function(
        module, name, ir.VoidType(), [piece.as_pointer(), memory.BYTES, _INT64, _INT64]
    )
    given, place, turns, work = function.args
    total = builder.fmul(*(builder.sitofp(value, _DOUBLE) for value in (turns, work)))
    least, most = ir.Constant(_DOUBLE, LEAST), ir.Constant(_DOUBLE, workers.MOST)
    with builder.if_else(builder.fcmp_ordered(">=", total, least)) as (then, other):
        with then:
            wanted = builder.fadd(builder.fdiv(total, least), ir.Constant(_DOUBLE, 1.0))
            wanted = builder.select(builder.fcmp_ordered("<", wanted, most), wanted, most)
            shared_loops.run(builder, given, place, turns, builder.fptosi(wanted, _INT64))
        with other:
            builder.call(given, [place, ir.Constant(_INT64, 0), turns])
    builder.ret_void()
    return function


def _parts(thing: Number | Array) -> list[Any]:
    """Return the numbers of which a value is made, and nobody for who owns its memory: it is held outside."""
    if not isinstance(thing, Array):
        return [thing.value]
    data, _, *rest = thing.numbers()
    return [data, array_values.NOBODY, *rest]


def _moved(builder: Any, closure: Closure, thing: Number | Array, is_scratch: bool) -> Number | Array:
    """Return in a piece what stands for a value outside of it."""
    parts = list(map(closure.get, _parts(thing)))
    if not isinstance(thing, Array):
        return Number(thing.kind, parts[0])
    if is_scratch:
        lengths = [length.constant for length in thing.dims]
        block = builder.bitcast(memory.stack_block(builder, thing.element, lengths), thing.data.type)
        if math.prod(lengths) == 1:
            builder.store(builder.load(parts[0]), block)
        parts[0] = block
    return array_values.from_numbers(thing.context, builder, thing.kind, parts)


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
    return is_named and namespace.get(call.func.id) is shared_loops.spread  # type: ignore[union-attr]


def is_apart(outer: Lowering, loop: ast.For) -> bool:
    """Whether all that a loop assigns to are numbers of its own, and it is left at its end alone."""
    own = assigned(loop)
    if own & outer.shared or own & outer.bindings.arrays.keys():
        return False
    returns = any(isinstance(node, ast.Return) for node in ast.walk(loop))
    return not returns and not any(map(_leaves, loop.body))


def _leaves(statement: ast.stmt) -> bool:
    """Whether a statement ends the loop that it stands in."""
    if isinstance(statement, (ast.For, ast.While)):
        return False
    return isinstance(statement, ast.Break) or any(
        _leaves(inner) for suite in variables.bodies(statement) for inner in suite
    )


def scratches(kernel: ast.FunctionDef, namespace: Mapping[str, Any]) -> set[str]:
    """Return the variables that hold scratch memory."""
    return {
        name
        for statement in kernel.body
        if isinstance(statement, ast.Assign)
        and isinstance(statement.value, ast.Call)
        and isinstance(statement.value.func, ast.Name)
        and namespace.get(statement.value.func.id) is memory.scratch
        for name in variables.targets(statement)
    }
