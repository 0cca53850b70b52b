"""Parts sums of floats where NumPy's pairwise summation parts them: their pieces may be spread, and the bits stay.

Before:
    s = 0.0 + pairwise(exp(x[i]) for i in range(n))
After:
    levels = 6 if n > 32768 else 0
    top = 64 if n > 32768 else 1
    length = n // top
    sums = empty(64)
    spread(48 * length)
    for piece in range(top):
        first, count, span = 0, n, top
        for level in range(levels):
            half = count // 2 - count // 2 % 8
            span = span // 2
            second = piece // span % 2
            first, count = (first + half, count - half) if second > 0 else (first, half)
        sums[piece] = 0.0 + pairwise(exp(x[first + i]) for i in range(count))
    width = top
    for level in range(levels):
        width = width // 2
        for k in range(width): sums[k] = sums[2 * k] + sums[2 * k + 1]
    s = 0.0 + sums[0]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL, ScalarType

from .buffer import Buffer, Variable
from .expression import Apply, Constant, Element, Expression, Position
from .nests import moved_nest
from .statement import Allocate, Assign, Body, For, Fused, Let, Nest, Reduction, Spread

# Note [Halves]
# NumPy adds up a run of n floats as the sum of two runs: the first half of them, less what is not a multiple of eight, and the rest (docs/reductions.md). So pieces
# of this tree, all of one depth, may be summed by whoever has time, and put together as the tree has it. A piece that is -0.0 is kept as 0.0, which shows in no sum that begins with 0.0.

# How often a sum is halved, and how long each piece has to be at least: more than are added up as one block.
_LEVELS = 6
_LENGTH = 512


def can_be_halved(nest: Fused | Reduction) -> bool:
    """Whether a nest adds up numbers that it computes, as one run, pairwise."""
    if not isinstance(nest, Reduction) or nest.ufunc != "add" or nest.free or nest.buffered:
        return False
    dtype = nest.expression.type.dtype
    is_float = dtype.kind == "f" and dtype.itemsize > 2
    is_one_run = len(nest.loops) == nest.run == 1 and nest.loops[0][0] in nest.reduced
    return is_float and is_one_run and isinstance(nest.target, Value)


def halved(nest: Reduction, work: DimLike, name: Callable[[str], str]) -> Body:
    """Return a sum in pieces that are spread, given the work of each element."""
    ((index, extent),) = nest.loops
    assert isinstance(nest.target, Value) and isinstance(nest.target.type, ScalarType)
    type_ = ScalarType(nest.target.type.dtype)
    levels, top, length, piece, first, count, span, width, place = (
        Value(INT, name(hint))
        for hint in ("levels", "top", "length", "piece", "first", "count", "span", "width", "k")
    )
    number = Value(type_, nest.target.name)
    sums = Buffer(name(f"{nest.target.name}_pieces"), type_.dtype, (1 << _LEVELS,))
    turns, start = Position(extent, INT), Dim.of_value(first)
    is_long = Apply("greater", (turns, Constant(_LENGTH << _LEVELS, INT)), PYBOOL)
    moved = moved_nest(nest, lambda value: Dim.of_value(value) + (start if value is index else 0))

    def sum_at(place: DimLike) -> Element:
        return Element(sums, (place,), type_)

    def loop(index: Value, end: Value, body: Body) -> For:
        return For(index, Constant(0, INT), Variable(end), Constant(1, INT), body, None, nest.location)

    def for_levels(body: Body) -> For:
        return loop(Value(INT, name("level")), levels, body)

    own: Body = [
        Let(first, Constant(0, INT)),
        Let(count, turns),
        Let(span, Variable(top)),
        for_levels(_descent(first, count, span, piece, name)),
        replace(moved, target=number, loops=[(index, Dim.of_value(count))]),
        Nest([], sum_at(Dim.of_value(piece)), Variable(number), nest.location),
    ]
    pair = Apply("add", (sum_at(2 * Dim.of_value(place)), sum_at(2 * Dim.of_value(place) + 1)), type_)
    both = Nest([], sum_at(Dim.of_value(place)), pair, nest.location)
    zero = Constant(type_.dtype.type(0), type_)
    return [
        Let(levels, Apply("select", (is_long, Constant(_LEVELS, INT), Constant(0, INT)), INT)),
        Let(top, Apply("select", (is_long, Constant(1 << _LEVELS, INT), Constant(1, INT)), INT)),
        Let(length, _integer("floor_divide", turns, top)),
        Allocate(sums),
        replace(loop(piece, top, own), spread=Spread(piece, work * Dim.of_value(length))),
        Let(width, Variable(top)),
        for_levels([Assign([(width, _integer("floor_divide", width, 2))]), loop(place, width, [both])]),
        Let(nest.target, Apply("add", (zero, sum_at(0)), type_), nest.location),
    ]


def _descent(first: Value, count: Value, span: Value, piece: Value, name: Callable[[str], str]) -> Body:
    """Return what goes on to the half of `count` elements from `first` on in which a piece lies, of `span` pieces."""
    half, second = Value(INT, name("half")), Value(INT, name("second"))
    middle = _integer("floor_divide", count, 2)
    is_second = Apply("greater", (Variable(second), Constant(0, INT)), PYBOOL)

    def either(one: Expression, other: Expression) -> Expression:
        return Apply("select", (is_second, one, other), INT)

    return [
        Let(half, _integer("subtract", middle, _integer("remainder", middle, 8))),
        Assign([(span, _integer("floor_divide", span, 2))]),
        Let(second, _integer("remainder", _integer("floor_divide", piece, span), 2)),
        Assign(
            [
                (first, either(_integer("add", first, half), Variable(first))),
                (count, either(_integer("subtract", count, half), Variable(half))),
            ]
        ),
    ]


def _integer(name: str, *operands: Value | Expression | int) -> Expression:
    """Return an operation on integers."""
    return Apply(name, tuple(map(_as_expression, operands)), INT)


def _as_expression(operand: Value | Expression | int) -> Expression:
    if isinstance(operand, Value):
        return Variable(operand)
    return Constant(operand, INT) if isinstance(operand, int) else operand
