"""Parts nests that reduce whatever they run over to numbers, where any order gives the same bits: then their pieces may be spread.

Before:
    for i in range(n):
        y[i] = exp(x[i])
        s = s + (y[i] > z[i])
After:
    top = 64 if n > 32768 else 1
    length = (n + 63) // 64 if n > 32768 else n
    sums = empty(64)
    spread(48 * length)
    for piece in range(top):
        first = piece * length
        for i in range(min(length, n - first)):
            y[first + i] = exp(x[first + i])
            s_1 = s_1 + (y[first + i] > z[first + i])
        sums[piece] = s_1
    for piece in range(top): s = s + sums[piece]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL, ScalarType

from .buffer import Buffer, Variable
from .expression import Apply, Constant, Element, Position
from .fuse import ends_early, is_exact
from .nests import moved_nest, parts_of
from .statement import Allocate, Body, For, Fused, Let, Nest, Part, Reduction, Spread

# How many pieces there are; and how long each is at least of a single loop, which runs in blocks.
_PIECES = 64
_LENGTH = 512


def can_be_parted(nest: Fused | Reduction) -> bool:
    """Whether a nest reduces everything, in an order that does not matter, and looks at all elements."""
    if isinstance(nest, Reduction):
        everything = len(nest.reduced) == len(nest.loops) and not isinstance(nest.target, Element)
        return bool(nest.loops) and everything and is_exact(nest) and not ends_early(nest)
    found = [part for part in nest.parts if isinstance(part, Reduction)]
    return bool(found and nest.indices) and all(
        not isinstance(part.target, Element) and (is_exact(part) or ends_early(part)) for part in found
    )


def parted(nest: Fused | Reduction, work: DimLike, name: Callable[[str], str]) -> Body:
    """Return a nest in pieces that are spread, given the work of each turn of its outermost loop: a few turns are one piece."""
    loops = nest.loops if isinstance(nest, Reduction) else nest.indices
    (index, extent), inner = loops[0], loops[1:]
    top, length, piece, first, count = (
        Value(INT, name(hint)) for hint in ("top", "length", "piece", "first", "count")
    )
    turns, most = Position(extent, INT), Constant(_PIECES, INT)
    least = Constant(_PIECES * (1 if inner else _LENGTH), INT)
    is_long = Apply("greater", (turns, least), PYBOOL)
    share = Apply("floor_divide", (Position(extent + (_PIECES - 1), INT), most), INT)
    start = Dim.of_value(first)
    rest = Position(extent - start, INT)
    own, stores, ends = _parts(parts_of(nest), piece, top, name)
    moved = moved_nest(
        Fused(loops, own, nest.location),
        lambda value: Dim.of_value(value) + (start if value is index else 0),
    )
    size = Position(Dim.of_value(length), INT)
    body: Body = [
        Let(first, Position(Dim.of_value(piece) * Dim.of_value(length), INT)),
        Let(count, Apply("select", (Apply("less", (size, rest), PYBOOL), size, rest), INT)),
        replace(moved, indices=[(index, Dim.of_value(count)), *moved.indices[1:]]),
        *stores,
    ]
    spread = Spread(piece, work * Dim.of_value(length))
    zero, one = Constant(0, INT), Constant(1, INT)
    return [
        Let(top, Apply("select", (is_long, most, one), INT)),
        Let(length, Apply("select", (is_long, share, turns), INT)),
        *(Allocate(store.target.buffer) for store in stores),
        For(piece, zero, Variable(top), one, body, None, nest.location, spread),
        *ends,
    ]


def _parts(
    parts: list[Part], piece: Value, top: Value, name: Callable[[str], str]
) -> tuple[list[Part], list[Nest], Body]:
    """Return the parts of a piece, with numbers of its own, what stores these, and what combines them."""
    own: list[Part] = []
    stores: list[Nest] = []
    ends: Body = []
    for part in parts:
        if not isinstance(part, Reduction):
            own.append(part)
            continue
        target = part.target
        assert isinstance(target, Value) and isinstance(target.type, ScalarType)
        type_ = ScalarType(target.type.dtype)
        number, place = Value(type_, target.name), Value(INT, "k")
        buffer = Buffer(name(f"{target.name}_pieces"), type_.dtype, (_PIECES,))
        own.append(replace(part, target=number))
        stores.append(
            Nest([], Element(buffer, (Dim.of_value(piece),), type_), Variable(number), part.location)
        )
        found = Element(buffer, (Dim.of_value(place),), type_)
        ends.append(Fused([(place, Dim.of_value(top))], [replace(part, expression=found)], part.location))
    return own, stores, ends
