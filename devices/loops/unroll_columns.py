"""Writes out the short last axis of nests beside others over the axes before it, so that they can be fused.

Before:
    for i in range(n):
        for j in range(3): t[i, j] = x[i, j] * w[i]
    for i in range(n): s[i] = sum over j < 3 of t[i, j]
    for i in range(n): y[i] = sqrt(s[i])
After:
    for i in range(n):
        t[i, 0] = x[i, 0] * w[i]
        t[i, 1] = x[i, 1] * w[i]
        t[i, 2] = x[i, 2] * w[i]
    for i in range(n): s[i] = ((-0.0 + t[i, 0]) + t[i, 1]) + t[i, 2]
    for i in range(n): y[i] = sqrt(s[i])
"""

from __future__ import annotations

from functools import partial

from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ScalarType

from .accesses import Access, accesses
from .buffer import Buffer
from .expression import Apply, Constant, Element, Expression, moved
from .fuse import scatters
from .nests import changed_part, loops_of
from .sharing import Sharing, all_bodies
from .statement import Body, Fused, Nest, Part, Reduction, Statement

# Note [Columns]
# Points in space, colours and the like are arrays of two to four columns. Some of what is done with them is done with all columns alike, some with single ones, or
# with their sums. The first runs over rows and columns, the others over rows alone, and so nothing is fused: each array goes to memory and back. Written out, all run over rows. A nest is written out where
# it shares memory with one that runs over the same rows alone; by itself it is best left to go through memory from one end to the other.

# How many columns there may be.
_COLUMNS = 4

Narrow = Nest | Reduction


def unroll_columns(body: Body, sharing: Sharing) -> None:
    """Write out the columns of nests in a body, in place, where others run over their rows alone."""
    for inner in all_bodies(body):
        chosen = _chosen(inner, sharing)
        inner[:] = [_by_rows(statement) if statement in chosen else statement for statement in inner]


def _chosen(body: Body, sharing: Sharing) -> set[Statement]:
    """Return the nests of a body to write out."""
    narrow = {statement: _buffers(statement) for statement in body if _is_narrow(statement, sharing)}
    chosen: set[Statement] = {statement for statement in narrow if isinstance(statement, Reduction)}
    found = [
        (_rows(statement, sharing), _buffers(statement))
        for statement in body
        if narrow and isinstance(statement, (Nest, Fused)) and statement not in narrow
    ]
    found += [
        (_rows(statement, sharing)[:-1], narrow[statement]) for statement in narrow if statement in chosen
    ]
    while found:
        rows, buffers = found.pop()
        for statement, own in narrow.items():
            if statement not in chosen and _rows(statement, sharing)[:-1] == rows and own & buffers:
                chosen.add(statement)
                found.append((rows, own))
    return chosen


def _rows(statement: Statement, sharing: Sharing) -> tuple[DimLike, ...]:
    """Return how far the loops of a nest run."""
    return tuple(sharing.dim(dim) for _, dim in loops_of(statement))


def _buffers(statement: Statement) -> set[Buffer]:
    """Return whose memory a nest reads or writes."""
    found = accesses(statement)
    return {access.buffer.root for access in (*found.reads, *found.writes)}


def _is_narrow(statement: Statement, sharing: Sharing) -> bool:
    """Whether a nest has more loops than one, the last of a few turns, which may stand one after the other."""
    if not isinstance(statement, (Nest, Reduction)) or not isinstance(statement.target, Element):
        return False
    loops = loops_of(statement)
    count = loops[-1][1] if len(loops) > 1 else 0
    if not isinstance(count, int) or not 1 < count <= _COLUMNS:
        return False
    if statement.expression.type.dtype != statement.target.buffer.dtype:
        return False
    if isinstance(statement, Reduction) and not _is_sum_of_columns(statement):
        return False
    if isinstance(statement, Nest) and scatters(statement):
        return False
    found = accesses(statement)
    target = Access(statement.target.buffer, statement.target.indices)
    same = isinstance(statement, Nest)
    return all(
        not sharing.may_share(target.buffer, read.buffer) or (same and sharing.is_same(target, read))
        for read in found.reads
    )


def _is_sum_of_columns(reduction: Reduction) -> bool:
    """Whether a reduction adds up each row, by itself, one number after the other."""
    kind, size = reduction.expression.type.dtype.kind, reduction.expression.type.dtype.itemsize
    return (
        reduction.ufunc == "add"
        and reduction.reduced == {reduction.loops[-1][0]}
        and not reduction.buffered
        and (kind in "iu" or (kind == "f" and size in (4, 8)))
    )


def _by_rows(statement: Statement) -> Fused:
    """Return a nest over rows that does with each what another one does with its columns in turn."""
    assert isinstance(statement, (Nest, Reduction))
    *rows, (column, count) = loops_of(statement)
    assert isinstance(count, int)
    if isinstance(statement, Reduction):
        return Fused(rows, [_sum(statement, column, count)], statement.location)
    part = Nest([], statement.target, statement.expression, statement.location)
    parts: list[Part] = []
    for place in range(count):
        parts.append(changed_part(part, partial(_at, column=column, place=place)))
    return Fused(rows, parts, statement.location)


def _sum(reduction: Reduction, column: Value, count: int) -> Nest:
    """Return what stores the sum of a row, in the order of NumPy's sums of few numbers."""
    type_ = ScalarType(reduction.expression.type.dtype)
    zero: Expression = Constant(type_.dtype.type(0), type_)
    is_float = type_.dtype.kind == "f"
    total: Expression = Constant(type_.dtype.type(-0.0), type_) if is_float else zero
    for place in range(count):
        total = Apply("add", (total, _at(reduction.expression, column, place)), type_)
    if is_float:
        total = Apply("add", (zero, total), type_)
    assert isinstance(reduction.target, Element)
    return Nest([], reduction.target, total, reduction.location)


def _at(expression: Expression, column: Value, place: int) -> Expression:
    """Return an expression at one turn of the loop over columns."""
    return moved(expression, lambda value: place if value is column else Dim.of_value(value))
