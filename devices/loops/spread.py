"""Finds the loops whose turns may run in any order, so that several threads may run them.

Before:
    for i in range(n):
        for j in range(m): y[i, j] = exp(x[i, j + 1])
After:
    spread(48 * m)
    for i in range(n):
        for j in range(m): y[i, j] = exp(x[i, j + 1])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace

from transpile.runtime.graph.dim import Dim, DimLike, product, values_of
from transpile.runtime.graph.ir import Value

from .accesses import Accesses, accesses, goes_on
from .buffer import Buffer
from .expression import Apply, Constant, Element, walk
from .halved import can_be_halved, halved
from .nests import loops_of, parts_of
from .parted import can_be_parted, parted
from .sharing import Sharing
from .statement import Body, For, Fused, If, Let, LibraryCall, Nest, Reduction, Spread, Statement, While
from .tile import are_lines

# Note [Spreading]
# The turns of a loop may run in any order where each stores to elements that no other one reads or stores to: of any two accesses to memory that may be the same, one of them
# a store, one place in the index is the same function of the loop's index and of nothing else that moves. It must not be left, nor call Python; what it gives to variables that are read behind it, the
# lowering looks for. A reduction is spread over the results that it has. One of everything is parted where that gives the same bits in any order, as the finding of errors does,
# and a sum of floats where NumPy parts it.
#
# Inside of two loops there is no spreading: whoever writes such loops has short ones in them.

_DEEPEST = 1
# Loops of fewer turns are left for one inside.
_SHORT = 4
# What it costs to read or store an element, and what ops do that cost more than an addition.
_ELEMENT = 4
_DIVISIONS = ("divide", "sqrt", "remainder", "floor_divide", "fmod", "reciprocal")
_EXPONENTS = (
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "cbrt",
    "power",
    "float_power",
)
_CURVES = ("sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "sinh", "cosh", "tanh", "logaddexp")
# What touches signs alone, or looks for errors, takes next to nothing beside what it is done to.
_NOTHING = ("absolute", "fabs", "negative", "bits", "float_errors")
_COSTS = {
    **dict.fromkeys(_DIVISIONS, 4),
    **dict.fromkeys((*_EXPONENTS, *_CURVES), 40),
    **dict.fromkeys(_NOTHING, 0),
    "hypot": 12,
}
# How much is to be computed for an array that is read or stored: where it is less, memory sets the pace, and what one processor has in its cache is far from the others.
_DENSE = 3
# How often a loop turns of which nothing is known.
TURNS = 16


class Spreader:
    """Notes where the loops of a program may be spread."""

    def __init__(self, sharing: Sharing, name: Callable[[str], str]) -> None:
        self.sharing = sharing
        self.name = name

    def body(self, body: Body, depth: int = 0) -> None:
        """Note what may be spread in a body, in place."""
        body[:] = [new for statement in body for new in self.statement(statement, depth)]

    def statement(self, statement: Statement, depth: int) -> Body:
        """Return a statement in which what may be spread is noted."""
        match statement:
            case Nest() | Fused() | Reduction():
                return self.parted(statement) or [self.nest(statement)]
            case If():
                self.body(statement.then, depth)
                self.body(statement.otherwise, depth)
            case While() if depth < _DEEPEST:
                self.body(statement.body, depth + 1)
            case For() if not statement.in_order and statement.spread is None:
                work = None if statement.until else self.turn(statement)
                if work is not None:
                    statement.spread = Spread(statement.index, work)
                elif depth < _DEEPEST:
                    self.body(statement.body, depth + 1)
        return [statement]

    def parted(self, statement: Nest | Fused | Reduction) -> Body:
        """Return a nest that reduces everything in pieces, nothing where it cannot be parted, or that does not pay."""
        if isinstance(statement, Nest):
            return []
        if can_be_parted(statement):
            part: Callable[..., Body] = parted
        elif can_be_halved(statement):
            part = halved
        else:
            return []
        (index, extent), *inner = loops_of(statement)
        parts = parts_of(statement)
        if isinstance(extent, int) or not is_dense(parts) or not self.is_apart(accesses(statement), index):
            return []
        turn = product(tuple(dim for _, dim in inner)) * weight(parts)
        return part(statement, turn, self.name)

    def nest(self, statement: Nest | Fused | Reduction) -> Statement:
        """Return a nest with its outermost loop that may be spread."""
        loops = loops_of(statement)
        reduced = statement.reduced if isinstance(statement, Reduction) else set()
        parts = parts_of(statement)
        if isinstance(statement, Fused) and any(isinstance(part, Reduction) for part in parts):
            return statement
        found = accesses(statement)
        for place, (index, dim) in enumerate(loops):
            is_short = isinstance(dim, int) and dim < _SHORT
            if not is_short and index not in reduced and is_dense(parts) and self.is_apart(found, index):
                inner = loops[place + 1 :]
                if loops[-1][0] in reduced:
                    # Each result is reduced by itself, whichever way the loops stand.
                    inner = [loop for loop in loops if loop[0] is not index]
                turn = product(tuple(extent for _, extent in inner)) * weight(parts)
                return replace(statement, spread=Spread(index, turn))
        return statement

    def is_apart(self, found: Accesses, index: Value) -> bool:
        """Whether each turn of a loop stores to elements of its own."""
        moving = (found.local | found.defines) - {index}
        return (
            not found.leaves
            and not found.is_seen
            and all(
                are_lines(self.sharing, written, other, index, moving)
                for written in found.writes
                for other in (*found.reads, *found.writes)
                if self.sharing.may_share(written.buffer, other.buffer)
            )
        )

    def turn(self, loop: For) -> DimLike | None:
        """Return the work of a turn of a loop over statements, None where it cannot be spread, or does not pay."""
        if not any(map(computes, loop.body)) or any(map(calls_a_library, loop.body)):
            return None
        found = accesses(*loop.body)
        found.defines |= found.local
        if any(isinstance(made, Buffer) for made in found.defines):
            return None
        if not (loop.is_apart or self.is_apart(found, loop.index)):
            return None
        if goes_on(loop.body, found.defines):
            return None
        return work(loop.body, {*found.defines, loop.index})


def work(body: Body, moving: Set[Value | Buffer], pieces: Mapping[DimLike, int] | None = None) -> DimLike:
    """Return how much work statements are, given what is not known before they run, and how long pieces are that loops go over."""
    known = dict(pieces or {})

    def turns(loops: Iterable[tuple[Value, DimLike]]) -> DimLike:
        dims = (known.get(dim, dim) for _, dim in loops)
        return product(tuple(TURNS if moving & set(values_of(dim)) else dim for dim in dims))

    total: DimLike = 0
    for statement in body:
        match statement:
            case Nest() | Fused():
                total = total + turns(statement.indices) * weight(parts_of(statement))
            case Reduction():
                total = total + turns(statement.loops) * weight([statement])
            case If():
                total = total + sum(work(way, moving, known) for way in (statement.then, statement.otherwise))
            case For() | While():
                total = total + TURNS * work(statement.body, moving, known)
            case Let(value, Apply("select", (Apply("less", (Constant(length), rest)), _, other))) if (
                rest == other
            ):
                # How long a piece is: the last one may be shorter.
                known[Dim.of_value(value)] = length
            case Let():
                total = total + weight([statement])
    return total


def computes(statement: Statement) -> bool:
    """Whether a statement in a loop computes for longer than it waits for memory: a nest that does, or a loop over numbers."""
    match statement:
        case Nest() | Fused() | Reduction():
            return is_dense(parts_of(statement))
        case For() | While():
            return any(isinstance(inner, Let) or computes(inner) for inner in statement.body)
        case If():
            return any(map(computes, (*statement.then, *statement.otherwise)))
    return False


def calls_a_library(statement: Statement) -> bool:
    """Whether a statement calls a library, which has threads of its own."""
    match statement:
        case LibraryCall():
            return True
        case For() | While():
            return any(map(calls_a_library, statement.body))
        case If():
            return any(map(calls_a_library, (*statement.then, *statement.otherwise)))
    return False


def is_dense(parts: Sequence[Let | Nest | Reduction], times: int = 1) -> bool:
    """Whether some parts compute so much for each array that they read or store, or so many times as much, that memory does not set the pace."""
    buffers = {element.buffer.root for element in touched(parts)}
    return costs(parts) >= times * _DENSE * len(buffers)


def weight(parts: Sequence[Let | Nest | Reduction]) -> int:
    """Return how much work some parts are at an index."""
    return costs(parts) + _ELEMENT * len(touched(parts))


def touched(parts: Sequence[Let | Nest | Reduction]) -> set[Element]:
    """Return the elements that parts read and store."""
    found = {piece for part in parts for piece in walk(part.expression) if isinstance(piece, Element)}
    return found | {part.target for part in parts if isinstance(part, Nest)}


def costs(parts: Sequence[Let | Nest | Reduction]) -> int:
    """Return what the ops of parts cost."""
    pieces = [piece for part in parts for piece in walk(part.expression)]
    return sum(_COSTS.get(piece.name, 1) for piece in pieces if isinstance(piece, Apply))
