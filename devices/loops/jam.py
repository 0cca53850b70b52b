"""Runs several steps of a loop at a time where each stores to the same elements again: these are read and stored once for all of them.

Before:
    for k in range(m):
        w = weights[k]
        for i in range(n): y[i] = y[i] + w * x[i + k]
After:
    for k in range(0, middle, 4):
        w = weights[k]; w_1 = weights[k + 1]; w_2 = weights[k + 2]; w_3 = weights[k + 3]
        for i in range(n): y[i] = (((y[i] + w * x[i + k]) + w_1 * x[i + k + 1]) + w_2 * x[i + k + 2]) + w_3 * x[i + k + 3]
    for k in range(middle, m):
        w = weights[k]
        for i in range(n): y[i] = y[i] + w * x[i + k]
"""

from __future__ import annotations

from dataclasses import replace

from transpile.runtime.graph.dim import Dim, DimLike, values_of
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL

from .accesses import accesses
from .buffer import Variable
from .expression import Apply, Constant, Expression, Gather, Position, elements, moved, rebuilt, walk
from .fuse import Fuser
from .nests import changed_part, parts_of
from .sharing import Sharing, all_bodies
from .statement import Body, For, Fused, Let, Nest, Part, Reduction, Spread, Statement

# Note [Jamming]
# A step that adds to each element what it finds for it reads and stores that element for one multiplication and one addition, and a processor does more of these at a time than it stores. What several
# steps do is fused as other nests are (Note [Fusion]): each element still has one step after the other.
#
# Steps that compute for longer than they read and store gain nothing by it.

# How many steps are run at a time, and how much a step may do for an element.
_STEPS, _PARTS = 4, 16
# What takes the processor no longer than reading an element; of floats, the larger of two does.
_COMPARED = frozenset(("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"))
_CHEAP = _COMPARED | frozenset(("add", "subtract", "multiply", "negative", "absolute", "cast", "select"))
_CHEAP_INTEGERS = frozenset(("maximum", "minimum", "bitwise_and", "bitwise_or", "bitwise_xor"))


class Jammer:
    """Jams the loops of a program."""

    def __init__(self, sharing: Sharing) -> None:
        self.sharing = sharing

    def program(self, body: Body) -> None:
        """Jam the loops in a body, in place."""
        for inner in list(all_bodies(body)):
            inner[:] = [new for statement in inner for new in self.statement(statement)]

    def statement(self, loop: Statement) -> Body:
        """Return a loop, or those that stand for it."""
        if not isinstance(loop, For) or loop.until is not None or loop.spread is not None:
            return [loop]
        if not isinstance(loop.step, Constant) or loop.step.value not in (1, -1):
            return [loop]
        *numbers, nest = loop.body or [loop]
        if not isinstance(nest, (Nest, Fused)) or not all(isinstance(part, Let) for part in numbers):
            return [loop]
        own = accesses(*numbers).defines | {loop.index}
        places = [place for access in accesses(nest).writes for place in access.indices or ()]
        dims = [dim for _, dim in nest.indices]
        if not pays(nest) or any(own & set(values_of(dim)) for dim in (*places, *dims)):
            return [loop]
        index = Value(INT, loop.index.name)
        copies = [_Copy(loop, Dim.of_value(index) + step * loop.step.value) for step in range(_STEPS)]
        body = Fuser(self.sharing).body([part for copy in copies for part in copy.body()])
        *first, fused = body
        if not isinstance(fused, Fused) or not all(isinstance(part, Let) for part in first):
            return [loop]
        if nest.spread is not None:
            fused = replace(fused, spread=Spread(nest.spread.index, nest.spread.work * _STEPS))
        return jammed(loop, index, [*first, fused])


def pays(nest: Nest | Fused) -> bool:
    """Whether a step reads what it stores, and computes for no longer than it reads and stores."""
    parts = parts_of(nest)
    pieces = [piece for part in parts for piece in walk(part.expression)]
    stored = {part.target for part in parts if isinstance(part, Nest)}
    return (
        bool(nest.indices)
        and len(pieces) <= _PARTS
        and bool(stored & {element for part in parts for element in elements(part.expression)})
        and not any(isinstance(part, Reduction) for part in parts)
        and not any(isinstance(piece, Gather) for piece in pieces)
        and all(map(is_cheap, pieces))
    )


def is_cheap(piece: Expression) -> bool:
    """Whether a part of an expression takes the processor no longer than reading an element."""
    if not isinstance(piece, Apply) or piece.name in _CHEAP:
        return True
    return piece.name in _CHEAP_INTEGERS and piece.type.dtype.kind in "biu"


def jammed(loop: For, index: Value, body: Body) -> Body:
    """Return a loop over several steps at a time, with their body, and one over the rest."""
    assert isinstance(loop.step, Constant)
    several = Constant(loop.step.value * _STEPS, INT)
    if isinstance(loop.start, Constant) and isinstance(loop.stop, Constant):
        steps = range(loop.start.value, loop.stop.value, loop.step.value)
        first = len(steps) // _STEPS * _STEPS
        place = Constant(loop.start.value + first * loop.step.value, INT)
        several_at_once = replace(loop, index=index, stop=place, step=several, body=body)
        rest = replace(loop, start=place)
        return [several_at_once] * (first > 0) + [rest] * (first < len(steps))
    ends = (loop.stop, loop.start) if loop.step.value > 0 else (loop.start, loop.stop)
    count, whole, middle = (Value(INT, name) for name in ("count", "whole", "middle"))
    some = Apply("greater", ends, PYBOOL)
    turns = Apply("bitwise_and", (Variable(count), Constant(-_STEPS, INT)), INT)
    there = "add" if loop.step.value > 0 else "subtract"
    return [
        Let(count, Apply("subtract", ends, INT)),
        Let(whole, Apply("select", (some, turns, Constant(0, INT)), INT)),
        Let(middle, Apply(there, (loop.start, Variable(whole)), INT)),
        replace(loop, index=index, stop=Variable(middle), step=several, body=body),
        replace(loop, start=Variable(middle)),
    ]


class _Copy:
    """Copies the statements of a step, with variables of its own."""

    def __init__(self, loop: For, place: DimLike) -> None:
        self.loop, self.place = loop, place
        self.own: dict[Value, Value] = {}

    def body(self) -> Body:
        """Return the statements' copies."""
        return [self.statement(statement) for statement in self.loop.body]

    def statement(self, statement: Statement) -> Statement:
        """Return a statement's copy."""
        if isinstance(statement, Fused):
            return replace(statement, parts=[self.part(part) for part in statement.parts], spread=None)
        assert isinstance(statement, (Let, Nest))
        return self.part(statement)

    def part(self, part: Part) -> Part:
        """Return the copy of a number, or of what a nest does."""
        part = changed_part(part, lambda expression: rebuilt(expression, self.leaf))
        if isinstance(part, Let):
            own = self.own[part.value] = Value(part.value.type, part.value.name)
            return replace(part, value=own)
        return part

    def leaf(self, part: Expression) -> Expression:
        """Return what a part of an expression is in this copy."""
        if not isinstance(part, Variable):
            return moved(part, self.named)
        if part.value is self.loop.index:
            return Position(self.place, part.type)
        return Variable(self.own.get(part.value, part.value))

    def named(self, value: Value) -> DimLike:
        """Return what a variable in an index is in this copy."""
        return self.place if value is self.loop.index else Dim.of_value(self.own.get(value, value))
