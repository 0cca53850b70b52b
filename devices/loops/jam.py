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

from transpile.runtime.graph.dim import Dim, values_of
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL

from .accesses import accesses
from .buffer import Variable
from .copies import Copy
from .expression import Apply, Constant, Expression, Gather, elements, walk
from .fuse import Fuser
from .nests import parts_of
from .sharing import Sharing, all_bodies
from .statement import Body, For, Fused, Let, Nest, Reduction, Spread, Statement

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
        here = Dim.of_value(index)
        copies = [Copy({loop.index: here + step * loop.step.value}) for step in range(_STEPS)]
        plain = [*numbers, replace(nest, spread=None)]
        body = Fuser(self.sharing).body([part for copy in copies for part in copy.body(plain)])
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
        whole = len(steps) // _STEPS * _STEPS
        place = Constant(loop.start.value + whole * loop.step.value, INT)
        result: Body = []
        if whole:
            result.append(replace(loop, index=index, stop=place, step=several, body=body))
        if whole < len(steps):
            result.append(replace(loop, start=place))
        return result
    ends = (loop.stop, loop.start) if loop.step.value > 0 else (loop.start, loop.stop)
    count, most, middle = (Value(INT, name) for name in ("count", "whole", "middle"))
    some = Apply("greater", ends, PYBOOL)
    turns = Apply("bitwise_and", (Variable(count), Constant(-_STEPS, INT)), INT)
    there = "add" if loop.step.value > 0 else "subtract"
    return [
        Let(count, Apply("subtract", ends, INT)),
        Let(most, Apply("select", (some, turns, Constant(0, INT)), INT)),
        Let(middle, Apply(there, (loop.start, Variable(most)), INT)),
        replace(loop, index=index, stop=Variable(middle), step=several, body=body),
        replace(loop, start=Variable(middle)),
    ]
