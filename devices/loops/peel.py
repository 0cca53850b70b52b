"""Peels the first turns of loops along rows, so that vectors begin where lines of the cache do.

Before, for each row `i`:
    for j in range(m - 2): y[i, j + 1] = x[i - 1, j + 1] + x[i, j] + x[i, j + 1] + x[i, j + 2] + x[i + 1, j + 1]
After, where rows are long:
    lead = -(i * m + 1) & 7
    for j in range(lead): y[i, j + 1] = x[i - 1, j + 1] + x[i, j] + x[i, j + 1] + x[i, j + 2] + x[i + 1, j + 1]
    for j in range(m - 2 - lead):
        y[i, j + lead + 1] = ...
"""

from __future__ import annotations

from transpile.runtime.graph.dim import Dim, DimLike, values_of
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL

from .accesses import Access, accesses
from .copies import Copy
from .expression import Apply, Constant, Expression, Gather, Position, walk
from .nests import moved_nest, parts_of, with_loops
from .row_loop import integer
from .sharing import all_bodies
from .statement import Body, For, Fused, Let, Nest, Statement

# Note [Peeling]
# A vector that lies in two lines of the cache is fetched twice. Memory that a kernel makes begins with a line, and so may what is stored to a row of it, after some turns; then whatever is read at the
# same column is with it, or half of it is. Where caches are as fast as what is computed, that is what takes the time; it pays in long rows where much is read, most of it so.

# How many bytes a line has; how long rows are at least; and how many elements are read and stored at each index at least.
_LINE, _LONG, _MANY = 64, 128, 6
# Ops that take no longer than what they are given takes to be read: those that call functions, or divide, wait for other things.
_QUICK = frozenset(
    ("absolute", "add", "cast", "conjugate", "multiply", "negative", "positive", "real", "square")
)
_QUICK |= frozenset(
    ("equal", "greater", "greater_equal", "less", "less_equal", "not_equal", "select", "subtract")
)
_QUICK |= frozenset(("fmax", "fmin", "maximum", "minimum", "logical_and", "logical_not", "logical_or"))
_QUICK |= frozenset(("bitwise_and", "bitwise_or", "bitwise_xor", "invert"))
# Memory that begins with a line.
_OWN = frozenset(("local", "alias", "lent"))


def peel(body: Body) -> None:
    """Peel the loops along rows that run in loops of a body, in place."""
    rows = [
        inner
        for around in all_bodies(body)
        for statement in around
        if isinstance(statement, For) and statement.in_order
        for inner in all_bodies(statement.body)
    ]
    for inner in {id(inner): inner for inner in rows}.values():
        inner[:] = [own for statement in inner for own in _peeled(statement)]


def _peeled(statement: Statement) -> Body:
    """Return a loop along a row in two, a statement as it is where that does not pay."""
    if not isinstance(statement, (Nest, Fused)) or len(statement.indices) != 1 or statement.spread:
        return [statement]
    parts = parts_of(statement)
    if not all(isinstance(part, (Let, Nest)) and _is_quick(part.expression) for part in parts):
        return [statement]
    ((index, length),) = statement.indices
    found = accesses(statement)
    store, *_ = found.writes
    touched = {*found.reads, *found.writes}
    column = _column(store, index)
    if column is None or 2 * sum(_column(access, index) == column for access in touched) <= len(touched):
        return [statement]
    if len(touched) < _MANY or (isinstance(length, int) and length < _LONG):
        return [statement]
    assert store.indices
    place: DimLike = 0
    for axis, at in enumerate((*store.indices[:-1], column)):
        place = place * store.buffer.dims[axis] + at
    if isinstance(place, Dim) and set(values_of(place)) & (found.local | found.defines):
        return [statement]
    lead = Value(INT, "lead")
    lanes = _LINE // store.buffer.dtype.itemsize
    until = Apply("bitwise_and", (integer(0 * length - place), Constant(lanes - 1, INT)), INT)
    is_long = Apply("greater_equal", (Position(length, INT), Constant(_LONG, INT)), PYBOOL)
    turn = Value(INT, index.name)
    places = {index: Dim.of_value(turn) + Dim.of_value(lead)}
    rest = moved_nest(statement, lambda value: places.get(value, Dim.of_value(value)))
    (before,) = Copy().body([with_loops(statement, [(index, Dim.of_value(lead))])])
    return [
        Let(lead, Apply("select", (is_long, until, Constant(0, INT)), INT)),
        before,
        with_loops(rest, [(turn, length - Dim.of_value(lead))]),
    ]


def _is_quick(expression: Expression) -> bool:
    """Whether an expression is of quick ops alone, and reads elements at known places."""
    return not any(
        isinstance(part, Gather) or (isinstance(part, Apply) and part.name not in _QUICK)
        for part in walk(expression)
    )


def _column(access: Access, index: Value) -> DimLike | None:
    """Return where in its row an access begins to go along a row of the kernel's own memory; None where it does not."""
    buffer = access.buffer
    if buffer.source not in _OWN or buffer.layout != "C" or buffer.order is not None or not access.indices:
        return None
    *rows, last = access.indices
    if any(isinstance(row, Dim) and index in row.values() for row in rows) or not isinstance(last, Dim):
        return None
    start = last - Dim.of_value(index)
    return None if isinstance(start, Dim) and index in start.values() else start
