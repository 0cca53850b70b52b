"""Runs nests that take a row to a number, and what goes with them, row by row: what one stores of a row, the next finds in the cache.

Before:
    for i in range(n):
        for j in range(m): t[i, j] = x[i, j] * 2.0
    for i in range(n): s[i] = sum over j of t[i, j]
    for i in range(n):
        for j in range(m): y[i, j] = t[i, j] / s[i]
After, where rows are long:
    for row in range(n):
        for j in range(m): t[row, j] = x[row, j] * 2.0
        s[row] = sum over j of t[row, j]
        for j in range(m): y[row, j] = t[row, j] / s[row]
"""

from __future__ import annotations

from dataclasses import replace

from transpile.runtime.graph.dim import DimLike, product
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL

from .accesses import accesses
from .expression import Apply, Constant, Element, Position
from .nests import loops_of, parts_of, with_outermost
from .sharing import Sharing, all_bodies
from .statement import Allocate, Body, For, Fused, If, Nest, Reduction, Statement
from .tile import are_lines

# How long a row must be for the loops to be run for each row anew.
_LONG = 64

Rows = Nest | Fused | Reduction


class RowFuser:
    """Fuses the outermost loops of nests."""

    def __init__(self, sharing: Sharing) -> None:
        self.sharing = sharing

    def program(self, body: Body) -> None:
        """Fuse the outermost loops of the nests in a body, in place."""
        for inner in list(all_bodies(body)):
            result: Body = []
            for group in self.groups(inner):
                rows = self.rows(group)
                result += group if rows is None else self.chosen(rows, group)
            inner[:] = result

    def chosen(self, rows: For, group: Body) -> Body:
        """Return nests as they were where rows are short, and row by row where they are long."""
        length = next(product(row_of(nest)) for nest in group if isinstance(nest, Reduction))
        if isinstance(length, int):
            return [rows] if length >= _LONG else group
        test = Apply("greater_equal", (Position(length, INT), Constant(_LONG, INT)), PYBOOL)
        return [If(test, [rows], group, rows.location)]

    def groups(self, body: Body) -> list[Body]:
        """Return a body in parts: what may be run row by row together, and what may not, by itself. Memory is made before what uses it."""
        result: list[Body] = [[]]
        waiting: Body = []
        for statement in body:
            group = result[-1]
            if isinstance(statement, Allocate):
                waiting.append(statement)
            elif group and is_row_by_row(statement) and self.goes_with(group, statement):
                result.insert(-1, waiting)
                group.append(statement)
                waiting = []
            else:
                result += [waiting, [statement]]
                waiting = []
        return [*result, waiting]

    def goes_with(self, group: Body, nest: Statement) -> bool:
        """Whether a nest can do its work row by row with those of a group, and finds there what it needs, or they do."""
        if not is_row_by_row(group[0]):
            return False
        index, extent = loops_of(group[0])[0]
        if self.sharing.dim(loops_of(nest)[0][1]) != self.sharing.dim(extent):
            return False
        found = accesses(in_row(nest, index))
        shared = False
        for other in group:
            known = accesses(in_row(other, index))
            moving = (known.local | known.defines | found.local | found.defines) - {index}
            for writer, reader in ((known, found), (found, known)):
                for written in writer.writes:
                    for access in (*reader.reads, *reader.writes):
                        if self.sharing.may_share(written.buffer, access.buffer):
                            if not are_lines(self.sharing, written, access, index, moving):
                                return False
                            shared = True
        return shared

    def rows(self, group: Body) -> For | None:
        """Return nests as a loop over rows, None where that does not pay: one of them must reduce rows."""
        if len(group) < 2 or not any(isinstance(nest, Reduction) for nest in group):
            return None
        index, extent = Value(INT, "row"), loops_of(group[0])[0][1]
        inside: Body = [inner for nest in group for inner in without_row(in_row(nest, index))]
        if all(is_row_by_row(nest) for nest in inside):
            deeper = [self.rows(part) for part in self.groups(inside) if part]
            inside = inside if len(deeper) > 1 or deeper[0] is None else [deeper[0]]
        zero, one = Constant(0, INT), Constant(1, INT)
        return For(index, zero, Position(extent, INT), one, inside, None, getattr(group[0], "location", ()))


def is_row_by_row(statement: Statement) -> bool:
    """Whether a statement is a nest that does something for each row, or reduces each to a number."""
    if isinstance(statement, Reduction):
        loops, reduced = statement.loops, statement.reduced
        along = bool(loops) and loops[0][0] not in reduced and loops[-1][0] in reduced
        return along and isinstance(statement.target, Element)
    if not isinstance(statement, (Nest, Fused)) or not statement.indices:
        return False
    return not any(isinstance(part, Reduction) for part in parts_of(statement))


def row_of(nest: Reduction) -> tuple[DimLike, ...]:
    """Return the dims that a reduction reduces."""
    return tuple(dim for index, dim in nest.loops if index in nest.reduced)


def in_row(nest: Statement, index: Value) -> Rows:
    """Return a nest with another index of its outermost loop."""
    assert isinstance(nest, (Nest, Fused, Reduction))
    return with_outermost(nest, index)


def without_row(nest: Rows) -> Body:
    """Return what a nest does inside its outermost loop."""
    if isinstance(nest, Reduction):
        return [replace(nest, loops=nest.loops[1:])]
    if isinstance(nest, Fused) and len(nest.indices) == 1:
        return [*nest.parts]
    return [replace(nest, indices=nest.indices[1:])]
